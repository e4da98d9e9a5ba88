# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Iterations until a point leaves a circle, and where it is then."""
import numpy as np
from libraries import jnp, lax, prange

EXACT = True  # a product that is not rounded makes a point leave an iteration earlier or later


def grid(xp, width, height):
    return (-2.25 + xp.arange(width) * (3 / (width - 1)) + xp.zeros((height, 1)),
            (-1.25 + xp.arange(height) * (2.5 / (height - 1)))[:, None] + xp.zeros((1, width)))


def with_numpy(width, height, limit):
    cr, ci = grid(np, width, height)
    x, y, count = np.zeros_like(cr), np.zeros_like(cr), np.zeros(cr.shape, np.int32)
    for n in range(limit):
        inside = x * x + y * y < 4
        xs, ys = x[inside], y[inside]
        x[inside], y[inside] = xs * xs - ys * ys + cr[inside], 2 * xs * ys + ci[inside]
        count[inside] = n
    count[count == limit - 1] = 0
    return x, y, count


def with_jax(width, height, limit):
    cr, ci = grid(jnp, width, height)

    def step(n, state):
        x, y, count = state
        inside = x * x + y * y < 4
        return (jnp.where(inside, x * x - y * y + cr, x), jnp.where(inside, 2 * x * y + ci, y),
                jnp.where(inside, n, count))

    zero = jnp.zeros_like(cr)
    x, y, count = lax.fori_loop(0, limit, step, (zero, zero, jnp.zeros(cr.shape, jnp.int32)))
    return x, y, jnp.where(count == limit - 1, 0, count)


def row(re, im, count, ci, limit):
    for j in range(re.size):
        cr, x, y, n = -2.25 + j * (3 / (re.size - 1)), 0.0, 0.0, 0
        while n < limit and x * x + y * y < 4:
            x, y = x * x - y * y + cr, 2 * x * y + ci
            n += 1
        re[j], im[j], count[j] = x, y, 0 if n == limit else n - 1


# pythran export loops(int, int, int)
def loops(width, height, limit):
    re, im = np.empty((height, width)), np.empty((height, width))
    count = np.empty((height, width), np.int32)
    # omp parallel for schedule(dynamic, 4)
    for i in prange(height):
        row(re[i], im[i], count[i], -1.25 + i * (2.5 / (height - 1)), limit)
    return re, im, count
