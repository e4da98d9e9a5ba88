// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/affine.hpp"

#include "ir/evaluate.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// a + factor * b, modulo 2^64 as in kernels.
std::int64_t sum(std::int64_t a, std::int64_t b, std::int64_t factor) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                     static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(b));
}
Affine sum(Affine a, const Affine& b, std::int64_t factor) {
    a.factors.resize(std::max(a.factors.size(), b.factors.size()));
    for (std::size_t k = 0; k < b.factors.size(); ++k) a.factors[k] = sum(a.factors[k], b.factors[k], factor);
    a.constant = sum(a.constant, b.constant, factor);
    return a;
}

}  // namespace

bool Affine::is_constant() const {
    return std::all_of(factors.begin(), factors.end(), [](std::int64_t factor) { return factor == 0; });
}

AffineNumbers::AffineNumbers(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known)
    : kernel_(kernel), sizes_(sizes), known_(known) {
    for (ir::SizeId id : kernel.space) extents_.push_back(sizes[id.index]);
    for (std::size_t k = 0; k < kernel.space.size(); ++k) add(index(k), nullptr);
    walk(kernel.body);
}

/// Factors are those of a mixed radix system, and the least offset is 0: no two places are the same, none is left out.
bool AffineNumbers::stores_each_once(std::size_t output) const {
    const Access* found = nullptr;
    for (const Access& access : accesses_) {
        if (access.inst->op != Op::store || access.inst->bits != output) continue;
        if (found || !access.offset || !access.always) return false;
        found = &access;
    }
    if (!found) return false;
    const std::int64_t elements = sizes_[kernel_.buffers[output].elements.index];
    std::int64_t least = found->offset->constant;
    std::vector<std::pair<std::int64_t, std::int64_t>> digits;  // factor, extent
    for (std::size_t k = 0; k < found->extents.size(); ++k) {
        const std::int64_t factor = k < found->offset->factors.size() ? found->offset->factors[k] : 0;
        const std::int64_t extent = found->extents[k];
        if (extent == 1) continue;
        if (std::max(factor, sum(0, factor, -1)) > elements || factor == INT64_MIN) return false;
        if (factor < 0) least = sum(least, factor, extent - 1);
        digits.emplace_back(std::abs(factor), extent);
    }
    std::sort(digits.begin(), digits.end());
    std::int64_t next = 1;
    for (const auto& [factor, extent] : digits) {
        if (factor != next || next > elements / extent) return false;
        next *= extent;
    }
    return least == 0 && next == elements;
}

/// The factors of these axes are so large that nothing else reaches from one of their places to the next.
bool AffineNumbers::updates_apart(std::size_t buffer, std::size_t axes) const {
    const Access* found = nullptr;
    for (const Access& access : accesses_) {
        if (access.inst->op != Op::update) continue;
        const std::size_t first = access.inst->bits, behind = first + access.inst->operands.size() - 1;
        if (buffer < first || buffer >= behind) continue;
        if (found || !access.offset || access.guarded) return false;
        found = &access;
    }
    if (!found) return false;
    const std::int64_t elements = sizes_[kernel_.buffers[buffer].elements.index];
    std::int64_t span = 1;                                      // elements from the first to the last, and one more
    std::vector<std::pair<std::int64_t, std::int64_t>> places;  // factor, extent
    for (std::size_t k = 0; k < found->extents.size(); ++k) {
        const std::int64_t factor = k < found->offset->factors.size() ? found->offset->factors[k] : 0;
        if (found->extents[k] <= 1) continue;
        if (factor < -elements || factor > elements) return false;
        if (factor != 0 && found->extents[k] - 1 > elements / std::abs(factor)) return false;  // it leaves the array
        if (k < axes)
            places.emplace_back(std::abs(factor), found->extents[k]);
        else
            span += std::abs(factor) * (found->extents[k] - 1);
    }
    std::sort(places.begin(), places.end());
    for (const auto& [factor, extent] : places) {
        if (factor < span || span > elements) return false;
        span += factor * (extent - 1);
    }
    return true;
}

