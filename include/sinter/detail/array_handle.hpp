// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Array and Delayed have in common.
#pragma once

#include <sinter/detail/build.hpp>
#include <sinter/shape.hpp>

namespace sinter::detail {

/// The leaves of an array, one per scalar leaf of T.
template <class T>
struct Leaves {
    LeafRef leaf[leaf_count<T>];
};

template <class V>
struct ArrayTraits {
    static constexpr bool is_array = false;
};

/// An array as a combinator's argument, with the place of the call. Arrays derive from their own Operand, so that template
/// arguments are deduced; but the second constructor, with the caller's location, is the one chosen. This brings a location
/// to functions that cannot have a default argument, such as operators and variadic functions.
template <class Derived>
struct Operand {
    const Derived* array = nullptr;
    location where;

    Operand() = default;
    Operand(const Derived& derived, location here = location::current()) : array(&derived), where(here) {}

    // Members that arrays do not have: the messages say what to write instead.

    template <class I>
    auto operator[](const I&) const {
        if constexpr (ArrayTraits<I>::is_array) {
            static_assert(never<I>,
                          "an array is not indexed by another array: write compact(mask, a) for the "
                          "elements where a mask holds, select(mask, a, b) for a choice between two arrays, "
                          "gather(indices, a) for the elements at some indices");
            return Derived();
        } else {
            static_assert(never<I>,
                          "arrays have no operator []: write a(i), or a(i, j) for rank 2, to read an "
                          "element, and slice(a, range(low, high)) for a part; outside of functions an "
                          "element of a Delayed is run(a)(i)");
            return typename Derived::element_type();
        }
    }

    template <class D = Derived>
    const typename D::element_type* begin() const {
        static_assert(never<D>,
                      "a range-based for cannot visit an array: write for (auto x : a.to_vector()), for "
                      "a Delayed run(a).to_vector(), and inside programs map, fold or for_loop");
        return nullptr;
    }
    template <class D = Derived>
    const typename D::element_type* end() const {
        return nullptr;
    }
};

template <class V>
void fail_for_compound() {
    static_assert(never<V>,
                  "an array is a value that never changes: write v = v + w for a Delayed, v = run(v "
                  "+ w) for an Array");
}
#define SINTER_COMPOUND(symbol)                               \
    template <class A, class V>                               \
    const A& operator symbol(const Operand<A>& a, const V&) { \
        fail_for_compound<V>();                               \
        return *a.array;                                      \
    }
SINTER_COMPOUND(+=)
SINTER_COMPOUND(-=)
SINTER_COMPOUND(*=)
SINTER_COMPOUND(/=)
#undef SINTER_COMPOUND

}  // namespace sinter::detail

namespace sinter {

template <class T, int Rank>
class Array;

namespace detail {

template <class T, int Rank>
struct ArrayTraits<Delayed<T, Rank>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = Rank;
};
template <class T, int Rank>
struct ArrayTraits<Array<T, Rank>> : ArrayTraits<Delayed<T, Rank>> {};

}  // namespace detail

/// An Array or a Delayed.
template <class A>
concept ArrayLike = detail::ArrayTraits<A>::is_array;
template <ArrayLike A>
using element_t = typename detail::ArrayTraits<A>::element;
template <ArrayLike A>
inline constexpr int rank_v = detail::ArrayTraits<A>::rank;

namespace detail {

/// Exp<T>. It is a type even where T is not an element, so that one error does not cause others.
template <class T>
using ExpOf = Exp<std::conditional_t<leaf_count<T> != 0, T, bool>>;

/// The first of several integer indices, with the place of the read.
struct HostIndex {
    std::int64_t value;
    location where;

    template <class V>
        requires std::is_integral_v<V>
    HostIndex(V index, location here = location::current()) : value(static_cast<std::int64_t>(index)), where(here) {}
};

/// An index of a read: an integer or an expression of integer type.
template <class V>
concept IndexLike = SizeLike<V>;

template <class T, int Rank, class... I>
Exp<T> read_element(const Leaves<T>& leaves, const I&... index) {
    static_assert(sizeof...(I) == Rank, "reading an array takes one index per axis");
    Handle indices[sizeof...(I) + 1] = {convert<std::int64_t>(index).handles[0]..., Handle{}};
    Exp<T> result;
    for (std::size_t i = 0; i < result.leaves; ++i) result.handles[i] = read(leaves.leaf[i], indices, Rank);
    return result;
}

}  // namespace detail
}  // namespace sinter
