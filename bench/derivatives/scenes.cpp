// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobians of scenes.
#include "gradbench/functions/ba.hpp"
#include "gradbench/functions/ht.hpp"
#include "table.hpp"

namespace derivatives {

namespace {

using gradbench::Hand;
using gradbench::Matrix;
using gradbench::Space3;
using gradbench::Transform;
using gradbench::Vector;

template <std::size_t N>
Array<std::array<double, N>> records(Long count, double low, double high, unsigned seed) {
    std::vector<std::array<double, N>> made(static_cast<std::size_t>(count));
    const std::vector<double> all = numbers(count * static_cast<Long>(N), low, high, seed);
    for (std::size_t k = 0; k < all.size(); ++k) made[k / N][k % N] = all[k];
    return from(made);
}

/// A hand of 22 bones: five fingers of four on a wrist. One correspondence per vertex that is seen.
void hand(const Table& table, const std::string& name, Long vertices, Long seen) {
    using Ints = Delayed<Long>;
    using Bones = Delayed<Transform>;
    using Places = Delayed<Space3>;
    auto f = [](Vector pose, Ints parents, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirrored, Ints c, Matrix p) {
        return gradbench::distances(pose, Hand{parents, r, a, w, v, mirrored}, c, p);
    };
    auto g = [](Vector pose, Ints parents, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirrored, Ints c, Matrix p) {
        return gradbench::distances_jacobian(pose, Hand{parents, r, a, w, v, mirrored}, c, p);
    };
    std::vector<Long> parents, places;
    for (Long b = 0; b < 22; ++b) parents.push_back(b >= 2 && b % 4 == 2 ? 1 : b - 1);
    for (Long i = 0; i < seen; ++i) places.push_back(i * 7919 % vertices);
    table.compare(name, 26, f, g, vector(26, -0.5, 0.5), from(parents), records<12>(22, -0.7, 0.7, 1),
                  records<12>(22, -0.7, 0.7, 2), matrix(vertices, 22, 0, 1, 3), records<3>(vertices, -1, 1, 4), false,
                  from(places), matrix(seen, 3, -1, 1, 5));
}

}  // namespace

void rows_of_scenes(const Table& table) {
    const auto observed = matrix(31843, gradbench::observed_size, 0.1, 1);
    table.compare("ba 31843", 4, gradbench::reprojection_errors, gradbench::reprojection_jacobians, observed,
                  matrix(31843, 2, -1, 1, 1));
    hand(table, "ht 544 of 544", 544, 544);
    hand(table, "ht 100000 of 100000", 100000, 100000);
}

}  // namespace derivatives
