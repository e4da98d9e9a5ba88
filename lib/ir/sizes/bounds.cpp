// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/bounds.hpp"

#include <algorithm>

namespace sinter::ir {

void SizeBounds::count(ValueId counter, ValueId count) {
    counters_[counter.index] = given(count);
    known_.clear();
}

SizeId SizeBounds::sum(SizeId a, std::int64_t factor, SizeId b) {
    if (factor == -1) return sizes_.sub(a, b);
    return sizes_.add(a, factor == 1 ? b : sizes_.mul(sizes_.constant(factor), b));
}

std::optional<SizeId> SizeBounds::as_size(const LinearForm& form) {
    const auto bounds = of_form(form);
    return bounds && bounds->least == bounds->most ? std::optional(bounds->least) : std::nullopt;
}

std::optional<Bounds> SizeBounds::of_form(const LinearForm& form) {
    const SizeId constant = sizes_.constant(form.constant);
    Bounds bounds{constant, constant};
    for (const auto& [term, factor] : form.factors) {
        const auto part = of_term(term);
        if (!part) return std::nullopt;
        bounds.least = sum(bounds.least, factor, factor > 0 ? part->least : part->most);
        bounds.most = sum(bounds.most, factor, factor > 0 ? part->most : part->least);
    }
    return bounds;
}

std::optional<Bounds> SizeBounds::of_term(Term term) {
    if (term.kind == Term::Kind::axis) return std::nullopt;
    if (term.kind == Term::Kind::size) return compound(sizes_[SizeId(term.index)]);
    if (const auto counter = counters_.find(term.index); counter != counters_.end()) {
        if (!counter->second) return std::nullopt;
        return Bounds{sizes_.constant(0), sizes_.sub(*counter->second, sizes_.constant(1))};
    }
    if (term.index >= inputs_) return std::nullopt;
    const SizeId value = sizes_.value(ValueId(term.index));
    return Bounds{value, value};
}

std::optional<Bounds> SizeBounds::of(SizeId size) {
    if (const auto known = known_.find(size); known != known_.end()) return known->second;
    const auto bounds = of_form(forms_.of(size));
    return known_[size] = bounds;
}

/// Of a size that is no form of others.
std::optional<Bounds> SizeBounds::compound(Size size) {
    if (size.kind == Size::Kind::input_extent || size.kind == Size::Kind::argument) {
        const SizeId own = sizes_.intern(size);
        return Bounds{own, own};
    }
    if (!size.left.valid()) return std::nullopt;
    const auto left = of(size.left), right = of(size.right);
    if (!left || !right) return std::nullopt;
    const bool is_monotonic = size.kind == Size::Kind::minimum || size.kind == Size::Kind::maximum;
    const bool is_fixed = left->least == left->most && right->least == right->most;
    if (!is_monotonic && !is_fixed) return std::nullopt;
    Size least = size, most = size;
    least.left = left->least, least.right = right->least, most.left = left->most, most.right = right->most;
    const SizeId low = sizes_.intern(least), high = sizes_.intern(most);
    return Bounds{low, high};
}

std::optional<AtMost> SizeBounds::sufficient(const Guard& guard) {
    for (auto [larger, other] : {std::pair(guard.left, guard.right), std::pair(guard.right, guard.left)}) {
        const Size size = sizes_[larger];
        if (size.kind != Size::Kind::maximum || (size.left != other && size.right != other)) continue;
        const auto low = of(size.left == other ? size.right : size.left), high = of(other);
        if (low && high) return AtMost{low->most, high->least};
    }
    return std::nullopt;
}

bool SizeBounds::is_certain(SizeId low, SizeId high, int nested) {
    const MaybeForm more = combine(forms_.of(high), -1, forms_.of(low));
    auto is_extent = [&](const auto& term) {
        return term.second > 0 && term.first.kind == Term::Kind::size &&
               sizes_[SizeId(term.first.index)].kind == Size::Kind::input_extent;
    };
    if (more && more->constant >= 0 && std::all_of(more->factors.begin(), more->factors.end(), is_extent)) return true;
    if (nested-- == 0) return false;
    const Size a = sizes_[low], b = sizes_[high];
    if (a.kind == Size::Kind::maximum) return is_certain(a.left, high, nested) && is_certain(a.right, high, nested);
    if (b.kind == Size::Kind::minimum) return is_certain(low, b.left, nested) && is_certain(low, b.right, nested);
    if (a.kind == Size::Kind::minimum) return is_certain(a.left, high, nested) || is_certain(a.right, high, nested);
    return b.kind == Size::Kind::maximum && (is_certain(low, b.left, nested) || is_certain(low, b.right, nested));
}

}  // namespace sinter::ir
