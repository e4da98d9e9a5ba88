// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/unit/interp/function_generator.hpp"

#include "ir/builder.hpp"
#include "ir/evaluate.hpp"

namespace sinter::test {

namespace {

using ir::Local;
using ir::Op;

class FunctionMaker {
  public:
    FunctionMaker(Random& random, std::vector<ir::ArrayParam> arrays) : random_(random), arrays_(std::move(arrays)) {}

    ir::Fn make(const std::vector<Scalar>& parameters, const std::vector<Scalar>& results) {
        Local first = builder_.open(parameters);
        for (std::size_t k = 0; k < parameters.size(); ++k) locals_.push_back(Local(first.index + k));
        std::vector<Local> outputs;
        for (Scalar type : results) outputs.push_back(value(type, 3));
        return {arrays_, builder_.close(outputs)};
    }

  private:
    Local leaf(Scalar type) {
        std::vector<Local> fitting;
        for (Local local : locals_)
            if (builder_.type(local) == type) fitting.push_back(local);
        if (!fitting.empty() && !random_.one_in(5)) return random_.pick(fitting);
        if (!locals_.empty() && random_.one_in(2)) return builder_.cast(type, random_.pick(locals_));
        return constant(type);
    }

    Local constant(Scalar type) {
        auto value = static_cast<std::int64_t>(random_.below(5)) - 1;
        std::uint64_t bits =
            detail::is_float(type) ? ir::from_double(type, static_cast<double>(value) / 2) : ir::from_int64(type, value);
        return builder_.constant(type, bits);
    }

    Local condition(std::size_t depth) {
        Scalar type = element_types[random_.below(4)];
        Op op = random_.one_in(2) ? Op::less : Op::equal;  // first: the order of a call's arguments is the compiler's
        return builder_.emit(op, {value(type, depth - 1), value(type, depth - 1)});
    }

    Local value(Scalar type, std::size_t depth) {
        if (depth == 0) return leaf(type);
        Local a = value(type, depth - 1);
        switch (random_.below(14)) {
            case 0:
                return builder_.emit(Op::select, {condition(depth), a, value(type, depth - 1)});
            case 1:
                return branch(type, depth);
            case 2:
                return loop(type, depth);
            case 3:
                return arrays_.empty() ? a : read(type);
            case 4:
                return divide(type, a);
            case 5:
                return builder_.emit(Op::minimum, {a, value(type, depth - 1)});
            case 6:
                return builder_.emit(Op::sub, {a, value(type, depth - 1)});
            case 7:
                return builder_.emit(Op::mul, {a, value(type, depth - 1)});
            case 8:
                return builder_.cast(type, value(element_types[random_.below(4)], depth - 1));
            case 9:
            case 10:
                return builder_.emit(Op::add, {a, value(type, depth - 1)});
            default:
                return leaf(type);
        }
    }

    Local divide(Scalar type, Local a) {
        Local divisor = leaf(type);
        if (!random_.one_in(12) && detail::is_integer(type))  // mostly not zero
            divisor = builder_.emit(Op::bit_or, {divisor, builder_.constant(type, 1)});
        return builder_.emit(random_.one_in(2) ? Op::div : Op::rem, {a, divisor});
    }

    /// Mostly in range: the index modulo the extent, made positive.
    Local read(Scalar type) {
        std::size_t slot = random_.below(arrays_.size());
        ir::Inst inst{Op::read, {arrays_[slot].scalar}, slot, {}, {}};
        for (std::size_t axis = 0; axis < arrays_[slot].rank; ++axis) {
            Local index = leaf(Scalar::i64);
            if (!random_.one_in(6)) {
                Local extent = builder_.emit(ir::Inst{Op::extent, {Scalar::i64}, slot * 64 + axis, {}, {}});
                Local one = builder_.constant_index(1);
                index = builder_.emit(Op::rem, {index, builder_.emit(Op::maximum, {extent, one})});
                index = builder_.emit(Op::abs, {index});
            }
            inst.operands.push_back(index);
        }
        return builder_.cast(type, builder_.emit(inst));
    }

    ir::Block block(std::vector<Scalar> parameters, Scalar result, std::size_t depth, bool boolean = false) {
        std::size_t base = locals_.size();
        Local first = builder_.open(parameters);
        for (std::size_t k = 0; k < parameters.size(); ++k) locals_.push_back(Local(first.index + k));
        Local output = boolean ? condition(depth) : value(result, depth - 1);
        locals_.resize(base);
        return builder_.close({output});
    }

    Local branch(Scalar type, std::size_t depth) {
        Local c = condition(depth);
        ir::Inst inst{Op::cond, {type}, 0, {c}, {}};
        inst.blocks.push_back(block({}, type, depth));
        inst.blocks.push_back(block({}, type, depth));
        return builder_.emit(std::move(inst));
    }

    Local loop(Scalar type, std::size_t depth) {
        Local count = random_.one_in(2) && !arrays_.empty() && arrays_[0].rank > 0
                          ? builder_.emit(ir::Inst{Op::extent, {Scalar::i64}, 0, {}, {}})
                          : builder_.constant_index(static_cast<std::int64_t>(random_.below(4)));
        ir::Inst inst{Op::for_loop, {type}, 0, {count, leaf(type)}, {}};
        inst.blocks.push_back(block({Scalar::i64, type}, type, depth));
        return builder_.emit(std::move(inst));
    }

    Random& random_;
    std::vector<ir::ArrayParam> arrays_;
    ir::BlockBuilder builder_;
    std::vector<Local> locals_;
};

}  // namespace

ir::Fn random_function(Random& random, std::vector<ir::ArrayParam> arrays, const std::vector<Scalar>& parameters,
                       const std::vector<Scalar>& results) {
    return FunctionMaker(random, std::move(arrays)).make(parameters, results);
}

}  // namespace sinter::test
