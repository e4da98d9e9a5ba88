# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of three neighbours, from one array to the other and back."""
from libraries import lax, prange


def with_numpy(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return a, b


def with_jax(a, b, steps):
    def sweep(x, y):
        return y.at[1:-1].set(0.33333 * (x[:-2] + x[1:-1] + x[2:]))

    def step(_, state):
        a, b = state
        b = sweep(a, b)
        return sweep(b, a), b

    return lax.fori_loop(0, steps, step, (a, b))


def sweep(x, y):
    # omp parallel for
    for i in prange(1, x.size - 1):
        y[i] = 0.33333 * (x[i - 1] + x[i] + x[i + 1])


# pythran export loops(float64[], float64[], int)
def loops(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        sweep(a, b)
        sweep(b, a)
    return a, b
