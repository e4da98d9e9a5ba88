# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finite differences in the time domain: two components of the electric field and the magnetic one."""
from libraries import lax, prange


def with_numpy(ex, ey, hz, fict):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for source in fict:
        ey[0] = source
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


def with_jax(ex, ey, hz, fict):
    def step(t, state):
        ex, ey, hz = state
        ey = ey.at[0].set(fict[t]).at[1:].add(-0.5 * (hz[1:] - hz[:-1]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
        return ex, ey, hz

    return lax.fori_loop(0, fict.size, step, (ex, ey, hz))


def electric_row(ex, ey, hz, i, source):
    for j in range(ey.shape[1]):
        ey[i, j] = ey[i, j] - 0.5 * (hz[i, j] - hz[i - 1, j]) if i > 0 else source
    for j in range(1, ex.shape[1]):
        ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])


def step(ex, ey, hz, source):
    # omp parallel for
    for i in prange(ey.shape[0]):
        electric_row(ex, ey, hz, i, source)
    # omp parallel for
    for i in prange(hz.shape[0] - 1):
        for j in range(hz.shape[1] - 1):
            hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


# pythran export loops(float64[:,:], float64[:,:], float64[:,:], float64[])
def loops(ex, ey, hz, fict):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(fict.size):
        step(ex, ey, hz, fict[t])
    return ex, ey, hz
