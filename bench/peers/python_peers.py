# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of sinter_bench in NumPy, numexpr, Numba and Dr.Jit, as far as they are installed. Timed as sinter_bench times: after a
pause and a warm-up, batches of some milliseconds, the median of the rounds."""
import statistics

import numpy as np
from sampling import sample

try:
    import numexpr
except ImportError:
    numexpr = None
try:
    import numba
except ImportError:
    numba = None
try:
    import drjit_peer
except ImportError:
    drjit_peer = None

RATE, VOL = 0.02, 0.3


def numpy_calls(t, x, y, z, m):
    """Calls by case, written with out= and in-place operations where that is what a user in a hurry for speed would do."""
    a, b = np.empty_like(x), np.empty_like(x)

    def chain():
        np.add(x, t(1), out=a)
        np.multiply(a, t(1.1), out=a)
        np.subtract(a, t(0.3), out=a)
        np.sqrt(np.abs(a, out=a), out=a)
        np.add(np.multiply(a, t(0.7), out=a), t(0.25), out=a)
        return np.maximum(a, t(0.5), out=a)

    def phi(v):
        k = t(1) / (t(1) + t(0.2316419) * np.abs(v))
        p = k * (t(0.31938153) + k * (t(-0.356563782) + k * (t(1.781477937) + k * (t(-1.821255978) + k * t(1.330274429)))))
        tail = t(0.3989422804014327) * np.exp(-v * v / t(2)) * p
        return np.where(v > 0, t(1) - tail, tail)

    def options():
        spread = t(VOL) * np.sqrt(z)
        d1 = (np.log(x / y) + t(RATE + VOL * VOL / 2) * z) / spread
        disc = y * np.exp(t(-RATE) * z)
        up1, up2 = phi(d1), phi(d1 - spread)
        return x * up1 - disc * up2, disc * (t(1) - up2) - x * (t(1) - up1)

    return {
        "saxpy": lambda: np.add(np.multiply(x, t(2), out=a), y, out=a),
        "chain of 8 maps": chain,
        "dot": lambda: np.dot(x, y),
        "norm": lambda: np.sqrt(np.add(np.multiply(x, x, out=a), np.multiply(y, y, out=b), out=a), out=a).sum(),
        "row sums": lambda: m.sum(axis=1),
        "column sums": lambda: m.sum(axis=0),
        "black-scholes": options,
    }


def numexpr_calls(t, x, y, z):
    out = np.empty_like(x)
    two, s, o, c = t(2), t(1.1), t(0.3), t(0.7)
    q, h, one = t(0.25), t(0.5), t(1)
    values = dict(x=x, y=y, two=two, s=s, o=o, c=c, q=q, h=h, one=one)

    def of(text, **keywords):
        return lambda: numexpr.evaluate(text, local_dict=values, **keywords)

    root = "sqrt(abs((x + one) * s - o)) * c + q"
    return {
        "saxpy": of("two * x + y", out=out),
        "chain of 8 maps": of(f"where({root} > h, {root}, h)", out=out),
        "dot": of("sum(x * y)"),
        "norm": of("sum(sqrt(x * x + y * y))"),
    }


def numba_calls(t, x, y, z, m):
    out, put = np.empty_like(x), np.empty_like(x)
    rows = np.empty(m.shape[0], x.dtype)
    jit = numba.njit(parallel=True, fastmath=False)
    one, two, s, o, c, q, h = (t(v) for v in (1, 2, 1.1, 0.3, 0.7, 0.25, 0.5))
    rate, vol, zero = t(RATE), t(VOL), t(0)
    k0, k1, k2, k3, k4, k5, k6 = (t(v) for v in (0.2316419, 0.31938153, -0.356563782, 1.781477937, -1.821255978,
                                                  1.330274429, 0.3989422804014327))

    @jit
    def saxpy(x, y, out):
        for i in numba.prange(x.size):
            out[i] = two * x[i] + y[i]

    @jit
    def chain(x, out):
        for i in numba.prange(x.size):
            out[i] = max(np.sqrt(abs((x[i] + one) * s - o)) * c + q, h)

    @jit
    def dot(x, y):
        total = zero
        for i in numba.prange(x.size):
            total += x[i] * y[i]
        return total

    @jit
    def norm(x, y):
        total = zero
        for i in numba.prange(x.size):
            total += np.sqrt(x[i] * x[i] + y[i] * y[i])
        return total

    @jit
    def row_sums(m, rows):
        for i in numba.prange(m.shape[0]):
            total = zero
            for j in range(m.shape[1]):
                total += m[i, j]
            rows[i] = total

    @numba.njit
    def phi(v):
        k = one / (one + k0 * abs(v))
        tail = k6 * np.exp(-v * v / two) * (k * (k1 + k * (k2 + k * (k3 + k * (k4 + k * k5)))))
        return one - tail if v > zero else tail

    @jit
    def options(x, y, z, call, put):
        for i in numba.prange(x.size):
            spread = vol * np.sqrt(z[i])
            d1 = (np.log(x[i] / y[i]) + (rate + vol * vol / two) * z[i]) / spread
            disc = y[i] * np.exp(-rate * z[i])
            up1, up2 = phi(d1), phi(d1 - spread)
            call[i] = x[i] * up1 - disc * up2
            put[i] = disc * (one - up2) - x[i] * (one - up1)

    return {
        "saxpy": lambda: saxpy(x, y, out),
        "chain of 8 maps": lambda: chain(x, out),
        "dot": lambda: dot(x, y),
        "norm": lambda: norm(x, y),
        "row sums": lambda: row_sums(m, rows),
        "black-scholes": lambda: options(x, y, z, out, put),
    }


def seconds(call, rounds):
    call()
    samples = [sample(call) for _ in range(rounds)]
    return {"median": statistics.median(samples), "fastest": min(samples)}


def measure(case, kind, n, rounds):
    """Results like those of sinter_bench's JSON for one row; none where no library has the case."""
    t = np.float32 if kind == "f32" else np.float64
    draw = np.random.default_rng(1)
    x, y, z = (low + width * draw.random(n, dtype=t) for low, width in ((t(5), t(25)), (t(1), t(99)), (t(0.25), t(9.75))))
    rows = 1
    while 4 * rows * rows <= n:
        rows *= 2
    m = x.reshape(rows, n // rows)
    libraries = {"numpy": numpy_calls(t, x, y, z, m)}
    if numexpr:
        libraries["numexpr"] = numexpr_calls(t, x, y, z)
    if numba:
        libraries["numba"] = numba_calls(t, x, y, z, m)
    if drjit_peer:
        libraries["drjit"] = drjit_peer.calls(kind, x, y, z)
    return [{"name": name, **seconds(calls[case], rounds)} for name, calls in libraries.items() if case in calls]
