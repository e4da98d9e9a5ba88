# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sparse matrix in compressed rows times a vector."""
import numpy as np
from libraries import jax, jnp, prange


def with_numpy(A_row, A_col, A_val, x):
    return np.add.reduceat(A_val * x[A_col], A_row[:-1])


def with_jax(A_row, A_col, A_val, x):
    n = A_row.size - 1
    row = jnp.repeat(jnp.arange(n), jnp.diff(A_row), total_repeat_length=A_val.size)
    return jax.ops.segment_sum(A_val * x[A_col], row, num_segments=n, indices_are_sorted=True)


def dot(first, last, column, value, x):
    t = 0.0
    for e in range(first, last):
        t += value[e] * x[column[e]]
    return t


# pythran export loops(int32[], int32[], float64[], float64[])
def loops(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1)
    # omp parallel for
    for r in prange(y.size):
        y[r] = dot(A_row[r], A_row[r + 1], A_col, A_val, x)
    return y
