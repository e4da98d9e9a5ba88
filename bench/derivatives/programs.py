# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of sinter_derivatives in JAX, as its users would write them: by name of the row, the function, a function that
gives the value and the derivatives, and arguments of the same sizes."""
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erfc, logsumexp

jax.config.update("jax_enable_x64", True)


def numbers(*shape, low=0.0, high=1.0, type=np.float64, seed=0):
    return jnp.array(np.random.default_rng(seed).uniform(low, high, shape).astype(type))


def with_gradients(f, *numbers_of_arguments):
    return jax.value_and_grad(f, numbers_of_arguments)


def log_sum_exp(x):
    largest = jnp.max(x)
    return largest + jnp.log(jnp.sum(jnp.exp(x - largest)))


def chain(x, y):
    return jnp.sum(jnp.exp(jnp.sin(x) * y))


def calls(price, strike, time, rate, volatility):
    normal = lambda x: erfc(x * -math.sqrt(0.5)) / 2
    spread = volatility * jnp.sqrt(time)
    d = (jnp.log(price / strike) + (rate + volatility * volatility / 2) * time) / spread
    return jnp.sum(price * normal(d) - strike * jnp.exp(-rate * time) * normal(d - spread))


def gathered(values, at):
    return jnp.sum(values[at] ** 2)


def mixture(alpha, means, q, below, points, gamma=1.0, m=0):
    (n, d), k = points.shape, len(alpha)
    column, row = np.triu_indices(d, 1)
    triangle = jnp.zeros((k, d, d)).at[:, row, column].set(below) + jax.vmap(jnp.diag)(jnp.exp(q))
    scaled = jnp.einsum("kij,nkj->nki", triangle, points[:, None] - means)
    total = jnp.sum(logsumexp(alpha + jnp.sum(q, 1) - 0.5 * jnp.sum(scaled**2, 2), axis=1))
    freedom = d + m + 1
    of_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (freedom - j)) for j in range(d))
    prior = k * (freedom * d * math.log(gamma / math.sqrt(2)) - of_gamma) + m * jnp.sum(q)
    prior -= 0.5 * gamma**2 * (jnp.sum(jnp.exp(q) ** 2) + jnp.sum(below**2))
    return total - n * logsumexp(alpha) - n * d * 0.5 * math.log(2 * math.pi) + prior


def kmeans(centres, points):
    squares = jnp.sum(points**2, 1)[:, None] + jnp.sum(centres**2, 1) - 2 * points @ centres.T
    return jnp.sum(jnp.min(squares, axis=1))


def newton_step(centres, points):
    gradient = jax.grad(kmeans)
    return jax.jvp(lambda c: gradient(c, points), (centres,), (jnp.ones_like(centres),))


def lstm(main, extra, state, sequence):
    width, layers, sigmoid = sequence.shape[1], len(state) // 2, jax.nn.sigmoid
    weights, biases = main[::2].reshape(layers, 4, width), main[1::2].reshape(layers, 4, width)

    def layer(x, parts):
        h, c, w, b = parts
        next = c * sigmoid(x * w[0] + b[0]) + sigmoid(h * w[1] + b[1]) * jnp.tanh(h * w[3] + b[3])
        out = sigmoid(x * w[2] + b[2]) * jnp.tanh(next)
        return out, (out, next)

    def step(cells, now):
        hidden, memory, total = cells
        given, wanted = now
        top, (hidden, memory) = jax.lax.scan(layer, given * extra[0], (hidden, memory, weights, biases))
        guess = top * extra[1] + extra[2]
        return (hidden, memory, total + jnp.sum(wanted * (guess - jnp.log(jnp.sum(jnp.exp(guess)) + 2)))), None

    (_, _, total), _ = jax.lax.scan(step, (state[::2], state[1::2], 0.0), (sequence[:-1], sequence[1:]))
    return -total / ((len(sequence) - 1) * width)


def reprojection_error(observed, feature):
    axis, seen = observed[:3], observed[11:14] - observed[3:6]
    angle = jnp.linalg.norm(axis)
    unit, c, s = axis / angle, jnp.cos(angle), jnp.sin(angle)
    turned = seen * c + jnp.cross(unit, seen) * s + unit * (jnp.dot(unit, seen) * (1 - c))
    plane = turned[:2] / turned[2]
    square = jnp.sum(plane**2)
    distortion = 1 + observed[9] * square + observed[10] * square**2
    return observed[14] * (plane * distortion * observed[6] + observed[7:9] - feature)


def heat_step(u, _):
    right, left = jnp.append(u[1:], u[-1:]), jnp.append(u[:1], u[:-1])
    return u + 0.05 * ((1 + u * u) * (right - u) - (1 + left * left) * (u - left)), None


def heat(u, keep=lambda f: f, segments=1, steps=1000):
    segment = keep(lambda u, _: jax.lax.scan(heat_step, u, None, length=steps // segments))
    return jnp.sum(jax.lax.scan(segment, u, None, length=segments)[0] ** 2)


def heat_in_segments(u):
    return heat(u, lambda f: jax.checkpoint(lambda u, k: (f(u, k)[0], None)), 40)


def option(price, rate, volatility, noise):
    def step(cells, each):
        s, total = cells
        next = s * jnp.exp(rate * 0.01 + volatility * (each - 0.5))
        return (next, total + next), None

    def path(row):
        (_, total), _ = jax.lax.scan(step, (price, 0.0), row)
        return jnp.maximum(total / len(row) - price, 0)

    return jnp.mean(jax.vmap(path)(noise))


def recurrence(factor, summand):
    compose = lambda f, g: (f[0] * g[0], f[1] * g[0] + g[1])
    return jnp.sum(jax.lax.associative_scan(compose, (factor, summand))[1] ** 2)


def in_direction(f):
    return lambda x, y, dx, dy: jax.jvp(f, (x, y), (dx, dy))


def polynomial(x, y):
    for k in range(8):
        y = y * x + np.float32(0.1 * (k - 3))
    return y


def stencil(x, y):
    right, left = jnp.append(x[1:], x[-1:]), jnp.append(x[:1], x[:-1])
    return (x + np.float32(0.1) * (right - 2 * x + left) * x) * y


def orbits(points):
    end = jax.lax.fori_loop(0, 200, lambda _, z: z * z + points, points)
    return jnp.sum(end.real**2 + end.imag**2)


def built(x):
    step = lambda i, made: made.at[i + 1].set(jnp.sin(made[i]) + x[i])
    return jnp.sum(jax.lax.fori_loop(0, len(x), step, jnp.full(len(x) + 1, 0.5)) ** 2)


def built_of_rows(x):
    step = lambda i, made: made.at[i + 1].set(jnp.sin(made[i]) * 0.9 + x[i])
    return jnp.sum(jax.lax.fori_loop(0, len(x), step, jnp.full((len(x) + 1, x.shape[1]), 0.5)) ** 2)


def network(weights, sequence):
    step = lambda state, now: (jnp.tanh(weights @ state + now), None)
    return jnp.sum(jax.lax.scan(step, jnp.zeros(len(weights)), sequence)[0] ** 2)


def lookups(concentrations, sections, energies, grid, below, nuclides, at, material):
    """Materials with fewer nuclides have concentrations of 0."""
    cell = jnp.searchsorted(grid, at, side="right") - 1
    nuclide = nuclides[material]
    low = below[cell[:, None], nuclide]
    start, end = energies[nuclide, low], energies[nuclide, low + 1]
    t = ((at[:, None] - start) / (end - start))[..., None]
    a, b = sections[nuclide, low], sections[nuclide, low + 1]
    return jnp.sum(concentrations[material][..., None] * (a + t * (b - a)) * jnp.arange(1.0, 6.0))


def resonances(concentrations, poles, radii, momentum, nuclides, at, material):
    nuclide, root = nuclides[material][..., None], jnp.sqrt(at)[:, None, None]
    pole = (jnp.minimum((at * 250).astype(int), 249) * 4)[:, None, None] + jnp.arange(4)
    each, l = poles[nuclide, pole], momentum[nuclide, pole]
    psi = -1j / (each[..., 0] - root) / root**2
    p = radii[nuclide, l] * root
    above = jnp.where(l == 1, p, jnp.where(l == 2, 3 * p, p * (15 - p * p)))
    under = jnp.where(l == 1, 1, jnp.where(l == 2, 3 - p * p, 15 - 6 * p * p))
    shift = 2 * jnp.where(l == 0, p, p - jnp.arctan(above / under))
    total = jnp.sum((each[..., 1] * psi * (jnp.cos(shift) - 1j * jnp.sin(shift))).real, 2)
    absorption, fission = (jnp.sum((each[..., k] * psi).real, 2) for k in (2, 3))
    return jnp.sum(concentrations[material] * (total + 2 * absorption + 3 * fission + 4 * (total - absorption)))


RIGHT, UP = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def flow(start, relaxation):
    def step(f, _):
        f = jnp.stack([jnp.roll(f[k], (UP[k], RIGHT[k]), (0, 1)) for k in range(9)])
        density = jnp.sum(f, 0)
        u, v = jnp.tensordot(RIGHT, f, 1) / density, jnp.tensordot(UP, f, 1) / density
        along = 3 * (RIGHT[:, None, None] * u + UP[:, None, None] * v)
        equilibrium = WEIGHTS[:, None, None] * density * (1 + along + 0.5 * along**2 - 1.5 * (u * u + v * v))
        return f + relaxation * (equilibrium - f), None

    return jnp.sum(jax.lax.scan(step, start, None, length=50)[0] ** 2)


def materials(count, low):
    """Concentrations, nuclides, energies and materials."""
    random, sizes = np.random.default_rng(3), np.array([34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9])
    there = np.arange(34) < sizes[:, None]
    return (jnp.array(random.random((12, 34)) * there), jnp.array(random.integers(0, 68, (12, 34))),
            jnp.array(random.uniform(low, 1, count)), jnp.array(random.integers(0, 12, count)))


def physics():
    concentrations, nuclides, at, material = materials(100000, 0)
    energies = np.sort(np.random.default_rng(1).random((68, 1000)))
    energies[:, 0], energies[:, -1] = 0, 1
    grid = np.sort(energies.flatten())
    below = np.stack([np.minimum(np.searchsorted(each, grid, side="right") - 1, 998) for each in energies], 1)
    yield ("cross sections, tables", lookups, with_gradients(lookups, 0, 1),
           (concentrations, numbers(68, 1000, 5, seed=2), jnp.array(energies), jnp.array(grid), jnp.array(below), nuclides, at,
            material))
    concentrations, nuclides, at, material = materials(20000, 0.1)
    poles = numbers(68, 1000, 4, low=0.1, seed=1) + 1j * numbers(68, 1000, 4, low=0.1, seed=2)
    momentum = jnp.array(np.random.default_rng(5).integers(0, 4, (68, 1000)))
    yield ("cross sections, poles", resonances, with_gradients(resonances, 0, 1, 2),
           (concentrations, poles, numbers(68, 4, low=0.1, seed=4), momentum, nuclides, at, material))
    start = jnp.array(WEIGHTS[:, None, None]) * numbers(9, 256, 256, low=0.9, high=1.1)
    yield "lattice Boltzmann, 50 steps", flow, with_gradients(flow, 0, 1), (start, 0.6)


def programs():
    n, single = 1 << 20, np.float32
    x, y = (numbers(n, low=-2, high=2, type=single, seed=k) for k in range(2))
    near_one = numbers(n, low=0.999, high=1.001, type=single)
    yield "lse f32 2^20", log_sum_exp, with_gradients(log_sum_exp, 0), (x,)
    yield "sum exp(sin x * y) f32 2^20", chain, with_gradients(chain, 0, 1), (x, y)
    market = (numbers(n, low=5, high=30), numbers(n, low=1, high=100, seed=1), numbers(n, low=0.25, high=10, seed=2), 0.02, 0.3)
    yield "greeks f64 2^20", calls, with_gradients(calls, 0, 1, 2, 3, 4), market
    yield "product f32 2^20", jnp.prod, with_gradients(jnp.prod, 0), (near_one,)
    products = lambda a: jnp.sum(jnp.cumprod(a))
    yield "sum cumprod f32 2^20", products, with_gradients(products, 0), (near_one,)
    yield ("linear recurrence f32 2^20", recurrence, with_gradients(recurrence, 0, 1),
           (numbers(n, low=0.5, type=single, seed=6), y))
    for name, f in ("exp(sin x * y)", lambda a, b: jnp.exp(jnp.sin(a) * b)), ("polynomial", polynomial), ("stencil", stencil):
        yield f"jvp {name} f32 2^20", lambda a, b, da, db, f=f: f(a, b), in_direction(f), (x, y, y, x)
    places = jnp.array(np.arange(n, dtype=np.uint64) * 2654435761 % 1000).astype(np.int32)
    yield "gather f32 2^20 from 1000", gathered, with_gradients(gathered, 0), (numbers(1000, low=-1, type=single), places)
    for d, k, points in (10, 25, 10000), (32, 50, 1000), (64, 25, 1000):
        shapes = (k,), (k, d), (k, d), (k, d * (d - 1) // 2)
        model = [numbers(*shape, low=-1, seed=s) for s, shape in enumerate(shapes)]
        yield (f"gmm d{d} k{k} n{points}", mixture, with_gradients(mixture, 0, 1, 2, 3),
               (*model, numbers(points, d, low=-2, high=2, seed=4)))
    clusters = numbers(32, 16), numbers(100000, 16, seed=1)
    yield "kmeans n100000 d16 k32", kmeans, with_gradients(kmeans, 0), clusters
    yield "kmeans with the Hessian", kmeans, newton_step, clusters
    for layers, length in (2, 1024), (4, 4096):
        yield (f"lstm l{layers} c{length}", lstm, with_gradients(lstm, 0, 1),
               (numbers(2 * layers, 56, low=-1), numbers(3, 14, low=-1, seed=1), numbers(2 * layers, 14, low=-1, seed=2),
                numbers(length, 14, seed=3)))
    scene = numbers(31843, 15, low=0.1), numbers(31843, 2, low=-1, seed=1)
    yield "ba 31843", jax.vmap(reprojection_error), jax.vmap(jax.jacrev(reprojection_error)), scene
    yield "heat 100000, 1000 steps", heat, with_gradients(heat, 0), (numbers(100000),)
    yield "heat 100000, 1000 steps", heat, with_gradients(heat_in_segments, 0), (numbers(100000),)
    yield ("option pricing 100000 x 15", option, with_gradients(option, 0, 1, 2),
           (1.0, 0.05, 0.2, numbers(100000, 15)))
    points = numbers(1000000, low=-0.3, high=0.2) + 1j * numbers(1000000, low=-0.3, high=0.2, seed=1)
    yield "orbits 10^6, 200 steps", orbits, with_gradients(orbits, 0), (points,)
    for count in 1000, 10000, 100000, 1000000:
        yield f"built by {count} updates", built, with_gradients(built, 0), (numbers(count, low=-1),)
    yield "built by 4000 rows of 100", built_of_rows, with_gradients(built_of_rows, 0), (numbers(4000, 100, low=-1),)
    yield ("network of 512, 100 steps", network, with_gradients(network, 0, 1),
           (numbers(512, 512, low=-0.05, high=0.05), numbers(100, 512, low=-1, seed=1)))
    yield from physics()
