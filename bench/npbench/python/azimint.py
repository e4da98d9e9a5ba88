# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of the data in rings of equal width about a centre."""
import numpy as np
from libraries import jnp, prange


def with_numpy(data, radius, npt):
    ring = (radius * (npt / radius.max())).astype(np.int64)
    total, count = np.bincount(ring, data, npt), np.bincount(ring, None, npt)
    return total[:npt] / count[:npt]  # the farthest point lies on the last edge, and in no ring


def with_jax(data, radius, npt):
    ring = (radius * (npt / radius.max())).astype(jnp.int32)
    return jnp.bincount(ring, data, length=npt + 1)[:npt] / jnp.bincount(ring, length=npt + 1)[:npt]


def rings(data, radius, scale, total, count, first, last):
    for i in range(first, last):
        ring = int(radius[i] * scale)
        if ring < total.size:
            total[ring] += data[i]
            count[ring] += 1


# pythran export loops(float64[], float64[], int)
def loops(data, radius, npt):
    n, parts, scale = data.size, 8, npt / np.max(radius)
    total, count = np.zeros((parts, npt)), np.zeros((parts, npt))
    # omp parallel for
    for p in prange(parts):
        rings(data, radius, scale, total[p], count[p], p * n // parts, (p + 1) * n // parts)
    return total.sum(axis=0) / count.sum(axis=0)
