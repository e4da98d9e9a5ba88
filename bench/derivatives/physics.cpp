// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physics: cross sections of materials for neutrons, looked up in tables (as XSBench does) or computed from poles in windows
// of energies (as RSBench does), and a flow by the lattice Boltzmann method.
#include "table.hpp"

#include <sinter/numeric.hpp>

#include <algorithm>
#include <array>
#include <complex>

namespace derivatives {

namespace {

using Real = Exp<double>;
using Index = Exp<Long>;
using Integers = Delayed<Long>;
using Matrix = Delayed<double, 2>;

constexpr Long nuclides_of_material[] = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
constexpr Long materials = std::size(nuclides_of_material), most_nuclides = 34, all_nuclides = 68;

/// Integers below `end`, without an order.
template <int Rank>
Array<Long, Rank> integers(const Shape<Rank>& extents, Long count, Long end, unsigned seed) {
    std::vector<Long> made;
    for (double x : numbers(count, 0, 1, seed)) made.push_back(static_cast<Long>(x * static_cast<double>(end)));
    return from(made, extents);
}

Array<Long> sizes_of_materials() { return from(std::vector<Long>(nuclides_of_material, nuclides_of_material + materials)); }

// Tables of cross sections.

constexpr std::size_t reactions = 5;
using Reactions = std::array<double, reactions>;

/// The cross sections of each nuclide at its own energies, and all energies in one grid, with the place below in each table.
struct Tables {
    Delayed<Reactions, 2> sections;
    Matrix energies;
    Delayed<double> grid;
    Delayed<Long, 2> below;
};

/// a + factor * (b + t * (c - b)), of each reaction.
Exp<Reactions> plus_interpolated(Exp<Reactions> a, Real factor, Exp<Reactions> b, Exp<Reactions> c, Real t) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto one = [&](Real x, Real low, Real high) { return x + factor * (low + t * (high - low)); };
        return record<Reactions>(one(a.get<K>(), b.get<K>(), c.get<K>())...);
    }(std::make_index_sequence<reactions>());
}

/// The sum over the reactions that a neutron of this energy may have with a material.
Real looked_up(const Tables& tables, Matrix concentrations, Delayed<Long, 2> nuclides, Real energy, Index material,
               Index count) {
    const Index cell = searchsorted(tables.grid, energy, Side::right) - 1;
    auto add = [=](Index k, Exp<Reactions> total) {
        const Index nuclide = nuclides(material, k), low = tables.below(cell, nuclide);
        const Real from = tables.energies(nuclide, low), to = tables.energies(nuclide, low + 1);
        const Real t = (energy - from) / (to - from);
        return plus_interpolated(total, concentrations(material, k), tables.sections(nuclide, low),
                                 tables.sections(nuclide, low + 1), t);
    };
    const Exp<Reactions> all = for_loop(count, add, Reactions{});
    return all.get<0>() + 2.0 * all.get<1>() + 3.0 * all.get<2>() + 4.0 * all.get<3>() + 5.0 * all.get<4>();
}

Delayed<double, 0> lookups(Matrix concentrations, Delayed<Reactions, 2> sections, Matrix energies, Delayed<double> grid,
                           Delayed<Long, 2> below, Delayed<Long, 2> nuclides, Integers counts, Delayed<double> at,
                           Integers material) {
    const Tables tables{sections, energies, grid, below};
    auto one = [=](Real energy, Index m) { return looked_up(tables, concentrations, nuclides, energy, m, counts(m)); };
    return sum(map(one, at, material));
}

void rows_of_lookups(const Table& table) {
    const Long points = 1000, count = 100000;
    std::vector<double> energies = numbers(all_nuclides * points, 0, 1, 1);
    const auto row = [&](Long nuclide) { return energies.begin() + nuclide * points; };
    for (Long k = 0; k < all_nuclides; ++k) {
        std::sort(row(k), row(k + 1));
        *row(k) = 0;
        *(row(k + 1) - 1) = 1;
    }
    std::vector<double> grid = energies;
    std::sort(grid.begin(), grid.end());
    std::vector<Long> below;
    for (double energy : grid)
        for (Long k = 0; k < all_nuclides; ++k)
            below.push_back(std::min<Long>(std::upper_bound(row(k), row(k + 1), energy) - row(k) - 1, points - 2));
    std::vector<Reactions> sections(energies.size());
    const std::vector<double> values = numbers(static_cast<Long>(energies.size() * reactions), 0, 1, 2);
    for (std::size_t k = 0; k < values.size(); ++k) sections[k / reactions][k % reactions] = values[k];
    table.compare("cross sections, tables", 2.5, lookups, value_and_gradients<0, 1>(lookups),
                  matrix(materials, most_nuclides, 0, 1, 3), from(sections, shape(all_nuclides, points)),
                  from(energies, shape(all_nuclides, points)), from(grid),
                  from(below, shape(all_nuclides * points, all_nuclides)),
                  integers(shape(materials, most_nuclides), materials * most_nuclides, all_nuclides, 4),
                  sizes_of_materials(), vector(count, 0, 1, 5), integers(shape(count), count, materials, 6));
}

// Poles in windows of energies.

using Number = std::complex<double>;
using Complex = Exp<Number>;
/// The position of a pole, and its residues of all reactions, of absorption and of fission.
using Pole = std::array<Number, 4>;

constexpr Long poles_in_window = 4, windows = 250, momenta = 4;

/// Twice the phase shift of a hard sphere, of a momentum of 0 to 3.
Real phase(Real p, Index momentum) {
    const Real square = p * p;
    const Real above = select(momentum == 1, p, select(momentum == 2, 3.0 * p, p * (15.0 - square)));
    const Real below = select(momentum == 1, 1.0, select(momentum == 2, 3.0 - square, 15.0 - 6.0 * square));
    return 2.0 * select(momentum == 0, p, p - atan(above / below));
}

