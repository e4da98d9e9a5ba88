// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_sizes.hpp"

#include <algorithm>

namespace sinter::runtime {

using ir::Local;
using ir::Op;
using ir::Scalar;
using ir::Size;
using ir::SizeId;
using ir::Type;
using ir::ValueId;

namespace {

/// The operation that computes a size; nothing for a division.
std::optional<Op> op_of(Size::Kind kind) {
    switch (kind) {
        case Size::Kind::add:
            return Op::add;
        case Size::Kind::sub:
            return Op::sub;
        case Size::Kind::mul:
            return Op::mul;
        case Size::Kind::minimum:
            return Op::minimum;
        case Size::Kind::maximum:
            return Op::maximum;
        default:
            return std::nullopt;
    }
}

}  // namespace

lower::Place& LoopScope::find(ValueId id) {
    LoopScope* scope = this;
    while (id.index < scope->base) scope = scope->parent;
    return scope->variables[id.index - scope->base];
}

Local local_at(const lower::Place& place) {
    const auto* local = std::get_if<Local>(&place);
    if (!local) throw Impossible();
    return *local;
}

LoopSizes::LoopSizes(const ir::Program& program, const LoopStep& loop, LoopKernel& result, lower::Kernel& kernel,
                     lower::BlockWriter& to)
    : program_(program), result_(result), kernel_(kernel), to_(to) {
    find_known(loop);
}

/// Which sizes are.
void LoopSizes::find_known(const LoopStep& loop) {
    for (std::size_t k = 0; k < program_.sizes.count(); ++k) {
        const Size& size = program_.sizes[SizeId(k)];
        const bool inside = size.kind == Size::Kind::value && static_cast<std::size_t>(size.index) >= loop.to.index;
        const bool known = !size.left.valid() || (is_known(size.left) && is_known(size.right));
        result_.known.push_back(known && !inside);
    }
}

/// A size that is known, in the kernel's table.
SizeId LoopSizes::known(SizeId id) {
    const Size& size = program_.sizes[id];
    if (size.kind == Size::Kind::constant) return kernel_.sizes.constant(size.index);
    auto& sizes = result_.step.sizes;
    const auto found = std::find(sizes.begin(), sizes.end(), id);
    const auto position = static_cast<std::size_t>(found - sizes.begin());
    if (found == sizes.end()) sizes.push_back(id);
    return kernel_.sizes.argument(position);
}

SizeId LoopSizes::elements(const Type& type) {
    SizeId count = kernel_.sizes.constant(1);
    for (SizeId id : type.shape) count = kernel_.sizes.mul(count, known(id));
    return count;
}

SizeId LoopSizes::most_elements(const Type& type, LoopScope& scope) {
    const SizeId none = kernel_.sizes.constant(0);
    SizeId count = kernel_.sizes.constant(1);
    for (SizeId id : type.shape) {
        const auto extent = most(id, scope);
        if (!extent) throw Impossible();
        count = kernel_.sizes.mul(count, kernel_.sizes.maximum(*extent, none));
    }
    return count;
}

/// What a size never exceeds in the loop, in the kernel's table.
std::optional<SizeId> LoopSizes::most(SizeId id, LoopScope& scope) {
    if (is_known(id)) return known(id);
    const Size size = program_.sizes[id];
    if (size.kind == Size::Kind::value) return most_of(ValueId(static_cast<std::size_t>(size.index)));
    const auto left = most(size.left, scope), right = most(size.right, scope);
    ir::SizeTable& sizes = kernel_.sizes;
    switch (size.kind) {
        case Size::Kind::add:
            return left && right ? std::optional(sizes.add(*left, *right)) : std::nullopt;
        case Size::Kind::sub:
            if (const auto less = least(size.right, scope); left && less) return sizes.sub(*left, *less);
            return std::nullopt;
        case Size::Kind::mul:
            if (is_negative(size.left, scope) || is_negative(size.right, scope)) return std::nullopt;
            return left && right ? std::optional(sizes.mul(*left, *right)) : std::nullopt;
        case Size::Kind::minimum:
            return left && right ? std::optional(sizes.minimum(*left, *right)) : left ? left : right;
        case Size::Kind::maximum:
            return left && right ? std::optional(sizes.maximum(*left, *right)) : std::nullopt;
        default:
            return std::nullopt;
    }
}

/// What a size is never less than in the loop, in the same way.
std::optional<SizeId> LoopSizes::least(SizeId id, LoopScope& scope) {
    if (is_known(id)) return known(id);
    const Size size = program_.sizes[id];
    ir::SizeTable& sizes = kernel_.sizes;
    const auto if_positive = [&] { return is_negative(id, scope) ? std::nullopt : std::optional(sizes.constant(0)); };
    if (size.kind == Size::Kind::value) return if_positive();
    const auto left = least(size.left, scope), right = least(size.right, scope);
    switch (size.kind) {
        case Size::Kind::add:
            if (left && right) return sizes.add(*left, *right);
            break;
        case Size::Kind::sub:
            if (const auto more = most(size.right, scope); left && more) return sizes.sub(*left, *more);
            break;
        case Size::Kind::minimum:
            if (left && right) return sizes.minimum(*left, *right);
            break;
        case Size::Kind::maximum:
            if (left || right) return left && right ? sizes.maximum(*left, *right) : left ? left : right;
            break;
        default:
            break;
    }
    return if_positive();
}

/// Of a counter, whose count is in the program's table (enter_counts in plan.cpp).
std::optional<SizeId> LoopSizes::most_of(ValueId value) {
    const auto counter = counts_.find(value);
    const auto count = counter == counts_.end() ? std::nullopt : size_of(counter->second);
    if (!count || !is_known(*count)) return std::nullopt;
    return kernel_.sizes.sub(known(*count), kernel_.sizes.constant(1));
}

/// The number as a size, if the program's table has it.
std::optional<SizeId> LoopSizes::size_of(ValueId number) const {
    for (std::size_t k = 0; k < program_.sizes.count(); ++k) {
        const Size& size = program_.sizes[SizeId(k)];
        if (size.kind == Size::Kind::value && static_cast<std::size_t>(size.index) == number.index) return SizeId(k);
    }
    return std::nullopt;
}

std::int64_t LoopSizes::most_of_number(ValueId id) const { return size_of(id) ? largest_loop_size : largest_loop_number; }

/// Whether it may be.
bool LoopSizes::is_negative(SizeId id, LoopScope& scope) { return to_.range(size(id, scope)).least < 0; }

Local LoopSizes::entry(SizeId id) {
    const Size& size = kernel_.sizes[id];
    if (size.kind == Size::Kind::constant) return to_.index(size.index);
    const Local local = to_.append({Op::size, {Scalar::i64}, id.index, {}, {}});
    to_.set_range(local, {-most_of_entry(size), most_of_entry(size)});
    return local;
}

Local LoopSizes::size(SizeId id, LoopScope& scope) {
    if (const auto found = scope.sizes.find(id); found != scope.sizes.end()) return found->second;
    const Local local = new_size(id, scope);
    scope.sizes.emplace(id, local);
    return local;
}

Local LoopSizes::new_size(SizeId id, LoopScope& scope) {
    if (is_known(id)) return entry(known(id));
    const Size& size = program_.sizes[id];
    if (size.kind == Size::Kind::value) return local_at(scope.find(ValueId(static_cast<std::size_t>(size.index))));
    return compute(size.kind, this->size(size.left, scope), this->size(size.right, scope));
}

Local LoopSizes::compute(Size::Kind kind, Local left, Local right) {
    const std::optional<Op> op = op_of(kind);
    if (!op || !lower::range_of(*op, to_.range(left), to_.range(right))) throw Impossible();
    return to_.append(*op, left, right);
}

std::vector<std::optional<Local>> LoopSizes::of_part(const KernelStep& step, LoopScope& scope) {
    const lower::Kernel& part = step.kernel->kernel;
    std::vector<std::optional<Local>> locals(part.sizes.count());
    std::vector<bool> needed = lower::sizes_needed(part);
    for (std::size_t k = needed.size(); k-- > 0;)
        if (const Size& size = part.sizes[SizeId(k)]; needed[k] && size.left.valid() && !is_known_entry(step, SizeId(k)))
            needed[size.left.index] = needed[size.right.index] = true;
    for (std::size_t k = 0; k < needed.size(); ++k) {
        if (!needed[k]) continue;
        const Size& size = part.sizes[SizeId(k)];
        if (is_known_entry(step, SizeId(k)))
            locals[k] = entry(known_entry(step, SizeId(k)));
        else if (size.kind == Size::Kind::argument)
            locals[k] = this->size(step.sizes[static_cast<std::size_t>(size.index)], scope);
        else
            locals[k] = compute(size.kind, *locals[size.left.index], *locals[size.right.index]);
    }
    return locals;
}

bool LoopSizes::varies(const KernelStep& step) const {
    const std::vector<bool> needed = lower::sizes_needed(step.kernel->kernel);
    for (std::size_t k = 0; k < needed.size(); ++k)
        if (needed[k] && !is_known_entry(step, SizeId(k))) return true;
    return false;
}

/// Whether an entry of the part's table is known before the loop begins.
bool LoopSizes::is_known_entry(const KernelStep& step, SizeId id) const {
    const Size& size = step.kernel->kernel.sizes[id];
    if (size.kind == Size::Kind::argument) return is_known(step.sizes[static_cast<std::size_t>(size.index)]);
    return !size.left.valid() || (is_known_entry(step, size.left) && is_known_entry(step, size.right));
}

SizeId LoopSizes::known_entry(const KernelStep& step, SizeId id) {
    if (!is_known_entry(step, id)) throw Impossible();
    const Size& size = step.kernel->kernel.sizes[id];
    if (size.kind == Size::Kind::argument) return known(step.sizes[static_cast<std::size_t>(size.index)]);
    if (size.kind == Size::Kind::constant) return kernel_.sizes.constant(size.index);
    return kernel_.sizes.intern({size.kind, 0, 0, known_entry(step, size.left), known_entry(step, size.right)});
}

}  // namespace sinter::runtime
