# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vertical advection of a weather model: a tridiagonal system in each column."""
import numpy as np
from libraries import jnp, lax, prange


def eliminate(below, above, u, u_below, u_above, rest, c, d):
    """c and d of a level, from those of the level before."""
    divided = 1 / (0.15 - below - above - c * below)
    rest = rest - below * (u_below - u) - above * (u_above - u)
    return above * divided, (rest - d * below) * divided


def with_numpy(utens_stage, u_stage, wcon, u_pos, utens):
    u, levels = u_stage, u_stage.shape[2]
    w = 0.125 * (wcon[1:] + wcon[:-1])
    rest = 0.15 * u_pos + utens + utens_stage
    c, d, out = np.empty_like(u), np.empty_like(u), np.empty_like(u)
    last_c = last_d = x = np.zeros(u.shape[:2])
    for k in range(levels):
        down, up = max(k - 1, 0), min(k + 1, levels - 1)
        below = -w[:, :, k] if k > 0 else 0.0
        above = w[:, :, up] if k < levels - 1 else np.zeros_like(x)
        last_c, last_d = eliminate(below, above, u[:, :, k], u[:, :, down], u[:, :, up], rest[:, :, k], last_c, last_d)
        c[:, :, k], d[:, :, k] = last_c, last_d
    for k in range(levels - 1, -1, -1):
        x = d[:, :, k] - c[:, :, k] * x
        out[:, :, k] = 0.15 * (x - u_pos[:, :, k])
    return out


def with_jax(utens_stage, u_stage, wcon, u_pos, utens):
    def planes(a):
        return jnp.moveaxis(a, 2, 0)

    u, w = planes(u_stage), planes(0.125 * (wcon[1:] + wcon[:-1]))
    zero = jnp.zeros_like(u[:1])
    below, above = jnp.concatenate([zero, -w[1:]]), jnp.concatenate([w[1:], zero])
    u_below, u_above = jnp.concatenate([u[:1], u[:-1]]), jnp.concatenate([u[1:], u[-1:]])
    rest = planes(0.15 * u_pos + utens + utens_stage)

    def down(state, level):
        state = eliminate(*level, *state)
        return state, state

    def up(x, level):
        c, d, pos = level
        x = d - c * x
        return x, 0.15 * (x - pos)

    _, (c, d) = lax.scan(down, (zero[0], zero[0]), (below, above, u, u_below, u_above, rest))
    _, out = lax.scan(up, zero[0], (c, d, planes(u_pos)), reverse=True)
    return jnp.moveaxis(out, 0, 2)


def column(stage, u, w0, w1, pos, tens, c, d, out):
    levels = u.size
    last_c, last_d, x = 0.0, 0.0, 0.0
    for k in range(levels):
        down, up = max(k - 1, 0), min(k + 1, levels - 1)
        below = -0.125 * (w1[k] + w0[k]) if k > 0 else 0.0
        above = 0.125 * (w1[up] + w0[up]) if k < levels - 1 else 0.0
        rest = 0.15 * pos[k] + tens[k] + stage[k]
        last_c, last_d = eliminate(below, above, u[k], u[down], u[up], rest, last_c, last_d)
        c[k], d[k] = last_c, last_d
    for q in range(levels):
        k = levels - 1 - q
        x = d[k] - c[k] * x
        out[k] = 0.15 * (x - pos[k])


def plane(stage, u, w0, w1, pos, tens, out):
    c, d = np.empty(u.shape[1]), np.empty(u.shape[1])
    for j in range(u.shape[0]):
        column(stage[j], u[j], w0[j], w1[j], pos[j], tens[j], c, d, out[j])


# pythran export loops(float64[:,:,:], float64[:,:,:], float64[:,:,:], float64[:,:,:], float64[:,:,:])
def loops(utens_stage, u_stage, wcon, u_pos, utens):
    out = np.empty(u_stage.shape)
    # omp parallel for
    for i in prange(u_stage.shape[0]):
        plane(utens_stage[i], u_stage[i], wcon[i], wcon[i + 1], u_pos[i], utens[i], out[i])
    return out
