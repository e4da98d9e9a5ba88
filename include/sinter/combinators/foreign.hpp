// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// C++ functions of the user's inside the graph.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/function.hpp>

#include <array>
#include <cstddef>
#include <new>

namespace sinter {

namespace detail {

/// An array of the function's parameters from the leaves that are passed.
template <class A>
auto passed_array(const LeafRef*& next) {
    Leaves<element_t<A>> leaves;
    for (auto& leaf : leaves.leaf) leaf = *next++;
    return Array<element_t<A>, rank_v<A>>(std::move(leaves));
}

/// What a foreign function returns: an Array, or a std::tuple of several.
template <class R>
struct ForeignReturn;
template <class... T, int... Rank>
struct ForeignReturn<std::tuple<Array<T, Rank>...>> {
    static constexpr std::size_t count = (leaf_count<T> + ...);
    static constexpr auto& scalars = scalars_of<T...>;
    static constexpr auto ranks = [] {
        std::array<std::size_t, count> all{};
        std::size_t next = 0;
        (([&] {
             for (std::size_t i = 0; i < leaf_count<T>; ++i) all[next++] = Rank;
         }()),
         ...);
        return all;
    }();

    static void put(const std::tuple<Array<T, Rank>...>& arrays, LeafRef* next) {
        auto one = [&](const auto& array) {
            for (const LeafRef& leaf : array.leaves().leaf) *next++ = leaf;
        };
        std::apply([&](const auto&... array) { (one(array), ...); }, arrays);
    }
    static auto delayed(const LeafRef* next) {
        return std::tuple<Delayed<T, Rank>...>{Delayed<T, Rank>(passed_array<Array<T, Rank>>(next))...};
    }
};
template <class T, int Rank>
struct ForeignReturn<Array<T, Rank>> : ForeignReturn<std::tuple<Array<T, Rank>>> {
    static void put(const Array<T, Rank>& array, LeafRef* next) {
        for (const LeafRef& leaf : array.leaves().leaf) *next++ = leaf;
    }
    static auto delayed(const LeafRef* next) { return Delayed<T, Rank>(passed_array<Array<T, Rank>>(next)); }
};

template <class F, class R, class... A>
void call_foreign(void* context, const LeafRef* args, LeafRef* results) {
    std::tuple<Array<element_t<A>, rank_v<A>>...> arrays{passed_array<A>(args)...};
    if constexpr (std::is_pointer_v<F>)
        ForeignReturn<R>::put(std::apply(reinterpret_cast<F>(context), arrays), results);
    else
        ForeignReturn<R>::put(std::apply(*static_cast<F*>(context), arrays), results);
}

/// What tells functions apart: a pointer itself, an object without state by its type, any other object by its own copy.
template <class F, class R, class... A>
ForeignCallee foreign_callee(const F& f) {
    constexpr auto call = call_foreign<F, R, A...>;
    if constexpr (std::is_pointer_v<F>) {
        return {call, reinterpret_cast<void*>(f), nullptr};
    } else if constexpr (std::is_empty_v<F>) {
        alignas(F) static std::byte memory[sizeof(F)];  // a plug-in's is gone with it
        static F& function = *new (memory) F(f);        // never destroyed: programs may run to the very end
        return {call, &function, nullptr};
    } else {
        return {call, new F(f), [](void* context) { delete static_cast<F*>(context); }};
    }
}

}  // namespace detail

/// f, a C++ function from `const Array&`s to an Array or a std::tuple of Arrays, as an operation of the graph: it is called
/// with the values of the arrays when the result is computed, on any thread, as often as the program needs it. `name` is its
/// name in messages and explanations. The shapes of the results are not known before. What f throws, run throws. A function
/// object with captures is copied; the copy lives as long as a result, a delayed array or a compiled function that may call
/// it.
template <class F, class A, class... As>
auto foreign(const char* name, F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    using Function = std::decay_t<F>;
    using R = std::remove_cvref_t<
        std::invoke_result_t<Function&, const Array<element_t<A>, rank_v<A>>&, const Array<element_t<As>, rank_v<As>>&...>>;
    using Return = detail::ForeignReturn<R>;
    auto args = detail::list_leaves(*a.array, *as.array...);
    detail::LeafRef out[Return::count];
    detail::foreign(name, detail::foreign_callee<Function, R, A, As...>(f), args.leaf, args.count,
                    {Return::scalars.scalars, Return::ranks.data(), Return::count}, out, a.where);
    return Return::delayed(out);
}

}  // namespace sinter
