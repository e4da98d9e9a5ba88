// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/verify.hpp"

#include "ir/verify/block_verifier.hpp"
#include "lower/loops.hpp"
#include "support/verifying.hpp"

#include <utility>

namespace sinter::lower {

namespace {

using ir::Op;
using Scalars = std::vector<Scalar>;

Scalars twice(const Scalars& types) {
    Scalars both = types;
    both.insert(both.end(), types.begin(), types.end());
    return both;
}

Scalars indices(std::size_t rank) { return Scalars(rank, Scalar::i64); }

bool may_stay_unrounded(Op op, Scalar type) {
    return (op == Op::add || op == Op::sub || op == Op::mul) && (type == Scalar::f32 || type == Scalar::f64);
}

class KernelVerifier : ir::BlockVerifier {
  public:
    explicit KernelVerifier(const Kernel& kernel)
        : BlockVerifier("kernel " + kernel.name, {"K1", "K3", "K4", true}), kernel_(kernel) {}

    void run() {
        tables();
        require(kernel_.body.params == indices(kernel_.space.size()), "K1", "an index per axis of the space expected");
        require(block(kernel_.body).empty(), "K1", "a body with results");
    }

  private:
    void tables() const {
        for (std::size_t k = 0; k < kernel_.sizes.count(); ++k) {
            const ir::Size& size = kernel_.sizes[SizeId(k)];
            const bool before = !size.left.valid() || (size.left.index < k && size.right.index < k);
            require(before, "K6", "a size that is made of later ones");
        }
        for (SizeId id : kernel_.space) entry(id);
        for (SizeId id : kernel_.nonempty) entry(id);
        for (const Accumulator& a : kernel_.accumulators) {
            require(a.buffer < kernel_.buffers.size(), "K8", "an accumulator that is not there");
            const Buffer& buffer = kernel_.buffers[a.buffer];
            require(buffer.output && !buffer.dest, "K8", "an accumulator that is an input or begins as a copy");
        }
        for (const Buffer& buffer : kernel_.buffers) {
            entry(buffer.elements);
            require(!(buffer.local && buffer.output), "K8", "an output that is local");
            if (buffer.takes) taken(buffer);
            if (!buffer.dest) continue;
            require(buffer.output && *buffer.dest < kernel_.buffers.size(), "K8", "a copy of what is not there");
            const Buffer& from = kernel_.buffers[*buffer.dest];
            require(!from.output && !from.local && from.scalar == buffer.scalar, "K8", "a copy of what is no such input");
        }
    }

    void taken(const Buffer& buffer) const {
        require(buffer.output && !buffer.dest && *buffer.takes < kernel_.buffers.size(), "K8",
                "memory of what is not there");
        const Buffer& from = kernel_.buffers[*buffer.takes];
        require(!from.output && !from.local && from.scalar == buffer.scalar && from.elements == buffer.elements, "K8",
                "memory of what is no such input");
    }

    void entry(SizeId id) const { require(id.index < kernel_.sizes.count(), "K6", "a size that is not in the table"); }

    void instruction(const Inst& inst, const Scalars& operands) override {
        switch (inst.op) {
            case Op::read:
            case Op::extent:
                return require(false, "K2", "an operation of functions");
            case Op::load:
            case Op::store:
                return memory(inst, operands);
            case Op::reduce:
                return reduce(inst, operands);
            case Op::for_each:
                return for_each(inst, operands);
            case Op::scan:
                return scan(inst, operands);
            case Op::compact:
                return compact(inst, operands);
            case Op::update:
                return update(inst, operands);
            default:
                return plain(inst, operands);
        }
    }

    void plain(const Inst& inst, const Scalars& operands) const {
        require(ir::info(inst.op).traits != ir::Traits::math, "K2", "an operation that lib/ir/math defines");
        require(inst.blocks.empty(), "K4", "blocks of an operation without");
        require(inst.types.size() == 1, "K2", "one result expected");
        if (inst.op == Op::expect) return expected(inst, operands);
        const auto type = ir::result_type(inst.op, operands, inst.type());
        require(type && *type == inst.type(), "K2", "the types do not fit the operation");
        if (inst.op == Op::constant) return constant(inst);
        if (inst.op == Op::size) return require(inst.bits < kernel_.sizes.count(), "K6", "a size that is not in the table");
        if (inst.op == Op::check_index) return checked(inst, false, operands == indices(2));
        if (inst.op == Op::check_divisor) return checked(inst, true, true);
        if (inst.op == Op::print) return printed(inst, operands);
        const bool contract = inst.bits == ir::contract_bits && may_stay_unrounded(inst.op, inst.type());
        require(inst.bits == 0 || contract || (inst.bits == ir::tf32_bits && ir::may_be_tf32(inst)), "K3",
                "bits without a meaning");
    }

    void checked(const Inst& inst, bool divisor, bool types) const {
        require(inst.bits < kernel_.checks.size(), "K7", "no such check");
        require((kernel_.checks[inst.bits].kind == Check::Kind::divisor) == divisor, "K7", "a check of another kind");
        require(types, "K7", "an index or extent that is no i64");
    }

    void expected(const Inst& inst, const Scalars& operands) const {
        require(inst.bits < kernel_.checks.size(), "K7", "no such check");
        const Check::Kind kind = kernel_.checks[inst.bits].kind;
        const bool of_sizes = kind == Check::Kind::guard || kind == Check::Kind::shape;
        require(of_sizes || kind == Check::Kind::expect, "K7", "a check of another kind");
        Scalars expected{Scalar::boolean, Scalar::i64};
        if (of_sizes) expected.push_back(Scalar::i64);
        require(operands == expected && inst.type() == Scalar::boolean, "K7", "a boolean and numbers to report");
    }

