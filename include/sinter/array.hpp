// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Array<T, Rank>: a manifest array, an immutable value with shared storage.
#pragma once

#include <sinter/delayed.hpp>
#include <sinter/detail/mistake.hpp>
#include <sinter/detail/ranks.hpp>
#include <sinter/exp_operators.hpp>

#include <span>
#include <vector>

namespace sinter {

/// Row-major, with one buffer per scalar leaf of T. Cheap to copy. Made by from, borrow and run; converts to Delayed, and
/// all its copies are one node of the graph.
template <class T, int Rank = 1>
class Array : public detail::Operand<Array<T, Rank>> {
    static_assert(detail::leaf_count<T> != 0,
                  "T is not an element: bool, integers up to 64 bits, half, float, double; std::tuple, std::pair, "
                  "std::array, std::complex of elements; structs adapted with BOOST_HANA_ADAPT_STRUCT");

  public:
    using element_type = T;
    static constexpr int rank = Rank;

    /// Makes an object that is not an array yet: using it is a UsageError.
    Array() = default;
    explicit Array(detail::Leaves<T> leaves) : leaves_(std::move(leaves)) {}
    /// Not from numbers or a range of C++: the message says what to write instead.
    template <class... V>
        requires(sizeof...(V) != 0 && ((std::is_arithmetic_v<V> || detail::RangeLike<V>) && ...))
    explicit Array(const V&...) {
        static_assert((detail::never<V> || ...),
                      "an array is made by from(v) or from(v, shape(m, n)), which copy the elements of a std::vector; "
                      "one of equal elements is run(fill(shape(m, n), x))");
    }

    /// The extents, outermost first.
    std::array<std::int64_t, Rank> shape(location here = location::current()) const {
        std::array<std::int64_t, Rank> extents{};
        detail::known_shape(leaves_.leaf[0], extents.data(), "shape()", here);
        return extents;
    }

    /// The number of elements.
    std::int64_t size(location here = location::current()) const {
        std::uint64_t count = 1;  // a product of extents wraps around only if one of them is 0
        for (std::int64_t extent : shape(here)) count *= static_cast<std::uint64_t>(extent);
        return static_cast<std::int64_t>(count);
    }

    /// The range of outer indices that this rank holds; without Ranks (ranks.hpp), all of them.
    Part part(location here = location::current()) const
        requires(Rank > 0)
    {
        return detail::own_part(shape(here)[0]);
    }
    /// The elements of that range, in memory that the array owns. No messages between ranks.
    std::span<const T> local(location here = location::current()) const
        requires(Rank > 0 && detail::is_scalar<T> && !std::is_same_v<T, bool>)
    {
        const Part own = part(here);
        std::int64_t row = 1;
        for (int k = 1; k < Rank; ++k) row *= shape(here)[static_cast<std::size_t>(k)];
        const auto* elements = static_cast<const T*>(detail::own_rows(leaves_.leaf[0], here));
        return {elements + own.first * row, static_cast<std::size_t>((own.last - own.first) * row)};
    }

    /// A copy of the elements in row-major order.
    std::vector<T> to_vector(location here = location::current()) const {
        auto count = static_cast<std::size_t>(size(here));
        if constexpr (detail::is_scalar<T> && !std::is_same_v<T, bool>) {
            const T* elements = data(here);
            return std::vector<T>(elements, elements + count);
        } else {
            Pointers pointers(leaves_, here);
            std::vector<T> result;
            result.reserve(count);
            for (std::size_t i = 0; i < count; ++i) result.push_back(detail::load<T>(pointers.leaf, i));
            return result;
        }
    }

    /// The only element of an array of rank 0.
    T item(location here = location::current()) const
        requires(Rank == 0)
    {
        return detail::load<T>(Pointers(leaves_, here).leaf, 0);
    }

    /// The element at these indices. IndexError if there is none.
    template <class... I>
        requires(std::is_integral_v<I> && ...)
    T operator()(detail::HostIndex first, const I&... index) const {
        static_assert(sizeof...(I) + 1 == Rank, "reading an array takes one index per axis");
        std::int64_t indices[] = {first.value, static_cast<std::int64_t>(index)...};
        std::size_t offset = detail::checked_offset(leaves_.leaf[0], indices, Rank, first.where);
        return detail::load<T>(Pointers(leaves_, first.where).leaf, offset);
    }

    /// Inside a function, with at least one Exp among the indices: the element as an expression.
    template <detail::IndexLike... I>
        requires(detail::is_exp<I> || ...)
    detail::ExpOf<T> operator()(const I&... index) const {
        return detail::read_element<T, Rank>(leaves_, index...);
    }
    /// Inside a function: the element of an array of rank 0.
    detail::ExpOf<T> operator()(location here = location::current()) const {
        detail::forbid_host_read(here);
        return detail::read_element<T, Rank>(leaves_);
    }

    /// Deleted even for arrays of rank 0: the message says what to write instead.
    operator T() const
        requires detail::is_scalar<T>
    {
        static_assert(detail::never<T>,
                      "an array does not convert to a number: write a.item() for the element of an "
                      "array of rank 0, a(i) for one of any other; sum(a) reduces the innermost axis "
                      "only, sum(flatten(a)) all axes; a condition is run(all(c)).item(); to print an array "
                      "with <<, include <sinter/print.hpp>");
        return T();
    }

    /// The elements in row-major order, in memory that the array owns.
    const T* data(location here = location::current()) const
        requires detail::is_scalar<T>
    {
        return static_cast<const T*>(detail::data(leaves_.leaf[0], here));
    }

    const detail::Leaves<T>& leaves() const { return leaves_; }

  private:
    struct Pointers {
        Pointers(const detail::Leaves<T>& leaves, location here) {
            for (std::size_t i = 0; i < detail::leaf_count<T>; ++i) leaf[i] = detail::data(leaves.leaf[i], here);
        }
        const void* leaf[detail::leaf_count<T>];
    };
    detail::Leaves<T> leaves_;
};

template <class T, int Rank>
Delayed<T, Rank>::Delayed(const Array<T, Rank>& manifest) : leaves_(manifest.leaves()) {}

// Inside a function or program

/// The extent of an axis.
template <class T, int Rank>
Exp<std::int64_t> extent(const Delayed<T, Rank>& a, std::int64_t axis, location where = location::current()) {
    Exp<std::int64_t> result;
    result.handles[0] = detail::extent(a.leaves().leaf[0], axis, where);
    return result;
}
template <class T, int Rank>
Exp<std::int64_t> extent(const Array<T, Rank>& a, std::int64_t axis, location where = location::current()) {
    return extent(Delayed<T, Rank>(a), axis, where);
}

/// The number of elements.
template <class T, int Rank>
Exp<std::int64_t> size(const Delayed<T, Rank>& a, location where = location::current()) {
    if constexpr (Rank == 0) return Exp<std::int64_t>(1);
    Exp<std::int64_t> count = extent(a, 0, where);
    for (int k = 1; k < Rank; ++k) count = count * extent(a, k, where);
    return count;
}
template <class T, int Rank>
Exp<std::int64_t> size(const Array<T, Rank>& a, location where = location::current()) {
    return size(Delayed<T, Rank>(a), where);
}

}  // namespace sinter
