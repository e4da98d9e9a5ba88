// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Delayed<T, Rank>: an array that is not computed yet. It is a handle on a node of the graph that combinators build.
#pragma once

#include <sinter/detail/array_handle.hpp>

namespace sinter {

/// Owns everything it refers to: returning one is always safe. Cheap to copy. Made by combinators, computed by run().
template <class T, int Rank = 1>
class Delayed : public detail::Operand<Delayed<T, Rank>> {
    static_assert(detail::leaf_count<T> != 0,
                  "T is not an element: bool, integers up to 64 bits, half, float, double; std::tuple, std::pair, "
                  "std::array, std::complex of elements; structs adapted with BOOST_HANA_ADAPT_STRUCT");
    static_assert(Rank >= 0);

  public:
    using element_type = T;
    static constexpr int rank = Rank;

    Delayed() = default;
    Delayed(const Array<T, Rank>& manifest);
    explicit Delayed(detail::Leaves<T> leaves) : leaves_(std::move(leaves)) {}

    /// Inside a function: the element at these indices.
    template <detail::IndexLike... I>
        requires(detail::is_exp<I> || ...)
    detail::ExpOf<T> operator()(const I&... index) const {
        return detail::read_element<T, Rank>(leaves_, index...);
    }
    template <class... I>
        requires(std::is_integral_v<I> && ...)
    detail::ExpOf<T> operator()(detail::HostIndex first, const I&... index) const {
        detail::forbid_host_read(first.where);
        return detail::read_element<T, Rank>(leaves_, first.value, index...);
    }
    detail::ExpOf<T> operator()(location here = location::current()) const {
        detail::forbid_host_read(here);
        return detail::read_element<T, Rank>(leaves_);
    }

    /// The extents. UsageError if one depends on parameters of a compiled program: use extent(a, k) there.
    std::array<std::int64_t, Rank> shape(location here = location::current()) const {
        std::array<std::int64_t, Rank> extents{};
        detail::known_shape(leaves_.leaf[0], extents.data(), "shape()", here);
        return extents;
    }

    /// Deleted because nothing is computed yet: the message says what to write instead.
    operator T() const
        requires detail::is_scalar<T>
    {
        static_assert(detail::never<T>,
                      "a Delayed is not computed yet, so it does not convert to a number: write "
                      "run(a).item() if its rank is 0, as that of sum(flatten(a)) is, or a() inside a "
                      "function; a condition is run(all(c)).item()");
        return T();
    }

    const detail::Leaves<T>& leaves() const { return leaves_; }

  private:
    detail::Leaves<T> leaves_;
};

namespace detail {

/// Component I of an array of products: no node is made.
template <std::size_t I, class A>
auto array_component(const A& array) {
    using T = element_t<A>;
    Leaves<component_t<I, T>> leaves;
    for (std::size_t i = 0; i < leaf_count<component_t<I, T>>; ++i)
        leaves.leaf[i] = array.leaves().leaf[leaf_offset<I, T> + i];
    return Delayed<component_t<I, T>, rank_v<A>>(std::move(leaves));
}

}  // namespace detail
}  // namespace sinter
