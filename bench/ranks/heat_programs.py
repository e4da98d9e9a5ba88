#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs heat, kmeans and option of ranks.cpp with HeAT's arrays, which are cut along axis 0: the median of calls in
seconds, as that prints them. Started by mpirun with one thread on each rank."""
import statistics
import sys
import time

import heat as ht
import torch

from problems import CLUSTERS, GRID, MANY, points

torch.set_num_threads(1)


def heat():
    hot = (ht.arange(GRID, split=0) < 8).reshape((GRID, 1))
    start = ht.where(hot, 100.0, 20.0).astype(ht.float32) + ht.zeros((GRID, GRID), dtype=ht.float32, split=0)

    def call():
        u = start
        for _ in range(10):
            u.get_halo(1)
            v = u.array_with_halos
            first, last = u.comm.rank == 0, u.comm.rank == u.comm.size - 1
            v = torch.cat(([v[:1]] if first else []) + [v] + ([v[-1:]] if last else []))
            inner = v[1:-1]
            left, right = torch.cat((inner[:, :1], inner[:, :-1]), 1), torch.cat((inner[:, 1:], inner[:, -1:]), 1)
            u = ht.array(inner + 0.2 * (v[:-2] + v[2:] + left + right - 4 * inner), is_split=0)
        return float(ht.sum(u * u))

    return call


def kmeans():
    places, count, clusters = points(), MANY // 4, CLUSTERS
    blocks, start = ht.array(places, split=0), ht.array(places[:clusters])

    def call():
        centres = start
        for _ in range(5):
            nearest = ht.argmin(ht.spatial.cdist(blocks, centres, quadratic_expansion=True), axis=1)
            near = (nearest.reshape((count, 1)) == ht.arange(clusters)).astype(ht.float32)
            centres = ht.matmul(ht.transpose(near), blocks).resplit(None) / ht.sum(near, axis=0).reshape((clusters, 1))
        return float(ht.sum(centres))

    return call


def option():
    def call():
        i = ht.arange(MANY, dtype=ht.int64, split=0)
        bits = ((i * 2654435761 + 7) % 16777213).astype(ht.float32) * (1 / 16777213) + 1e-7
        bits = ht.minimum(bits, ht.ones(1, dtype=ht.float32))  # of floats the last is above 1
        turn = ((i * 40503 + 7) % 65521).astype(ht.float32) * (6.2831853 / 65521)
        end = 100 * ht.exp(-0.02 + 0.2 * ht.sqrt(-2 * ht.log(bits)) * ht.cos(turn))
        return float(ht.sum(ht.where(end > 105, end - 105, 0.0))) / MANY

    return call


if __name__ == "__main__":
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    for name, make in (("heat", heat), ("kmeans", kmeans), ("option", option)):
        call, times, spent = make(), [], []
        result = call()
        for _ in range(calls):
            begin, before = time.perf_counter(), time.process_time()
            result = call()
            times.append(time.perf_counter() - begin)
            spent.append(time.process_time() - before)
        if ht.MPI_WORLD.rank == 0:
            print(f"{name}\t{statistics.median(times):.6g}\t{statistics.median(spent):.6g}\t{result:.17g}\t0", flush=True)
