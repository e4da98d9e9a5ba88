# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of sinter_bench in Dr.Jit, on its LLVM back end. A call traces, finds the kernel in Dr.Jit's cache, and waits for
the result, as a program does that uses it."""
import drjit as dr
from drjit.llvm import Float, Float64

RATE, VOL = 0.02, 0.3


def phi(v):
    k = 1 / (1 + 0.2316419 * dr.abs(v))
    p = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * dr.exp(-v * v / 2) * p
    return dr.select(v > 0, 1 - tail, tail)


def options(x, y, z):
    spread = VOL * dr.sqrt(z)
    d1 = (dr.log(x / y) + (RATE + VOL * VOL / 2) * z) / spread
    disc = y * dr.exp(-RATE * z)
    up1, up2 = phi(d1), phi(d1 - spread)
    return x * up1 - disc * up2, disc * (1 - up2) - x * (1 - up1)


def calls(kind, x, y, z):
    t = Float if kind == "f32" else Float64
    x, y, z = t(x), t(y), t(z)

    def of(f):
        def call():
            dr.eval(f())
            dr.sync_thread()
        return call

    return {
        "saxpy": of(lambda: 2 * x + y),
        "chain of 8 maps": of(lambda: dr.maximum(dr.sqrt(dr.abs((x + 1) * 1.1 - 0.3)) * 0.7 + 0.25, 0.5)),
        "dot": of(lambda: dr.sum(x * y)),
        "norm": of(lambda: dr.sum(dr.sqrt(x * x + y * y))),
        "black-scholes": of(lambda: options(x, y, z)),
    }
