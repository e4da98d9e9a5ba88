# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three layers of a network: products with weights, a bias, max(x, 0); softmax at the end."""
import numpy as np
from libraries import jnp, prange


def network(xp, x, w1, b1, w2, b2, w3, b3):
    x = xp.maximum(x @ w1 + b1, 0)
    x = xp.maximum(x @ w2 + b2, 0)
    x = x @ w3 + b3
    e = xp.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def with_numpy(x, w1, b1, w2, b2, w3, b3):
    return network(np, x, w1, b1, w2, b2, w3, b3)


def with_jax(x, w1, b1, w2, b2, w3, b3):
    return network(jnp, x, w1, b1, w2, b2, w3, b3)


def block_of_columns(x, w, b, out, first, last, least):
    for i in range(x.shape[0]):
        for j in range(first, last):
            out[i, j] = b[j]
    for p in range(x.shape[1]):
        for i in range(x.shape[0]):
            factor = x[i, p]
            for j in range(first, last):
                out[i, j] += factor * w[p, j]
    for i in range(x.shape[0]):
        for j in range(first, last):
            out[i, j] = max(out[i, j], least)


def layer(x, w, b, least):
    n, block = w.shape[1], 256
    out = np.empty((x.shape[0], n), np.float32)
    # omp parallel for
    for p in prange((n + block - 1) // block):
        block_of_columns(x, w, b, out, p * block, min((p + 1) * block, n), least)
    return out


# pythran export loops(float32[:,:], float32[:,:], float32[], float32[:,:], float32[], float32[:,:], float32[])
def loops(x, w1, b1, w2, b2, w3, b3):
    none = np.float32(-3e38)
    x = layer(layer(layer(x, w1, b1, np.float32(0)), w2, b2, np.float32(0)), w3, b3, none)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - np.max(x[i]))
        x[i] = e / np.sum(e)
    return x
