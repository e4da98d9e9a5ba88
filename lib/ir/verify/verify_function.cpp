// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/block_verifier.hpp"
#include "ir/verify/verify.hpp"

namespace sinter::ir {

namespace {

class FnVerifier : BlockVerifier {
  public:
    explicit FnVerifier(const Fn& fn) : BlockVerifier("function", {"F1", "F3", "F4"}), fn_(fn) {}

    void run() { block(fn_.body); }

  private:
    void instruction(const Inst& inst, const Scalars& operands) override {
        const OpInfo& op = info(inst.op);
        const bool kernel = op.traits == Traits::memory || op.traits == Traits::effect || op.traits == Traits::loop ||
                            inst.op == Op::size || inst.op == Op::check_divisor || inst.op == Op::print;
        require(!kernel, "F6", "an operation of kernels in a function");
        require(inst.blocks.empty(), "F4", "blocks of an operation that is not control");
        require(inst.types.size() == 1, "F2", "one result expected");
        auto type = result_type(inst.op, operands, inst.type());
        require(type.has_value(), "F2", "operands do not fit the operation");
        require(*type == inst.type(), "F2", "the result's type is not that of the operation");
        attribute(inst, operands);
    }

    void attribute(const Inst& inst, const Scalars& operands) const {
        switch (inst.op) {
            case Op::constant:
                constant(inst);
                break;
            case Op::read: {
                require(inst.bits < fn_.arrays.size(), "F5", "read of a slot that does not exist");
                const ArrayParam& slot = fn_.arrays[inst.bits];
                require(operands.size() == slot.rank, "F5", "read with a wrong number of indices");
                require(operands == Scalars(slot.rank, Scalar::i64), "F5", "an index of a read is not i64");
                require(inst.type() == slot.scalar, "F5", "a read's type is not that of its slot");
                break;
            }
            case Op::extent:
                require(extent_of(inst).slot < fn_.arrays.size(), "F5", "extent of a slot that does not exist");
                require(extent_of(inst).axis < fn_.arrays[extent_of(inst).slot].rank, "F5",
                        "extent of an axis that does not exist");
                break;
            case Op::check_index:
                require(operands == Scalars(2, Scalar::i64), "F2", "operands do not fit the operation");
                break;
            case Op::expect:
                require(operands[0] == Scalar::boolean && operands[1] == Scalar::i64, "F2",
                        "operands do not fit the operation");
                require(inst.type() == Scalar::boolean, "F2", "the result's type is not that of the operation");
                break;
            case Op::debug_print:
                require(!operands.empty() && operands[0] == Scalar::i64, "F2", "operands do not fit the operation");
                require(inst.type() == Scalar::boolean, "F2", "the result's type is not that of the operation");
                break;
            default:
                require(inst.bits == 0, "F3", "bits without a meaning");
        }
    }

    const Fn& fn_;
};

}  // namespace

void verify(const Fn& fn) { FnVerifier(fn).run(); }

}  // namespace sinter::ir
