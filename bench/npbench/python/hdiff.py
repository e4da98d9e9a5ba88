# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Horizontal diffusion of a weather model: the Laplacian, limited fluxes of it, their divergence."""
import numpy as np
from libraries import jnp, prange


def formulas(xp, in_field, coeff):
    f = in_field
    lap = 4 * f[1:-1, 1:-1] - (f[2:, 1:-1] + f[:-2, 1:-1] + f[1:-1, 2:] + f[1:-1, :-2])
    flx = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flx = xp.where(flx * (f[2:-1, 2:-2] - f[1:-2, 2:-2]) > 0, 0, flx)
    fly = lap[1:-1, 1:] - lap[1:-1, :-1]
    fly = xp.where(fly * (f[2:-2, 2:-1] - f[2:-2, 1:-2]) > 0, 0, fly)
    return f[2:-2, 2:-2] - coeff * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1])


def with_numpy(in_field, coeff):
    return formulas(np, in_field, coeff)


def with_jax(in_field, coeff):
    return formulas(jnp, in_field, coeff)


def laplacian(f, i, j, k):
    return 4 * f[i, j, k] - (f[i + 1, j, k] + f[i - 1, j, k] + f[i, j + 1, k] + f[i, j - 1, k])


def limited(difference, slope):
    return 0.0 if difference * slope > 0 else difference


def row(f, coeff, out, i0, j0):
    i, j = i0 + 2, j0 + 2
    for k in range(out.shape[2]):
        x, lap = f[i, j, k], laplacian(f, i, j, k)
        ahead = limited(laplacian(f, i + 1, j, k) - lap, f[i + 1, j, k] - x)
        behind = limited(lap - laplacian(f, i - 1, j, k), x - f[i - 1, j, k])
        right = limited(laplacian(f, i, j + 1, k) - lap, f[i, j + 1, k] - x)
        left = limited(lap - laplacian(f, i, j - 1, k), x - f[i, j - 1, k])
        out[i0, j0, k] = x - coeff[i0, j0, k] * (ahead - behind + right - left)


# pythran export loops(float64[:,:,:], float64[:,:,:])
def loops(in_field, coeff):
    out = np.empty(coeff.shape)
    # omp parallel for
    for i in prange(coeff.shape[0]):
        for j in range(coeff.shape[1]):
            row(in_field, coeff, out, i, j)
    return out
