// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter::ir {

namespace {

using Scalars = std::vector<Scalar>;

class FnVerifier {
  public:
    explicit FnVerifier(const Fn& fn) : fn_(fn) {}

    void run() { block(fn_.body); }

  private:
    void require(bool condition, const char* invariant, const char* what) const {
        if (condition) return;
        std::string op = inst_ == nullptr ? "" : fmt::format(" ({})", info(inst_->op).name);
        fail_check(fmt::format("function, at x{}{}: {}: {}", types_.size(), op, invariant, what), location::current());
    }

    Scalar use(Local local) const {
        require(local.index < types_.size(), "F1", "a local is not in scope");
        return types_[local.index];
    }
    Scalars use(const std::vector<Local>& locals) const {
        Scalars types;
        for (Local local : locals) types.push_back(use(local));
        return types;
    }

    /// Returns the types of its results.
    Scalars block(const Block& block) {
        std::size_t base = types_.size();
        types_.insert(types_.end(), block.params.begin(), block.params.end());
        for (const Inst& inst : block.insts) {
            inst_ = &inst;
            instruction(inst);
            types_.insert(types_.end(), inst.types.begin(), inst.types.end());
        }
        Scalars results = use(block.results);
        types_.resize(base);
        return results;
    }

    void instruction(const Inst& inst) {
        const OpInfo& op = info(inst.op);
        Scalars operands = use(inst.operands);
        bool kernel = op.traits == Traits::memory || inst.op == Op::size || inst.op == Op::check_index ||
                      inst.op == Op::check_divisor || inst.op >= Op::reduce;
        require(!kernel, "F6", "an operation of kernels in a function");
        if (op.traits == Traits::control) return control(inst, operands);
        require(inst.blocks.empty(), "F4", "blocks of an operation that is not control");
        require(inst.types.size() == 1, "F2", "one result expected");
        auto type = result_type(inst.op, operands, inst.type());
        require(type.has_value(), "F2", "operands do not fit the operation");
        require(*type == inst.type(), "F2", "the result's type is not that of the operation");
        attribute(inst, operands);
    }

    void attribute(const Inst& inst, const Scalars& operands) const {
        switch (inst.op) {
            case Op::constant: {
                int width = detail::bits_of(inst.type());
                require(width == 64 || inst.bits >> width == 0, "F3", "a constant wider than its type");
                break;
            }
            case Op::read: {
                require(inst.bits < fn_.arrays.size(), "F5", "read of a slot that does not exist");
                const ArrayParam& slot = fn_.arrays[inst.bits];
                require(operands.size() == slot.rank, "F5", "read with a wrong number of indices");
                require(operands == Scalars(slot.rank, Scalar::i64), "F5", "an index of a read is not i64");
                require(inst.type() == slot.scalar, "F5", "a read's type is not that of its slot");
                break;
            }
            case Op::extent:
                require(inst.bits / 64 < fn_.arrays.size(), "F5", "extent of a slot that does not exist");
                require(inst.bits % 64 < fn_.arrays[inst.bits / 64].rank, "F5", "extent of an axis that does not exist");
                break;
            default:
                require(inst.bits == 0, "F3", "bits without a meaning");
        }
    }

    void control(const Inst& inst, const Scalars& operands) {
        require(inst.bits == 0, "F3", "bits without a meaning");
        if (inst.op == Op::cond) return cond(inst, operands);
        bool counted = inst.op == Op::for_loop;
        require(operands.size() == inst.types.size() + (counted ? 1 : 0), "F4", "one initial state a result expected");
        require(!inst.types.empty(), "F4", "a loop without states");
        require(!counted || operands[0] == Scalar::i64, "F4", "a loop's count is not i64");
        require(Scalars(operands.begin() + (counted ? 1 : 0), operands.end()) == inst.types, "F4",
                "a loop's initial states are not of its types");
        require(inst.blocks.size() == (counted ? 1u : 2u), "F4", "a wrong number of blocks");
        Scalars params = inst.types;
        if (counted) params.insert(params.begin(), Scalar::i64);
        for (const Block& nested : inst.blocks)
            require(nested.params == params, "F4", "parameters of a loop's block are not its states");
        if (!counted) nested(inst, 0, {Scalar::boolean});
        nested(inst, counted ? 0 : 1, inst.types);
    }

    void cond(const Inst& inst, const Scalars& operands) {
        require(operands == Scalars{Scalar::boolean}, "F4", "a condition is not a boolean");
        require(inst.blocks.size() == 2, "F4", "a wrong number of blocks");
        for (std::size_t i = 0; i < 2; ++i) {
            require(inst.blocks[i].params.empty(), "F4", "a branch with parameters");
            nested(inst, i, inst.types);
        }
    }

    void nested(const Inst& inst, std::size_t position, const Scalars& results) {
        Scalars actual = block(inst.blocks[position]);
        inst_ = &inst;
        require(actual == results, "F4", "results of a block are not of the types expected");
    }

    const Fn& fn_;
    const Inst* inst_ = nullptr;
    Scalars types_;
};

}  // namespace

void verify(const Fn& fn) { FnVerifier(fn).run(); }

}  // namespace sinter::ir
