# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix with two outer products added, then its transpose and itself times vectors."""
import numpy as np
from libraries import jnp, prange


def with_numpy(A, u1, v1, u2, v2, y, z, alpha, beta):
    A = A + np.outer(u1, v1) + np.outer(u2, v2)
    x = z + beta * (y @ A)
    return A, x, alpha * (A @ x)


def with_jax(A, u1, v1, u2, v2, y, z, alpha, beta):
    A = A + jnp.outer(u1, v1) + jnp.outer(u2, v2)
    x = z + beta * (y @ A)
    return A, x, alpha * (A @ x)


def first_pass(A, B, u1, v1, u2, v2, y, x, beta, first, last):
    for i in range(first, last):
        s1, s2, factor = u1[i], u2[i], beta * y[i]
        for j in range(x.size):
            element = A[i, j] + s1 * v1[j] + s2 * v2[j]
            B[i, j] = element
            x[j] += factor * element


def dot(row, x):
    t = 0.0
    for j in range(x.size):
        t += row[j] * x[j]
    return t


# pythran export loops(float64[:,:], float64[], float64[], float64[], float64[], float64[], float64[], float64, float64)
def loops(A, u1, v1, u2, v2, y, z, alpha, beta):
    n, parts = A.shape[0], 8
    B, partial, w = np.empty(A.shape), np.zeros((parts, z.size)), np.empty(n)
    # omp parallel for
    for p in prange(parts):
        first_pass(A, B, u1, v1, u2, v2, y, partial[p], beta, p * n // parts, (p + 1) * n // parts)
    x = z + partial.sum(axis=0)
    # omp parallel for
    for i in prange(n):
        w[i] = alpha * dot(B[i], x)
    return B, x, w
