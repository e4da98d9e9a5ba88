// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Typed indices into vectors: an index into one table is never taken for an index into another.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace sinter {

template <class Tag>
struct Id {
    std::uint32_t index = std::numeric_limits<std::uint32_t>::max();

    constexpr Id() = default;
    constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}
    constexpr bool valid() const { return index != std::numeric_limits<std::uint32_t>::max(); }
    constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace sinter

template <class Tag>
struct std::hash<sinter::Id<Tag>> {
    std::size_t operator()(sinter::Id<Tag> id) const noexcept { return id.index; }
};
