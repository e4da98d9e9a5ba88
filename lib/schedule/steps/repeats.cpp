// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets are followed as affine functions of the indices of the point; sizes are numbers.
#include "schedule/steps/repeats.hpp"

#include "ir/evaluate.hpp"

#include <algorithm>
#include <vector>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// A constant, and a factor for each index.
struct Affine {
    std::vector<std::int64_t> factors;
    std::int64_t constant = 0;

    bool is_constant() const {
        return std::all_of(factors.begin(), factors.end(), [](std::int64_t factor) { return factor == 0; });
    }
    bool operator==(const Affine&) const = default;
};
using MaybeAffine = std::optional<Affine>;

class Offsets {
  public:
    Offsets(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known)
        : kernel_(kernel), sizes_(sizes), known_(known) {
        const std::size_t axes = kernel.space.size();
        for (std::size_t axis = 0; axis < axes; ++axis) {
            Affine index{std::vector<std::int64_t>(axes)};
            index.factors[axis] = 1;
            locals_.push_back(std::move(index));
        }
        makers_.resize(axes);
        for (const Inst& inst : kernel.body.insts) {
            locals_.push_back(inst.types.size() == 1 && inst.type() == lower::Scalar::i64 ? value(inst) : std::nullopt);
            makers_.push_back(&inst);
            if (inst.types.size() == 1) continue;
            locals_.resize(locals_.size() - 1 + inst.types.size());
            makers_.resize(locals_.size());
        }
    }

    const MaybeAffine& operator[](ir::Local local) const { return locals_[local.index]; }
    /// What has made a local; null for an index.
    const Inst* maker(ir::Local local) const { return makers_[local.index]; }

  private:
    Affine number(std::int64_t n) const { return {std::vector<std::int64_t>(kernel_.space.size()), n}; }

    MaybeAffine value(const Inst& inst) const {
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

    /// a + factor * b
    static Affine sum(Affine a, const Affine& b, std::int64_t factor) {
        for (std::size_t k = 0; k < a.factors.size(); ++k) a.factors[k] += factor * b.factors[k];
        a.constant += factor * b.constant;
        return a;
    }

    const lower::Kernel& kernel_;
    const std::int64_t* sizes_;
    const KnownNumbers& known_;
    std::vector<MaybeAffine> locals_;
    std::vector<const Inst*> makers_;
};

}  // namespace

std::optional<std::size_t> repeated_input(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known,
                                          std::size_t output, std::int64_t ahead) {
    const Offsets offsets(kernel, sizes, known);
    std::optional<std::size_t> input;
    for (const Inst& inst : kernel.body.insts) {
        if (inst.op != Op::store || inst.bits != output) continue;
        const Inst* load = offsets.maker(inst.operands[1]);
        if (input || !load || load->op != Op::load || kernel.buffers[load->bits].output) return std::nullopt;
        MaybeAffine to = offsets[inst.operands[0]];
        const MaybeAffine& from = offsets[load->operands[0]];
        if (to) to->constant -= ahead;
        if (!to || !from || *to != *from) return std::nullopt;
        input = load->bits;
    }
    return input;
}

}  // namespace sinter::schedule
