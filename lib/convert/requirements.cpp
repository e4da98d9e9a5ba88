// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/requirements.hpp"

#include <fmt/format.h>

#include <utility>

namespace sinter::convert {

/// Returns false if the pair has been entered before.
bool Requirements::enter(SizeId left, SizeId right) {
    std::uint64_t key = std::uint64_t(left.index) << 32 | right.index;
    if (entered_.find(key) != HashTable::none) return false;
    entered_.insert(key, term_.index);
    return true;
}

void Requirements::add(SizeId left, SizeId right, std::string message) {
    if (!enter(left, right)) return;
    sized_.requirements.push_back({left, right, term_, std::move(message)});
}

void Requirements::settle(const Equalities::Answer& answer, std::string message) {
    auto [left, right] = answer.equation;
    if (answer.outcome == Equalities::Outcome::assumed) return add(left, right, std::move(message));
    Equalities& sizes = sized_.sizes;
    throw ShapeError(fmt::format("{}: {} and {} differ", message, *sizes.known(left), *sizes.known(right)), node_->where);
}

void Requirements::at_most(SizeId low, SizeId high, const std::function<std::string()>& describe, Requirement::Place place) {
    Equalities& sizes = sized_.sizes;
    low = sizes.resolve(low);
    high = sizes.resolve(high);
    if (sizes.table.is_constant(low, 0) && sizes.is_nonnegative(high)) return;
    auto a = sizes.known(low), b = sizes.known(high);
    if (a && b && *a <= *b) return;
    SizeId larger = sizes.table.maximum(low, high);
    if (larger == high) return;
    if (place == Requirement::Place::branch && !branches_ && !enter(larger, high)) return;
    sized_.requirements.push_back({larger, high, term_, describe(), place});
}

}  // namespace sinter::convert
