# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two vectors, to which a matrix and its transpose times two others are added."""
import numpy as np
from libraries import prange


def with_numpy(x1, x2, y_1, y_2, A):
    return x1 + A @ y_1, x2 + y_2 @ A


def with_jax(x1, x2, y_1, y_2, A):
    return x1 + A @ y_1, x2 + y_2 @ A


def rows(A, y_1, y_2, x1, x2, first, last):
    for i in range(first, last):
        t, factor = 0.0, y_2[i]
        for j in range(y_1.size):
            t += A[i, j] * y_1[j]
            x2[j] += factor * A[i, j]
        x1[i] += t


# pythran export loops(float64[], float64[], float64[], float64[], float64[:,:])
def loops(x1, x2, y_1, y_2, A):
    n, parts = A.shape[0], 8
    to, partial = x1.copy(), np.zeros((parts, x2.size))
    # omp parallel for
    for p in prange(parts):
        rows(A, y_1, y_2, to, partial[p], p * n // parts, (p + 1) * n // parts)
    return to, x2 + partial.sum(axis=0)
