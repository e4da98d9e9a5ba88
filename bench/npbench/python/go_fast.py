# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sum of the hyperbolic tangents of a diagonal, added to all of the matrix."""
import numpy as np
from libraries import jnp, prange


def with_numpy(a):
    return a + np.tanh(np.diagonal(a)).sum()


def with_jax(a):
    return a + jnp.tanh(jnp.diagonal(a)).sum()


# pythran export loops(float64[:,:])
def loops(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    out = np.empty(a.shape)
    # omp parallel for
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + trace
    return out
