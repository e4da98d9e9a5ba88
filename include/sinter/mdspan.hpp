// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// std::mdspan as a source of arrays and as a view of them, where the standard library has it (C++23). Not part of
/// sinter.hpp.
#pragma once

#include <sinter/combinators/from.hpp>

#include <version>

#ifdef __cpp_lib_mdspan
#include <mdspan>

namespace sinter {

/// A copy of the elements of an mdspan of any layout.
template <class T, class Extents, class Layout, class Accessor>
auto from(const std::mdspan<T, Extents, Layout, Accessor>& source, location where = location::current()) {
    using E = std::remove_cv_t<T>;
    constexpr int rank = static_cast<int>(Extents::rank());
    std::int64_t extents[rank + 1];
    std::array<typename Extents::index_type, Extents::rank()> index{};
    for (std::size_t k = 0; k < Extents::rank(); ++k) extents[k] = static_cast<std::int64_t>(source.extent(k));
    auto at = [&](std::size_t) -> E {
        E element = source[index];
        for (std::size_t k = Extents::rank(); k-- > 0;) {
            if (++index[k] < source.extent(k)) break;
            index[k] = 0;
        }
        return element;
    };
    return detail::copy_elements<E, rank>(extents, static_cast<std::size_t>(source.size()), nullptr, at, where);
}

/// A view of an array of scalars, valid as long as the array or a copy of it exists.
template <class T, int Rank>
    requires detail::is_scalar<T>
auto as_mdspan(const Array<T, Rank>& a, location where = location::current()) {
    using Extents = std::dextents<std::int64_t, static_cast<std::size_t>(Rank)>;
    return std::mdspan<const T, Extents>(a.data(), Extents(a.shape(where)));
}

}  // namespace sinter

#endif