    void printed(const Inst& inst, const Scalars& operands) const {
        require(inst.bits < kernel_.checks.size(), "K7", "no such check");
        const Check& check = kernel_.checks[inst.bits];
        require(check.kind == Check::Kind::print, "K7", "a check of another kind");
        require(operands == indices(check.types.size() + 1), "K7", "as many i64 as there are types, after the number");
    }

    void memory(const Inst& inst, const Scalars& operands) const {
        require(inst.bits < kernel_.buffers.size(), "K5", "no such buffer");
        require(inst.blocks.empty(), "K4", "blocks of an operation without");
        const Buffer& buffer = kernel_.buffers[inst.bits];
        if (inst.op == Op::load) {
            require(operands == indices(1) && inst.types == Scalars{buffer.scalar}, "K5", "other types than the buffer's");
            require(!buffer.output || (buffer.dest && kernel_.space.empty()), "K5", "an output is loaded");
        } else {
            require(operands == Scalars{Scalar::i64, buffer.scalar} && inst.types.empty(), "K5",
                    "other types than the buffer's");
            require(buffer.output || buffer.local, "K5", "an input is stored");
        }
    }

    /// Checks operands that are extents, followed by values.
    void extents(const Inst& inst, const Scalars& operands, std::size_t rank, const Scalars& values,
                 const char* invariant) const {
        Scalars expected = indices(rank);
        expected.insert(expected.end(), values.begin(), values.end());
        require(rank >= 1 && operands == expected, invariant, "operands are not extents and values");
        require(!inst.blocks.empty(), invariant, "blocks are missing");
    }

    void reduce(const Inst& inst, const Scalars& operands) {
        const std::size_t rank = loop_rank(inst);
        require(inst.bits >> 9 == 0, "K9", "bits without a meaning");
        extents(inst, operands, rank, inst.types, "K9");
        require(inst.blocks.size() == 2, "K9", "two blocks expected");
        nested(inst, 0, indices(rank), inst.types, "K9");
        const bool outer = std::exchange(combining_, true);
        nested(inst, 1, twice(inst.types), inst.types, "K9");
        combining_ = outer;
    }

    void for_each(const Inst& inst, const Scalars& operands) {
        extents(inst, operands, loop_rank(inst), {}, "K10");
        require(inst.blocks.size() == 1 && inst.types.empty(), "K10", "one block and no result expected");
        nested(inst, 0, indices(loop_rank(inst)), {}, "K10");
    }

    void scan(const Inst& inst, const Scalars& operands) {
        const bool exclusive = is_exclusive(inst), seeded = operands.size() > 1;
        require(loop_rank(inst) == 1 && inst.bits >> 9 == 0, "K11", "bits without a meaning");
        extents(inst, operands, 1, seeded ? inst.types : Scalars{}, "K11");
        require(seeded || !exclusive, "K11", "exclusive without initial values");
        require(inst.blocks.size() == 3, "K11", "three blocks expected");
        Scalars shown = inst.types;
        shown.insert(shown.begin(), Scalar::i64);
        const bool outer = std::exchange(combining_, true);
        nested(inst, 0, indices(1), inst.types, "K11");
        nested(inst, 1, twice(inst.types), inst.types, "K11");
        combining_ = outer;
        const bool around = std::exchange(emitting_, true);
        nested(inst, 2, shown, {}, "K11");
        emitting_ = around;
    }

    /// Checks that the buffers from that of `bits` on are outputs with these scalars.
    void outputs(const Inst& inst, const Scalars& scalars, bool copies) const {
        for (std::size_t k = 0; k < scalars.size(); ++k) {
            require(inst.bits + k < kernel_.buffers.size(), "K12", "no such buffer");
            const Buffer& buffer = kernel_.buffers[inst.bits + k];
            require(buffer.output && buffer.scalar == scalars[k], "K12", "a buffer that is no output of this scalar");
            require(!copies || buffer.dest || accumulator_at(kernel_, inst.bits + k), "K12",
                    "an update of what has no contents");
        }
    }

    void compact(const Inst& inst, const Scalars& operands) {
        require(inst.types == indices(1), "K12", "the result is not a number");
        extents(inst, operands, 1, {}, "K12");
        require(inst.blocks.size() == 1, "K12", "one block expected");
        const Scalars kept = nested(inst, 0, indices(1), "K12");
        require(!kept.empty() && kept[0] == Scalar::boolean, "K12", "no boolean says what is kept");
        outputs(inst, {kept.begin() + 1, kept.end()}, false);
    }

    void update(const Inst& inst, const Scalars& operands) {
        require(!combining_, "K12", "an update in an operator, or in the elements of a scan");
        require(!emitting_ || accumulator_at(kernel_, inst.bits), "K12", "a scan updates what is no accumulator");
        require(!operands.empty() && operands[0] == Scalar::i64 && inst.types.empty(), "K12", "no offset");
        require(inst.blocks.size() == 1, "K12", "one block expected");
        const Scalars values(operands.begin() + 1, operands.end());
        outputs(inst, values, true);
        nested(inst, 0, twice(values), values, "K12");
    }

    const Kernel& kernel_;
    bool combining_ = false;
    bool emitting_ = false;
};

}  // namespace

void verify(const Kernel& kernel) { KernelVerifier(kernel).run(); }

Kernel verified(Kernel kernel) {
    if (is_verifying()) verify(kernel);
    return kernel;
}

}  // namespace sinter::lower
