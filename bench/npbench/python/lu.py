# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LU factorisation without pivoting, both factors in one matrix."""
import numpy as np
from libraries import jnp, lax, prange


def with_numpy(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    return A


def with_jax(A):
    place = jnp.arange(A.shape[0])

    def step(k, A):
        behind = place > k
        factor = jnp.where(behind, A[:, k] / A[k, k], 0)
        A = A - jnp.outer(factor, jnp.where(behind, A[k], 0))
        return A.at[:, k].set(jnp.where(behind, factor, A[:, k]))

    return lax.fori_loop(0, A.shape[0] - 1, step, A)


def eliminate(row, pivot, k):
    factor = row[k] / pivot[k]
    row[k] = factor
    for j in range(k + 1, row.size):
        row[j] -= factor * pivot[j]


def step(A, k):
    # omp parallel for
    for i in prange(k + 1, A.shape[0]):
        eliminate(A[i], A[k], k)


# pythran export loops(float64[:,:])
def loops(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        step(A, k)
    return A
