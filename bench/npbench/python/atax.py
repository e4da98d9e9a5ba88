# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix, then its transpose, times a vector."""
import numpy as np
from libraries import prange


def with_numpy(A, x):
    return (A @ x) @ A


def with_jax(A, x):
    return (A @ x) @ A


def rows(A, x, y, first, last):
    for i in range(first, last):
        t = 0.0
        for j in range(x.size):
            t += A[i, j] * x[j]
        for j in range(x.size):
            y[j] += t * A[i, j]


# pythran export loops(float64[:,:], float64[])
def loops(A, x):
    m, parts = A.shape[0], 8
    y = np.zeros((parts, x.size))
    # omp parallel for
    for p in prange(parts):
        rows(A, x, y[p], p * m // parts, (p + 1) * m // parts)
    return y.sum(axis=0)
