# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of five neighbours, from one matrix to the other and back."""
from libraries import lax, prange


def mean(x):
    return 0.2 * (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1])


def with_numpy(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        b[1:-1, 1:-1] = mean(a)
        a[1:-1, 1:-1] = mean(b)
    return a, b


def with_jax(a, b, steps):
    def step(_, state):
        a, b = state
        b = b.at[1:-1, 1:-1].set(mean(a))
        return a.at[1:-1, 1:-1].set(mean(b)), b

    return lax.fori_loop(0, steps, step, (a, b))


def sweep(x, y):
    # omp parallel for
    for i in prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = 0.2 * (x[i, j] + x[i, j - 1] + x[i, j + 1] + x[i + 1, j] + x[i - 1, j])


# pythran export loops(float64[:,:], float64[:,:], int)
def loops(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        sweep(a, b)
        sweep(b, a)
    return a, b
