// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random/pool.hpp"

#include "conform/support.hpp"
#include "random/kinds.hpp"

namespace random_programs {

using conform::numbers;

Pool::Pool(std::uint64_t seed, Repertoire kinds) : repertoire(kinds), random_(std::make_shared<std::mt19937_64>(seed)) {
    constexpr Long lengths[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 33, 100, 1000};
    constexpr Long widths[] = {0, 1, 2, 3, 5, 8, 17};
    n = lengths[pick(std::size(lengths))];
    m = widths[pick(n > 100 ? 4 : std::size(widths))];
    k = between(0, n > 100 ? 1 : 3);
    groups = {{n, {}}, {m, {}}};
    for (int i = 0; i < 2; ++i) {
        vectors().push_back(from(numbers<Int>(n, i)));
        matrices.push_back(from(numbers<Int>(n * m, i + 3), shape(n, m)));
    }
    rows().push_back(from(numbers<Int>(m, 5)));
    cubes.push_back(from(numbers<Int>(k * n * m, 6), shape(k, n, m)));
    scalars.push_back(sum(vectors()[0]));
    scalars.push_back(fill(shape(), Int(between(-3, 9))));
}

void Pool::grow(int steps) {
    for (int i = 0; i < steps; ++i) any_kind(*this).grow(*this);
}

}  // namespace random_programs
