# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heat that spreads in a cube, from one array to the other and back."""
from libraries import lax, prange


def spread(x):
    middle = x[1:-1, 1:-1, 1:-1]
    return (0.125 * (x[2:, 1:-1, 1:-1] - 2 * middle + x[:-2, 1:-1, 1:-1])
            + 0.125 * (x[1:-1, 2:, 1:-1] - 2 * middle + x[1:-1, :-2, 1:-1])
            + 0.125 * (x[1:-1, 1:-1, 2:] - 2 * middle + x[1:-1, 1:-1, :-2]) + middle)


def with_numpy(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = spread(a)
        a[1:-1, 1:-1, 1:-1] = spread(b)
    return a, b


def with_jax(a, b, steps):
    def step(_, state):
        a, b = state
        b = b.at[1:-1, 1:-1, 1:-1].set(spread(a))
        return a.at[1:-1, 1:-1, 1:-1].set(spread(b)), b

    return lax.fori_loop(0, steps, step, (a, b))


def sweep(x, y):
    # omp parallel for
    for i in prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            for k in range(1, x.shape[2] - 1):
                y[i, j, k] = (0.125 * (x[i + 1, j, k] - 2 * x[i, j, k] + x[i - 1, j, k])
                              + 0.125 * (x[i, j + 1, k] - 2 * x[i, j, k] + x[i, j - 1, k])
                              + 0.125 * (x[i, j, k + 1] - 2 * x[i, j, k] + x[i, j, k - 1]) + x[i, j, k])


# pythran export loops(float64[:,:,:], float64[:,:,:], int)
def loops(a, b, steps):
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        sweep(a, b)
        sweep(b, a)
    return a, b
