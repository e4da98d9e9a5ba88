// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overloads that are chosen for common mistakes only. The static_assert of such an overload names the cure; without it the
/// compiler would list all the functions that do not fit. docs/errors.md lists every message.
///
/// The assertion of a function with a declared result fires at the end of the translation unit, so the result has to be what
/// the caller wanted; otherwise other errors would come first. Fail and functions that return auto are instantiated at once.
#pragma once

#include <sinter/detail/array_handle.hpp>

namespace sinter::detail {

template <class R>
concept RangeLike = !ArrayLike<R> && (std::is_array_v<R> || requires(const R& r) {
    r.begin();
    r.end();
});

template <class R>
struct FailForRange {
    static_assert(never<R>,
                  "a std::vector or another C++ range is not an array: write from(v), which copies "
                  "it into one");
};

/// A range where an array is needed. It is reached through a conversion, so every other function of the same name is a
/// better match.
struct RangeMistake {
    template <RangeLike R>
    RangeMistake(const R&, FailForRange<R> = {}) {}
};

template <class K>
struct FailForAxis {
    static_assert(never<K>,
                  "an axis has a type of its own: write sum(a, axis(0)), or sum(a, axes(0, 1)) for "
                  "several");
};

/// A number where an axis is needed.
struct AxisMistake {
    template <class K>
        requires std::is_integral_v<K>
    AxisMistake(K, FailForAxis<K> = {}) {}
};

template <class A>
using InnermostReduced = Delayed<element_t<A>, (rank_v<A> > 0 ? rank_v<A> - 1 : 0)>;

}  // namespace sinter::detail
