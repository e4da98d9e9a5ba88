# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cholesky factorisation; what is above the diagonal stays as it is."""
import numpy as np
from libraries import jnp, lax, prange


def with_numpy(A):
    A = A.copy()
    for j in range(A.shape[0]):
        A[j:, j] -= A[j:, :j] @ A[j, :j]
        A[j, j] = np.sqrt(A[j, j])
        A[j + 1:, j] /= A[j, j]
    return A


def with_jax(A):
    place = jnp.arange(A.shape[0])

    def step(k, A):
        pivot = jnp.sqrt(A[k, k])
        column = jnp.where(place > k, A[:, k] / pivot, 0)
        A = A - jnp.tril(jnp.outer(column, column))
        return A.at[:, k].set(jnp.where(place > k, column, A[:, k])).at[k, k].set(pivot)

    return lax.fori_loop(0, A.shape[0], step, A)


def dot(x, y, n):
    t = 0.0
    for k in range(n):
        t += x[k] * y[k]
    return t


def column(A, j):
    A[j, j] = np.sqrt(A[j, j] - dot(A[j], A[j], j))
    # omp parallel for
    for i in prange(j + 1, A.shape[0]):
        A[i, j] = (A[i, j] - dot(A[i], A[j], j)) / A[j, j]


# pythran export loops(float64[:,:])
def loops(A):
    A = A.copy()
    for j in range(A.shape[0]):
        column(A, j)
    return A
