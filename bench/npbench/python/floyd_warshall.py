# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shortest paths between all pairs, through one node more after each step."""
import numpy as np
from libraries import jnp, lax, prange


def with_numpy(path):
    path = path.copy()
    for k in range(path.shape[0]):
        np.minimum(path, path[:, k, None] + path[k], out=path)
    return path


def with_jax(path):
    return lax.fori_loop(0, path.shape[0], lambda k, p: jnp.minimum(p, p[:, k, None] + p[k]), path)


def shorten(row, through, first):
    for j in range(row.size):
        row[j] = min(row[j], first + through[j])


def step(path, k):
    # omp parallel for
    for i in prange(path.shape[0]):
        shorten(path[i], path[k], path[i, k])


# pythran export loops(int32[:,:])
def loops(path):
    path = path.copy()
    for k in range(path.shape[0]):
        step(path, k)
    return path
