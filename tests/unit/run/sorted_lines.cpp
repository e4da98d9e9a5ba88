// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of sorted lines against sort_rows of all of them, which is stable, bit by bit.
#include "run/ranks/sort/sorted_lines.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <vector>

using namespace sinter;
using ir::Scalar;
using runtime::SortColumn;

namespace {

using Column = std::vector<char>;

/// Random bits, of which only a few are ever set if `few`, so that many elements are equal, NaNs and zeros among them.
Column make_column(Scalar scalar, std::int64_t count, bool few, std::mt19937& random) {
    const auto size = static_cast<std::size_t>(detail::size_of(scalar));
    Column column(static_cast<std::size_t>(count) * size);
    for (std::size_t k = 0; k < column.size(); ++k)
        column[k] = static_cast<char>(few ? (k % size + 1 == size ? random() % 2 * 128 : 0) : random());
    return column;
}

/// Sorts parts of these lengths alone and merges them, and all at once.
void compare(const std::vector<Scalar>& scalars, std::size_t keys, bool descending, const std::vector<std::int64_t>& lengths,
             bool few, std::mt19937& random) {
    std::int64_t count = 0;
    for (std::int64_t length : lengths) count += length;
    std::vector<Column> from, lines, expected, merged;
    for (Scalar scalar : scalars) {
        from.push_back(make_column(scalar, count, few, random));
        for (auto* made : {&lines, &expected, &merged}) made->emplace_back(from.back().size());
    }
    std::vector<SortColumn> all, joined;
    std::int64_t begin = 0;
    for (std::int64_t length : lengths) {
        std::vector<SortColumn> part;
        for (std::size_t k = 0; k < scalars.size(); ++k) {
            const std::int64_t offset = begin * detail::size_of(scalars[k]);
            part.push_back({scalars[k], from[k].data() + offset, lines[k].data() + offset});
        }
        runtime::sort_rows(part, keys, descending, 1, length, 1);
        begin += length;
    }
    for (std::size_t k = 0; k < scalars.size(); ++k) {
        all.push_back({scalars[k], from[k].data(), expected[k].data()});
        joined.push_back({scalars[k], lines[k].data(), merged[k].data()});
    }
    runtime::sort_rows(all, keys, descending, 1, count, 1);
    runtime::SortedLines sorted(joined, keys, descending);
    sorted.reserve(count, lengths.size());
    sorted.merge(joined, lengths, 2);
    INFO(lengths.size() << " lines, " << count << " elements, " << scalars.size() << " columns, " << keys << " keys");
    CHECK((merged == expected));
}

}  // namespace

TEST_CASE("Sorted lines are merged as one sort would sort them") {
    std::mt19937 random(7);
    const std::vector<std::vector<std::int64_t>> all_lengths = {
        {5, 3},         {0, 4}, {3, 0, 0},         {1, 1, 1, 1}, {70, 1, 900}, {300, 0, 2, 80}, {1, 2, 3, 4, 5, 6, 7},
        {70001, 70000}, {0, 0}, {40000, 9, 150000}};
    const std::vector<std::vector<Scalar>> tables = {{Scalar::f32},
                                                     {Scalar::i64},
                                                     {Scalar::u8},
                                                     {Scalar::f64, Scalar::i64},
                                                     {Scalar::i32, Scalar::f32, Scalar::u8},
                                                     {Scalar::boolean, Scalar::f32, Scalar::f16, Scalar::i64}};
    for (const auto& lengths : all_lengths)
        for (const auto& scalars : tables)
            for (std::size_t keys = 1; keys <= std::min<std::size_t>(2, scalars.size()); ++keys)
                for (bool few : {false, true})
                    compare(scalars, keys, (keys + lengths.size()) % 2 == 0, lengths, few, random);
}
