#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every source file is as clang-format leaves it and carries the licence line. Prints the offences; exit status 77 (a skipped
# test) where clang-format 19 is missing.
set -uo pipefail
cd "$(dirname "$0")/.."
command -v clang-format-19 >/dev/null || { echo "clang-format-19 is not installed"; exit 77; }

sources() { find include lib jit tests bench examples python lapack files \( -name '*.hpp' -o -name '*.cpp' -o -name '*.inc' \) -print0 | sort -z; }
failed=0
sources | xargs -0 -P "$(nproc)" -n 40 clang-format-19 --dry-run -Werror || failed=1
without=$(sources | xargs -0 grep -L 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception')
[[ -z $without ]] || { printf 'no licence line: %s\n' $without; failed=1; }
exit $failed