void AffineNumbers::walk(const lower::Block& block) {
    for (const Inst& inst : block.insts) {
        if (inst.op == Op::store || inst.op == Op::load || inst.op == Op::update)
            accesses_.push_back({&inst, loop_, (*this)[inst.operands[0]], extents_, always_, guarded_, locals_.size()});
        if (!inst.blocks.empty()) enter(inst);
        if (inst.types.size() == 1 && inst.type() == lower::Scalar::i64 && inst.blocks.empty()) {
            add(value(inst), &inst);
        } else {
            for (std::size_t k = 0; k < inst.types.size(); ++k) add(std::nullopt, inst.types.size() == 1 ? &inst : nullptr);
        }
    }
}

/// How often a counted loop, or one of one axis, executes its first block; 0 of anything else, and if that is not known.
std::int64_t AffineNumbers::count_of(const Inst& inst) const {
    const bool is_line = (inst.op == Op::reduce || inst.op == Op::for_each) && lower::loop_rank(inst) == 1;
    const bool is_counted = inst.op == Op::for_loop || is_line;
    const MaybeAffine extent = is_counted ? (*this)[inst.operands[0]] : std::nullopt;
    return extent && extent->is_constant() && extent->constant > 0 ? extent->constant : 0;
}

/// The blocks of an instruction.
void AffineNumbers::enter(const Inst& inst) {
    const std::int64_t count = count_of(inst);
    const bool was_always = always_, was_guarded = guarded_, is_outermost = !loop_;
    guarded_ = guarded_ || inst.op == Op::cond || inst.op == Op::while_loop;
    always_ = always_ && count > 0;
    if (is_outermost) loop_ = &inst;
    extents_.push_back(std::max<std::int64_t>(count, 1));
    const std::size_t base = locals_.size();
    for (const lower::Block& block : inst.blocks) {
        const bool counts = count > 0 && &block == inst.blocks.data();
        for (std::size_t k = 0; k < block.params.size(); ++k)
            add(k == 0 && counts ? MaybeAffine(index(extents_.size() - 1)) : std::nullopt, nullptr);
        walk(block);
        locals_.resize(base);
        makers_.resize(base);
    }
    extents_.pop_back();
    if (is_outermost) loop_ = nullptr;
    always_ = was_always;
    guarded_ = was_guarded;
}

void AffineNumbers::add(MaybeAffine number, const Inst* maker) {
    locals_.push_back(std::move(number));
    makers_.push_back(maker);
}

Affine AffineNumbers::number(std::int64_t n) const { return {std::vector<std::int64_t>(kernel_.space.size()), n}; }

Affine AffineNumbers::index(std::size_t k) const {
    Affine index = number(0);
    index.factors.resize(std::max(index.factors.size(), k + 1));
    index.factors[k] = 1;
    return index;
}

MaybeAffine AffineNumbers::value(const Inst& inst) const {
    if (inst.op == Op::constant) return number(ir::to_int64(inst.type(), inst.bits));
    if (inst.op == Op::size) return number(sizes_[inst.bits]);
    if (inst.op == Op::load && inst.bits < known_.size() && known_[inst.bits]) return number(*known_[inst.bits]);
    if (inst.operands.size() != 2) return std::nullopt;
    const MaybeAffine &a = (*this)[inst.operands[0]], &b = (*this)[inst.operands[1]];
    if (!a || !b) return std::nullopt;
    switch (inst.op) {
        case Op::add:
            return sum(*a, *b, 1);
        case Op::sub:
            return sum(*a, *b, -1);
        case Op::mul:
            if (b->is_constant()) return sum(number(0), *a, b->constant);
            return a->is_constant() ? MaybeAffine(sum(number(0), *b, a->constant)) : std::nullopt;
        case Op::check_index: {
            const bool holds = a->is_constant() && b->is_constant() && a->constant >= 0 && a->constant < b->constant;
            return holds ? a : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace sinter::schedule
