# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of ranks.cpp are given, for those that other libraries run."""
import numpy as np

GRID, MANY, CLUSTERS = 2048, 1 << 22, 8


def points():
    """Around the corners of an octagon, MANY / 4 of them: [MANY / 4, 2]."""
    count = MANY // 4
    random = np.random.default_rng(7)
    angle = 2 * np.pi * random.integers(0, CLUSTERS, count) / CLUSTERS
    places = np.stack([np.cos(angle), np.sin(angle)], 1) + 0.25 * random.uniform(-1, 1, (count, 2))
    return places.astype(np.float32)
