// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.hpp"

#include <sinter/detail/interop.hpp>

#include <cstring>

namespace sinter::hdf5 {

namespace {

/// The elements of a slab in the file, and as many that follow each other in memory.
struct Spaces {
    Handle file, memory;
};

std::vector<hsize_t> sizes(const std::vector<std::size_t>& values) { return {values.begin(), values.end()}; }

Spaces spaces_of(const Place& place, hid_t dataset, const files::Slab& slab) {
    Spaces spaces{opened(place, "cannot be used", H5Dget_space(dataset), H5Sclose), {}};
    const hsize_t count = slab.elements();
    spaces.memory = opened(place, "cannot be used", H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (slab.first.empty()) return spaces;
    const std::vector<hsize_t> first = sizes(slab.first), step = sizes(slab.step), counts = sizes(slab.count);
    checked(place, "cannot be used",
            H5Sselect_hyperslab(spaces.file, H5S_SELECT_SET, first.data(), step.data(), counts.data(), nullptr));
    return spaces;
}

/// Elements of a row of the array in memory.
std::int64_t row_elements(const files::Slab& slab) { return static_cast<std::int64_t>(slab.rows(0, 1).elements()); }

/// Calls transfer(slab, first element, number of elements) for blocks of the rows.
template <class F>
void each_block(const Rows& rows, F transfer) {
    const std::int64_t row = row_elements(rows.slab);
    files::each_block(rows.begin, rows.end, row * bytes_of(rows.element), [&](std::int64_t begin, std::int64_t end) {
        transfer(rows.slab.rows(begin, end), begin * row, static_cast<std::size_t>((end - begin) * row));
    });
}

}  // namespace

void read_rows(const Place& place, hid_t dataset, const Rows& rows, const std::vector<Scalar>& scalars,
               const files::Columns& columns) {
    const Handle type = memory_type(rows.element);
    const std::vector<Member> members = members_of(rows.element);
    const std::int64_t each = bytes_of(rows.element);
    auto read = [&](const files::Slab& slab, void* to) {
        const Spaces spaces = spaces_of(place, dataset, slab);
        checked(place, "cannot be read", H5Dread(dataset, type, spaces.memory, spaces.file, H5P_DEFAULT, to));
    };
    if (members.size() == 1 && members[0].scalar == scalars[0] && scalars.size() == 1)
        return read(rows.slab.rows(rows.begin, rows.end), columns[0] + rows.begin * row_elements(rows.slab) * each);
    std::vector<std::byte> packed, column;
    each_block(rows, [&](const files::Slab& slab, std::int64_t first, std::size_t count) {
        packed.resize(count * static_cast<std::size_t>(each));
        read(slab, packed.data());
        for (std::size_t k = 0; k < scalars.size(); ++k) {
            const auto wide = static_cast<std::size_t>(detail::size_of(scalars[k]));
            std::byte* to = columns[k] + first * static_cast<std::int64_t>(wide);
            if (k >= members.size()) {  // the imaginary part of a number that has none
                std::memset(to, 0, count * wide);
                continue;
            }
            const auto size = static_cast<std::size_t>(detail::size_of(members[k].scalar));
            column.resize(count * size);
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(&column[i * size],
                            &packed[i * static_cast<std::size_t>(each) + static_cast<std::size_t>(members[k].offset)], size);
            detail::cast_elements(members[k].scalar, column.data(), scalars[k], to, count);
        }
    });
}

void write_rows(const Place& place, hid_t dataset, const Rows& rows, const files::Columns& columns) {
    const Handle type = memory_type(rows.element);
    const std::vector<Member> members = members_of(rows.element);
    const auto each = static_cast<std::size_t>(bytes_of(rows.element));
    auto write = [&](const files::Slab& slab, const void* from) {
        const Spaces spaces = spaces_of(place, dataset, slab);
        checked(place, "cannot be written", H5Dwrite(dataset, type, spaces.memory, spaces.file, H5P_DEFAULT, from));
    };
    if (members.size() == 1)
        return write(rows.slab.rows(rows.begin, rows.end),
                     columns[0] + rows.begin * row_elements(rows.slab) * static_cast<std::int64_t>(each));
    std::vector<std::byte> packed;
    each_block(rows, [&](const files::Slab& slab, std::int64_t first, std::size_t count) {
        packed.resize(count * each);
        for (std::size_t k = 0; k < members.size(); ++k) {
            const auto size = static_cast<std::size_t>(detail::size_of(members[k].scalar));
            const std::byte* from = columns[k] + first * static_cast<std::int64_t>(size);
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(&packed[i * each + static_cast<std::size_t>(members[k].offset)], from + i * size, size);
        }
        write(slab, packed.data());
    });
}

}  // namespace sinter::hdf5
