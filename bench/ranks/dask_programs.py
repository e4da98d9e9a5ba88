#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs heat, kmeans and option of ranks.cpp with Dask's arrays on two threads: the median of calls in seconds, as that
prints them."""
import statistics
import sys
import time

import dask
import dask.array as da
import numpy as np

from problems import CLUSTERS, GRID, MANY, points


def heat():
    u = da.where(da.arange(GRID, chunks=GRID // 2)[:, None] < 8, np.float32(100), np.float32(20))
    u = (u + da.zeros((GRID, GRID), dtype=np.float32, chunks=(GRID // 2, GRID))).astype(np.float32).persist()

    def step(block):
        inner = block[1:-1]
        left = np.concatenate([inner[:, :1], inner[:, :-1]], axis=1)
        right = np.concatenate([inner[:, 1:], inner[:, -1:]], axis=1)
        return inner + np.float32(0.2) * (block[:-2] + block[2:] + left + right - np.float32(4) * inner)

    def call():
        v = u
        for _ in range(10):
            v = da.map_overlap(step, v, depth={0: 1, 1: 0}, boundary={0: "nearest", 1: "none"}, trim=False, dtype=np.float32)
        return float((v * v).sum().compute())

    return call


def kmeans():
    places, count, clusters = points(), MANY // 4, CLUSTERS
    blocks = da.from_array(places, chunks=(count // 2, 2)).persist()

    def totals(block, centres):
        distance = ((block[:, None, :] - centres[None]) ** 2).sum(2)
        nearest = distance.argmin(1)
        sums = [np.bincount(nearest, weights=w, minlength=clusters) for w in (None, block[:, 0], block[:, 1])]
        return np.stack(sums)[None]

    def call():
        centres = places[:clusters]
        for _ in range(5):
            parts = [dask.delayed(totals)(b, centres) for b in blocks.to_delayed().ravel()]
            n, x, y = sum(part[0] for part in dask.compute(*parts))
            centres = np.stack([x / n, y / n], 1).astype(np.float32)
        return float(centres.sum())

    return call


def option():
    def payoff(i):
        bits = ((i * 2654435761 + 7) % 16777213).astype(np.float32) / np.float32(16777213) + np.float32(1e-7)
        turn = ((i * 40503 + 7) % 65521).astype(np.float32) * np.float32(6.2831853 / 65521)
        end = np.float32(100) * np.exp(np.float32(-0.02) + np.float32(0.2) * np.sqrt(-2 * np.log(bits)) * np.cos(turn))
        return np.where(end > 105, end - np.float32(105), np.float32(0))

    return lambda: float(da.arange(MANY, chunks=MANY // 2).map_blocks(payoff, dtype=np.float32).mean().compute())


calls = int(sys.argv[1]) if len(sys.argv) > 1 else 9
with dask.config.set(scheduler="threads", num_workers=2):
    for name, make in (("heat", heat), ("kmeans", kmeans), ("option", option)):
        call, seconds = make(), []
        result = call()
        for _ in range(calls):
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
        print(f"{name}\t{statistics.median(seconds):.6g}\t0\t{result!r}", flush=True)
