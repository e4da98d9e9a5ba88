// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays made from a shape alone.
#pragma once

#include <sinter/combinators/map.hpp>

namespace sinter {

namespace detail {

template <std::size_t... Axis, class F>
auto generate_array(std::index_sequence<Axis...>, const char* what, location where, const SizeArgument* sizes, F& f) {
    FunctionTrace<IndexType<Axis>...> trace(what, where);
    auto y = trace.call(f);
    Leaves<typename decltype(y)::element_type> out;
    end_generate(trace.serial(), y.handles, y.leaves, sizes, sizeof...(Axis), out.leaf);
    return Delayed<typename decltype(y)::element_type, static_cast<int>(sizeof...(Axis))>(std::move(out));
}

}  // namespace detail

/// The array whose element at (i, j, ...) is f(i, j, ...).
template <int Rank, class F>
auto generate(const Shape<Rank>& shape, F&& f, location where = location::current()) {
    return detail::generate_array(std::make_index_sequence<Rank>{}, "generate", where, shape.sizes, f);
}

/// 0, 1, ..., n - 1.
template <Element T = std::int64_t, detail::SizeLike N>
Delayed<T, 1> iota(const N& n, location where = location::current()) {
    auto f = [](Exp<std::int64_t> i) { return cast<T>(i); };
    return detail::generate_array(std::make_index_sequence<1>{}, "iota", where, shape(n).sizes, f);
}

/// Every element is `value`: a literal, inside compile() an Exp, or an array of rank 0.
template <int Rank, class V>
auto fill(const Shape<Rank>& shape, const V& value, location where = location::current()) {
    auto f = [&](auto...) {
        if constexpr (ArrayLike<V>) {
            static_assert(rank_v<V> == 0, "fill: the value is a literal, an Exp, or an array of rank 0");
            return detail::read_element<element_t<V>, 0>(value.leaves());
        } else {
            return reify(value);
        }
    };
    return detail::generate_array(std::make_index_sequence<Rank>{}, "fill", where, shape.sizes, f);
}

}  // namespace sinter
