// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scans: all prefixes of the lines along an axis, combined with an associative operator. Results have the array's shape.
/// There are two options, which may be given in any order: axis(k), by default the innermost; and from_right, which scans
/// from the other end, so that element i is a[i] op ... op a[n - 1] op init.
#pragma once

#include <sinter/combinators/fold.hpp>

namespace sinter {

struct FromRight {};
inline constexpr FromRight from_right{};

namespace detail {

template <class O>
concept ScanOption = std::is_same_v<O, Axes<1>> || std::is_same_v<O, FromRight>;

/// An initial value for operators of whole slices (combinators/vmap.hpp).
template <class V>
inline constexpr bool is_slice = false;
template <ArrayLike V>
inline constexpr bool is_slice<V> = rank_v<V> > 0;

inline void set_option(ScanKind& kind, const Axes<1>& axis) { kind.axis = axis.axes[0]; }
inline void set_option(ScanKind& kind, FromRight) { kind.reverse = true; }

template <ScanOption... O>
ScanKind scan_kind(bool exclusive, bool totals, const O&... option) {
    ScanKind kind{.exclusive = exclusive, .totals = totals};
    (set_option(kind, option), ...);
    return kind;
}

/// The leaves of the prefixes, followed by those of the totals if there are any. `init` may be null.
template <class Op, class A>
auto scan_leaves(const char* what, Op& op, const Leaves<element_t<A>>* init, const A& a, const ScanKind& kind,
                 location where) {
    using T = element_t<A>;
    static_assert(rank_v<A> > 0, "a scan needs an array of rank 1 at least");
    FunctionTrace<T, T> trace(what, where);
    auto y = convert<T>(trace.call(op));
    LeafList<2 * leaf_count<T>> out;
    end_scan(trace.serial(), y.handles, init ? init->leaf : nullptr, a.leaves().leaf, leaf_count<T>, kind, out.leaf);
    return out;
}

template <class Op, class A>
auto scan_array(const char* what, Op& op, const Leaves<element_t<A>>* init, const A& a, const ScanKind& kind,
                location where) {
    auto out = scan_leaves(what, op, init, a, kind, where);
    return listed_array<element_t<A>, rank_v<A>>(out, 0);
}

}  // namespace detail

/// Element i is a[0] op ... op a[i].
template <class Op, class A, detail::ScanOption... O>
auto inclusive_scan(Op&& op, detail::Operand<A> a, const O&... option) {
    auto kind = detail::scan_kind(false, false, option...);
    return detail::scan_array("inclusive_scan", op, nullptr, *a.array, kind, a.where);
}
/// Element i is init op a[0] op ... op a[i]; init is as for fold.
template <class Op, class Init, class A, detail::ScanOption... O>
    requires(!detail::is_slice<Init>)
auto inclusive_scan(Op&& op, const Init& init, detail::Operand<A> a, const O&... option) {
    auto first = detail::scalar_leaves<element_t<A>>(init, "inclusive_scan", a.where);
    auto kind = detail::scan_kind(false, false, option...);
    return detail::scan_array("inclusive_scan", op, &first, *a.array, kind, a.where);
}
/// Element i is init op a[0] op ... op a[i - 1]: element 0 is init.
template <class Op, class Init, class A, detail::ScanOption... O>
    requires(!detail::is_slice<Init>)
auto exclusive_scan(Op&& op, const Init& init, detail::Operand<A> a, const O&... option) {
    auto first = detail::scalar_leaves<element_t<A>>(init, "exclusive_scan", a.where);
    auto kind = detail::scan_kind(true, false, option...);
    return detail::scan_array("exclusive_scan", op, &first, *a.array, kind, a.where);
}
/// std::tuple(exclusive_scan(op, init, a), fold(op, init, a)) along the same axis, in one pass.
template <class Op, class Init, class A, detail::ScanOption... O>
auto scan_with_total(Op&& op, const Init& init, detail::Operand<A> a, const O&... option) {
    using T = element_t<A>;
    auto first = detail::scalar_leaves<T>(init, "scan_with_total", a.where);
    auto kind = detail::scan_kind(true, true, option...);
    auto out = detail::scan_leaves("scan_with_total", op, &first, *a.array, kind, a.where);
    return std::tuple(detail::listed_array<T, rank_v<A>>(out, 0),
                      detail::listed_array<T, rank_v<A> - 1>(out, detail::leaf_count<T>));
}

}  // namespace sinter