/// What the poles of a window give: of all reactions, absorption and fission.
std::tuple<Real, Real, Real> of_window(Delayed<Pole, 2> poles, Delayed<Long, 2> momentum, Matrix radii, Real energy,
                                       Index nuclide) {
    const Real root = sqrt(energy);
    const Index first = min(cast<Long>(energy * static_cast<double>(windows)), windows - 1) * poles_in_window;
    auto add = [=](Index k, Real total, Real absorption, Real fission) {
        const Exp<Pole> pole = poles(nuclide, first + k);
        const Index l = momentum(nuclide, first + k);
        const Complex psi = Complex(Number(0, -1)) / (pole.get<0>() - root) / energy;
        const Real shift = phase(radii(nuclide, l) * root, l);
        const Complex turn = record<Number>(cos(shift), -sin(shift));
        return std::tuple(total + real(pole.get<1>() * psi * turn), absorption + real(pole.get<2>() * psi),
                          fission + real(pole.get<3>() * psi));
    };
    return for_loop(poles_in_window, add, 0.0, 0.0, 0.0);
}

Delayed<double, 0> resonances(Matrix concentrations, Delayed<Pole, 2> poles, Matrix radii, Delayed<Long, 2> momentum,
                              Delayed<Long, 2> nuclides, Integers counts, Delayed<double> at, Integers material) {
    auto one = [=](Real energy, Index m) {
        auto add = [=](Index k, Real sum) {
            const auto [total, absorption, fission] = of_window(poles, momentum, radii, energy, nuclides(m, k));
            return sum + concentrations(m, k) * (total + 2.0 * absorption + 3.0 * fission + 4.0 * (total - absorption));
        };
        return for_loop(counts(m), add, 0.0);
    };
    return sum(map(one, at, material));
}

void rows_of_resonances(const Table& table) {
    const Long poles = windows * poles_in_window, count = 20000;
    std::vector<Pole> made(static_cast<std::size_t>(all_nuclides * poles));
    const std::vector<double> values = numbers(all_nuclides * poles * 8, 0.1, 1, 1);
    for (std::size_t k = 0; k < made.size(); ++k)
        for (std::size_t part = 0; part < 4; ++part)
            made[k][part] = Number(values[8 * k + 2 * part], values[8 * k + 2 * part + 1]);
    table.compare("cross sections, poles", 3.5, resonances, value_and_gradients<0, 1, 2>(resonances),
                  matrix(materials, most_nuclides, 0, 1, 3), from(made, shape(all_nuclides, poles)),
                  matrix(all_nuclides, momenta, 0.1, 1, 4),
                  integers(shape(all_nuclides, poles), all_nuclides * poles, momenta, 5),
                  integers(shape(materials, most_nuclides), materials * most_nuclides, all_nuclides, 6),
                  sizes_of_materials(), vector(count, 0.1, 1, 7), integers(shape(count), count, materials, 8));
}

// A flow.

constexpr std::size_t directions = 9;
using Flow = std::array<double, directions>;  ///< the densities of particles by where they go
constexpr int right_of[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, up_of[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double weights[directions] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

/// Particles that have met go on almost as they do in equilibrium.
Exp<Flow> collided(const std::array<Real, directions>& f, Real relaxation) {
    Real density = 0.0, right = 0.0, up = 0.0;
    for (std::size_t k = 0; k < directions; ++k) {
        density = density + f[k];
        right = right + static_cast<double>(right_of[k]) * f[k];
        up = up + static_cast<double>(up_of[k]) * f[k];
    }
    const Real u = right / density, v = up / density, square = 1.5 * (u * u + v * v);
    auto next = [&](std::size_t k) {
        const Real along = 3.0 * (static_cast<double>(right_of[k]) * u + static_cast<double>(up_of[k]) * v);
        const Real equilibrium = weights[k] * density * (1.0 + along + 0.5 * along * along - square);
        return f[k] + relaxation * (equilibrium - f[k]);
    };
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return record<Flow>(next(K)...);
    }(std::make_index_sequence<directions>());
}

/// The sum of squares of all densities after these steps, on a torus.
Delayed<double, 0> flow(Delayed<Flow, 2> start, Real relaxation, Index steps) {
    auto arriving = [=](auto s) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return collided({s(-up_of[K], -right_of[K]).template get<K>()...}, relaxation);
        }(std::make_index_sequence<directions>());
    };
    auto step = [=](Index, Delayed<Flow, 2> f) { return stencil(arriving, boundary::wrap, f); };
    auto square = [](Exp<Flow> f) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return (... + (f.get<K>() * f.get<K>()));
        }(std::make_index_sequence<directions>());
    };
    return sum(flatten(map(square, for_loop(steps, step, start))));
}

void rows_of_flows(const Table& table) {
    const Long n = 256;
    std::vector<Flow> start(static_cast<std::size_t>(n * n));
    const std::vector<double> noise = numbers(n * n * static_cast<Long>(directions), 0.9, 1.1);
    for (std::size_t k = 0; k < noise.size(); ++k)
        start[k / directions][k % directions] = weights[k % directions] * noise[k];
    table.compare("lattice Boltzmann, 50 steps", 3, flow, value_and_gradients<0, 1>(flow), from(start, shape(n, n)), 0.6,
                  Long(50));
}

}  // namespace

void rows_of_physics(const Table& table) {
    rows_of_lookups(table);
    rows_of_resonances(table);
    rows_of_flows(table);
}

}  // namespace derivatives
