# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times as sinter_bench takes them (measure.cpp): after a pause and a warm-up, of a batch of some milliseconds."""
import time

PAUSE, BATCH = 0.02, 3e-3


def sample(call):
    """Seconds per call."""
    time.sleep(PAUSE)
    start, batch = time.perf_counter(), 0
    while time.perf_counter() - start < BATCH:
        call()
        batch += 1
    start = time.perf_counter()
    for _ in range(batch):
        call()
    return (time.perf_counter() - start) / batch
