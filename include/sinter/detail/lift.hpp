// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of scalars lifted to whole arrays: array operators and array math are made of these. Arrays of rank 0 mix with
/// arrays of any rank, as captured scalars do.
#pragma once

#include <sinter/combinators/map.hpp>

namespace sinter::detail {

template <class V>
inline constexpr int operand_rank = -1;
template <ArrayLike A>
inline constexpr int operand_rank<A> = rank_v<A>;

template <class V>
inline constexpr bool is_scalar_operand = is_exp<V> || is_literal<V>;

/// At least one array; the others are arrays, Exps and literals.
template <class... V>
concept ArrayOperands = (ArrayLike<V> || ...) && ((ArrayLike<V> || is_scalar_operand<V>) && ...);

template <int Rank>
struct Lift {
    template <class V>
    static constexpr std::size_t argument_leaves() {
        if constexpr (ArrayLike<V>)
            return rank_v<V> == Rank ? leaf_count<element_t<V>> : 0;
        else
            return 0;
    }

    template <class V>
    static constexpr void push_scalars(auto& list) {
        if constexpr (argument_leaves<V>() != 0) list.template push_element<element_t<V>>();
    }

    /// The operand as a value in the function: a parameter, a captured scalar, or itself.
    template <class V>
    static auto value(const V& v, std::uint64_t trace, std::size_t first) {
        if constexpr (argument_leaves<V>() != 0) {
            Exp<element_t<V>> e;
            for (std::size_t i = 0; i < e.leaves; ++i) e.handles[i] = {trace, static_cast<std::uint32_t>(first + i)};
            return e;
        } else if constexpr (ArrayLike<V>) {
            static_assert(rank_v<V> == 0, "the arrays differ in rank: replicate or broadcast the smaller one");
            return read_element<element_t<V>, 0>(v.leaves());
        } else {
            return v;
        }
    }

    template <class F, class... V>
    static auto apply(const char* what, location where, F f, const V&... v) {
        return apply_at(std::index_sequence_for<V...>{}, what, where, f, v...);
    }

  private:
    template <std::size_t... K, class F, class... V>
    static auto apply_at(std::index_sequence<K...>, const char* what, location where, F& f, const V&... v) {
        constexpr std::size_t leaves[] = {argument_leaves<V>()...};
        constexpr std::size_t total = (argument_leaves<V>() + ...);
        constexpr auto first = [](std::size_t k, const std::size_t* counts) {
            std::size_t sum = 0;
            for (std::size_t i = 0; i < k; ++i) sum += counts[i];
            return sum;
        };
        static constexpr auto scalars = [] {
            ScalarList<total> list;
            (push_scalars<V>(list), ...);
            return list;
        }();
        LeafList<total> args;
        const LeafRef* shapes[sizeof...(V)];
        std::size_t arrays = 0;
        auto collect = [&](const auto& one) {
            if constexpr (argument_leaves<std::remove_cvref_t<decltype(one)>>() != 0) {
                shapes[arrays++] = &one.leaves().leaf[0];
                args.push(one.leaves());
            }
        };
        (collect(v), ...);
        if (arrays > 1) check_same_shape(what, shapes, arrays, where);
        OpenTrace trace(open_function(what, where, scalars.scalars, scalars.count));
        auto y = reify(f(value(v, trace.serial(), first(K, leaves))...));
        using T = typename decltype(y)::element_type;
        Leaves<T> out;
        end_map(trace.serial(), y.handles, y.leaves, args.leaf, args.count, false, out.leaf);
        return Delayed<T, Rank>(std::move(out));
    }
};

/// f applied to whole arrays, named `what` in messages. The result has the highest rank among them.
template <class F, class... V>
auto lift(const char* what, location where, F f, const V&... v) {
    constexpr int ranks[] = {operand_rank<V>...};
    constexpr int rank = [&] {
        int highest = 0;
        for (int r : ranks) highest = r > highest ? r : highest;
        return highest;
    }();
    return Lift<rank>::apply(what, where, f, v...);
}

}  // namespace sinter::detail
