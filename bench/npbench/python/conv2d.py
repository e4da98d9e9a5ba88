# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layer of convolutions with a bias: images of several channels, a square of weights for each pair of channels."""
import numpy as np
from libraries import lax, prange


def with_numpy(x, weights, bias):
    window = weights.shape[0]
    h, w = x.shape[1] - window + 1, x.shape[2] - window + 1
    out = bias
    for p in range(window):
        for q in range(window):
            out = out + x[:, p:p + h, q:q + w] @ weights[p, q]
    return out


def with_jax(x, weights, bias):
    return lax.conv_general_dilated(x, weights, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias


def pixel(x, weights, to, i, j):
    for p in range(weights.shape[0]):
        for q in range(weights.shape[1]):
            for c in range(weights.shape[2]):
                factor = x[i + p, j + q, c]
                for o in range(weights.shape[3]):
                    to[o] += factor * weights[p, q, c, o]


# pythran export loops(float32[:,:,:,:], float32[:,:,:,:], float32[])
def loops(x, weights, bias):
    window, channels = weights.shape[0], weights.shape[3]
    h, w = x.shape[1] - window + 1, x.shape[2] - window + 1
    out = np.empty((x.shape[0], h, w, channels), np.float32)
    # omp parallel for
    for r in prange(x.shape[0] * h):
        for j in range(w):
            out[r // h, r % h, j] = bias
            pixel(x[r // h], weights, out[r // h, r % h, j], r % h, j)
    return out
