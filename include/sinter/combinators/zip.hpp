// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of products and their components. Nothing is computed or copied: the components of products are stored separately
/// in any case.
#pragma once

#include <sinter/detail/function.hpp>

namespace sinter {

namespace detail {

template <class S, class A, class... As>
auto zip_as(const char* what, location where, const A& a, const As&... as) {
    static_assert(same_rank<A, As...>, "zip: the arrays differ in rank");
    require_same_shape(what, where, a, as...);
    auto list = list_leaves(a, as...);
    Leaves<S> leaves;
    for (std::size_t i = 0; i < leaf_count<S>; ++i) leaves.leaf[i] = std::move(list.leaf[i]);
    return Delayed<S, rank_v<A>>(std::move(leaves));
}

}  // namespace detail

/// Arrays of one shape as an array of tuples.
template <class A, class... As>
auto zip(detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::zip_as<std::tuple<element_t<A>, element_t<As>...>>("zip", a.where, *a.array, *as.array...);
}

/// An array of products as a std::tuple of arrays.
template <ArrayLike A>
    requires detail::IsProduct<element_t<A>>
auto unzip(const A& a) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple(detail::array_component<I>(a)...);
    }(detail::component_indices<element_t<A>>{});
}

/// Component I of an array of products.
template <std::size_t I, ArrayLike A>
    requires detail::IsProduct<element_t<A>>
auto get(const A& a) {
    return detail::array_component<I>(a);
}

/// A struct's member: field<&Particle::x>(ps).
template <auto member, ArrayLike A>
    requires detail::IsProduct<element_t<A>>
auto field(const A& a) {
    constexpr std::size_t index = detail::Product<element_t<A>>::template index_of<member>();
    constexpr bool found = index < detail::component_count<element_t<A>>;
    static_assert(found, "field: not a member that BOOST_HANA_ADAPT_STRUCT names");
    return detail::array_component<found ? index : 0>(a);
}

/// An array of structs made from one array per component: record<Particle>(xs, ys, zs, ms).
template <class S, class A, class... As>
    requires detail::IsProduct<S>
auto record(detail::Operand<A> a, detail::Operand<As>... as) {
    static_assert(std::is_same_v<std::tuple<element_t<A>, element_t<As>...>, detail::components_t<S>>,
                  "record: one array of each component's type is needed");
    return detail::zip_as<S>("record", a.where, *a.array, *as.array...);
}

}  // namespace sinter
