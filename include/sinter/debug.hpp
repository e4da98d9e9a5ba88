// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks and prints inside functions: the counterparts of assert and printf.
#pragma once

#include <sinter/array_math.hpp>

#include <string_view>

namespace sinter {

namespace detail {

/// A format and the place of the call.
struct DebugFormat {
    template <class S>
        requires std::is_convertible_v<const S&, std::string_view>
    DebugFormat(const S& format, location at = location::current()) : text(format), where(at) {}
    std::string_view text;
    location where;
};

template <class T>
Exp<T> where_expected(Exp<bool> holds, const Exp<T>& value) {
    Exp<T> result;
    for (std::size_t k = 0; k < result.leaves; ++k) {
        const Handle operands[] = {holds.handles[0], value.handles[k], constant(scalars_of<T>.scalars[k], 0)};
        result.handles[k] = apply(Op::select, scalars_of<T>.scalars[k], operands, 3);
    }
    return result;
}

}  // namespace detail

/// Inside a function: its results, or those of the block of a cond or loop, exist only if the condition holds. Otherwise the
/// run throws an ExpectationError with the text, the number of the element (of a map, generate or stencil) and this line.
/// Results that nobody uses are neither computed nor checked.
inline void expect(Exp<bool> condition, std::string_view text, location where = location::current()) {
    detail::expect(condition.handles[0], text, true, where);
}

/// The value, if the condition holds; otherwise an ExpectationError, as above. Works inside programs given to compile, too.
template <Expression V>
auto expect(Exp<bool> condition, std::string_view text, const V& value, location where = location::current()) {
    Exp<bool> holds;
    holds.handles[0] = detail::expect(condition.handles[0], text, false, where);
    return detail::where_expected(holds, reify(value));
}

/// The array, if the condition holds for each of its elements; otherwise an ExpectationError with the index of an element
/// for which it does not. ShapeError if the shapes differ.
template <ArrayLike C, ArrayLike A>
    requires std::is_same_v<element_t<C>, bool>
auto expect(const C& condition, std::string_view text, const A& a, location where = location::current()) {
    auto check = [&](Exp<bool> c, Exp<element_t<A>> x) { return expect(c, text, x, where); };
    return detail::map_arrays("expect", where, check, condition, a);
}

/// Inside a function given to a combinator: prints a line for each element, with the place and the element's indices:
/// debug_print("x = {}, y = {:.3f}", x, y). The format is that of std::format; values are numbers and booleans. Lines go to
/// stderr or to Options::debug. The interpreter prints every line immediately, in the order of the elements. Other targets
/// print when the run ends: the first 1000 lines in the order of kernels and elements, and equal lines of one element only
/// once.
template <Expression... V>
void debug_print(detail::DebugFormat format, const V&... value) {
    static_assert((detail::is_scalar<reified_t<V>> && ...),
                  "debug_print prints numbers and booleans: pass the components of a product one by one");
    constexpr std::size_t count = sizeof...(V);
    const detail::Handle handles[count + 1] = {reify(value).handles[0]...};
    constexpr detail::Scalar types[count + 1] = {detail::scalar_v<reified_t<V>>...};
    detail::debug_print(format.text, handles, types, count, format.where);
}

}  // namespace sinter
