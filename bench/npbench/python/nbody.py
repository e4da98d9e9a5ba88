# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies that attract each other, by leapfrog steps; after each step their kinetic and potential energy."""
import numpy as np
from libraries import jnp, lax, prange


def accelerations(x, y, z, mass, G, softening):
    dx, dy, dz = x - x[:, None], y - y[:, None], z - z[:, None]
    s = G * (dx * dx + dy * dy + dz * dz + softening * softening) ** -1.5
    return (s * dx) @ mass, (s * dy) @ mass, (s * dz) @ mass


def energies(xp, x, y, z, vx, vy, vz, mass, G):
    kinetic = 0.5 * xp.sum(mass * (vx * vx + vy * vy + vz * vz))
    dx, dy, dz = x - x[:, None], y - y[:, None], z - z[:, None]
    distance = xp.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1 / xp.where(distance > 0, distance, 1)
    return kinetic, -G * xp.sum(xp.triu(mass[:, None] * mass * inverse, 1))


def leap(x, y, z, vx, vy, vz, a, mass, dt, G, softening):
    vx, vy, vz = vx + a[0] * (dt / 2), vy + a[1] * (dt / 2), vz + a[2] * (dt / 2)
    x, y, z = x + vx * dt, y + vy * dt, z + vz * dt
    a = accelerations(x, y, z, mass, G, softening)
    return x, y, z, vx + a[0] * (dt / 2), vy + a[1] * (dt / 2), vz + a[2] * (dt / 2), a


def with_numpy(x, y, z, vx, vy, vz, mass, steps, dt, G, softening):
    state = (x, y, z, vx, vy, vz, accelerations(x, y, z, mass, G, softening))
    kinetic, potential = np.empty(steps), np.empty(steps)
    for t in range(steps):
        state = leap(*state, mass, dt, G, softening)
        kinetic[t], potential[t] = energies(np, *state[:6], mass, G)
    return *state[:3], kinetic, potential


def with_jax(x, y, z, vx, vy, vz, mass, steps, dt, G, softening):
    def step(state, _):
        state = leap(*state, mass, dt, G, softening)
        return state, energies(jnp, *state[:6], mass, G)

    start = (x, y, z, vx, vy, vz, accelerations(x, y, z, mass, G, softening))
    state, (kinetic, potential) = lax.scan(step, start, None, length=steps)
    return *state[:3], kinetic, potential


def pull(x, y, z, mass, i, G, softening, a):
    ax, ay, az = 0.0, 0.0, 0.0
    for j in range(x.size):
        dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
        square = dx * dx + dy * dy + dz * dz + softening * softening
        s = G * mass[j] / (square * np.sqrt(square))
        ax += s * dx
        ay += s * dy
        az += s * dz
    a[0, i], a[1, i], a[2, i] = ax, ay, az


def accelerate(x, y, z, mass, G, softening, a):
    # omp parallel for
    for i in prange(x.size):
        pull(x, y, z, mass, i, G, softening, a)


def potential_of(x, y, z, mass, i):
    p = 0.0
    for j in range(i + 1, x.size):
        dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
        p += mass[j] / np.sqrt(dx * dx + dy * dy + dz * dz)
    return mass[i] * p


def potentials(x, y, z, mass, each):
    # omp parallel for schedule(dynamic, 16)
    for i in prange(x.size):
        each[i] = potential_of(x, y, z, mass, i)


# pythran export loops(float64[], float64[], float64[], float64[], float64[], float64[], float64[], int, float64, float64, float64)
def loops(x, y, z, vx, vy, vz, mass, steps, dt, G, softening):
    a, each = np.empty((3, x.size)), np.empty(x.size)
    kinetic, potential = np.empty(steps), np.empty(steps)
    accelerate(x, y, z, mass, G, softening, a)
    for t in range(steps):
        vx, vy, vz = vx + a[0] * (dt / 2), vy + a[1] * (dt / 2), vz + a[2] * (dt / 2)
        x, y, z = x + vx * dt, y + vy * dt, z + vz * dt
        accelerate(x, y, z, mass, G, softening, a)
        vx, vy, vz = vx + a[0] * (dt / 2), vy + a[1] * (dt / 2), vz + a[2] * (dt / 2)
        kinetic[t] = 0.5 * np.sum(mass * (vx * vx + vy * vy + vz * vz))
        potentials(x, y, z, mass, each)
        potential[t] = -G * np.sum(each)
    return x, y, z, kinetic, potential
