# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix times one vector and its transpose times another."""
import numpy as np
from libraries import prange


def with_numpy(A, p, r):
    return r @ A, A @ p


def with_jax(A, p, r):
    return r @ A, A @ p


def rows(A, p, r, s, q, first, last):
    for i in range(first, last):
        t, factor = 0.0, r[i]
        for j in range(p.size):
            t += A[i, j] * p[j]
            s[j] += factor * A[i, j]
        q[i] = t


# pythran export loops(float64[:,:], float64[], float64[])
def loops(A, p, r):
    m, parts = A.shape[0], 8
    s, q = np.zeros((parts, p.size)), np.empty(m)
    # omp parallel for
    for k in prange(parts):
        rows(A, p, r, s[k], q, k * m // parts, (k + 1) * m // parts)
    return s.sum(axis=0), q
