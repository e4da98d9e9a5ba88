// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/rows.hpp>

#include "front/shape.hpp"
#include "run/interop/npy_header.hpp"
#include "run/interop/npy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace sinter::runtime {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

namespace {

/// Complex numbers that are put together at once: a part of the second cache.
constexpr std::int64_t block_elements = 1 << 16;

}  // namespace

std::size_t npy_bytes(FileElement element) {
    return static_cast<std::size_t>(detail::size_of(element.scalar)) * (element.complex ? 2 : 1);
}

namespace {

/// The element type without its byte order, for example "f4".
std::string type_code(FileElement element) {
    char kind = element.complex                             ? 'c'
                : detail::is_boolean(element.scalar)        ? 'b'
                : detail::is_float(element.scalar)          ? 'f'
                : detail::is_signed_integer(element.scalar) ? 'i'
                                                            : 'u';
    return fmt::format("{}{}", kind, npy_bytes(element));
}
}  // namespace

std::string npy_descr(FileElement element) { return (npy_bytes(element) == 1 ? "|" : "<") + type_code(element); }

NpyImage::NpyImage(FileElement element, std::vector<std::int64_t> shape, const detail::LeafRef* leaves, const char* what,
                   location where)
    : element_(element), shape_(std::move(shape)), leaves_(leaves), where_(where) {
    header_ = print_npy_header({npy_descr(element), false, shape_});
    elements_ = front::element_count(shape_, what, where);
    for (std::size_t p = 0; p < parts(); ++p) in_blocks_ = in_blocks_ || detail::in_blocks(leaves[p], where);
}

std::uint64_t NpyImage::bytes() const {
    return header_.size() + static_cast<std::uint64_t>(elements_) * npy_bytes(element_);
}

Interval NpyImage::own() const {
    if (!in_blocks_) return {0, detail::own_rank() == 0 ? elements_ : 0};
    const Part rows = detail::own_part(shape_[0]);
    const std::int64_t row = shape_[0] == 0 ? 0 : elements_ / shape_[0];
    return {rows.first * row, rows.last * row};
}

void NpyImage::each_own(const std::function<void(std::uint64_t, std::span<const unsigned char>)>& write) const {
    const Interval mine = own();
    if (mine.empty()) return;
    const auto part = static_cast<std::int64_t>(detail::size_of(element_.scalar)),
               each = static_cast<std::int64_t>(npy_bytes(element_));
    const unsigned char* leaves[2] = {};
    for (std::size_t p = 0; p < parts(); ++p)
        leaves[p] = static_cast<const unsigned char*>(detail::own_rows(leaves_[p], where_));
    const auto begin = [&](std::int64_t element) { return header_.size() + static_cast<std::uint64_t>(element * each); };
    if (!element_.complex)
        return write(begin(mine.begin), {leaves[0] + mine.begin * part, static_cast<std::size_t>(mine.length() * part)});
    Bytes packed;
    for (std::int64_t first = mine.begin; first < mine.end; first += block_elements) {
        const std::int64_t count = std::min(block_elements, mine.end - first);
        packed.resize(static_cast<std::size_t>(count * each));
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t p = 0; p < 2; ++p)
                std::memcpy(packed.data() + i * each + p * part, leaves[p] + (first + i) * part,
                            static_cast<std::size_t>(part));
        write(begin(first), packed);
    }
}

}  // namespace sinter::runtime
