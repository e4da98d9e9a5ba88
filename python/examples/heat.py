# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heat in a plate: a loop of stencils in C++ (heat.cpp), compiled with Sinter, beside the same in NumPy."""
import pathlib
import time

import numpy as np
import sinter

plate = sinter.compile(pathlib.Path(__file__).with_name("heat.cpp"))


def heat(t, rate, steps):
    t, change = t.copy(), np.zeros(())
    for _ in range(steps):
        change = np.float32(rate) * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - np.float32(4) * t[1:-1, 1:-1])
        t[1:-1, 1:-1] += change
    return t, np.abs(change).max()


def main(size=300, steps=200):
    start = np.zeros((size, size), np.float32)
    start[0] = 100
    plate.heat(start, 0.2, 1)  # compiles
    began = time.perf_counter()
    result, change = plate.heat(start, 0.2, steps)
    sinter_time = time.perf_counter() - began
    expected, expected_change = heat(start, 0.2, steps)
    numpy_time = time.perf_counter() - began - sinter_time
    difference = np.abs(np.asarray(result) - expected).max()
    print(f"{size} x {size}, {steps} steps: Sinter {1e3 * sinter_time:.1f} ms, NumPy {1e3 * numpy_time:.1f} ms")
    print(f"largest difference {difference:.1e}, last change {change:.2e} and {expected_change:.2e}")
    return difference < 1e-3 and abs(change - expected_change) < 1e-4


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
