# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lets Open MPI start more processes than there are processors, and as root: variables of release 4 and of release 5."""
SETTINGS = dict(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
