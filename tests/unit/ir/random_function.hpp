// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random well-formed functions, the same for a seed everywhere.
#pragma once

#include "ir/builder.hpp"
#include "ir/evaluate.hpp"

#include <limits>
#include <random>
#include <vector>

namespace sinter::test {

using namespace ir;

class RandomFunction {
  public:
    struct Options {
        bool reads = true;     ///< reads of arrays and extents
        bool may_fail = true;  ///< integer divisions
        bool loops = true;     ///< that need not end soon
        bool math = true;
        std::size_t length = 12;
    };

    RandomFunction(std::mt19937& random, Options options) : random_(random), options_(options) {}

    /// Unused results are as likely as not; equal instructions are shared if `share`.
    Fn make(std::vector<ArrayParam> arrays, const std::vector<Scalar>& params, const std::vector<Scalar>& results,
            bool share = false) {
        builder_ = BlockBuilder(share);
        arrays_ = std::move(arrays);
        builder_.open(params);
        instructions(options_.length, 2);
        return {arrays_, builder_.close(locals_of(results))};
    }

    std::size_t below(std::size_t n) { return random_() % n; }
    Scalar scalar() {
        constexpr Scalar scalars[] = {Scalar::boolean, Scalar::i8,  Scalar::u8,  Scalar::i32, Scalar::u32,
                                      Scalar::i64,     Scalar::f16, Scalar::f32, Scalar::f64};
        return scalars[below(std::size(scalars))];
    }

  private:
    void instructions(std::size_t count, int depth) {
        for (std::size_t i = below(count + 1); i > 0; --i) {
            if (depth > 0 && below(8) == 0)
                control(depth);
            else if (options_.reads && !arrays_.empty() && below(6) == 0)
                read();
            else
                operation();
        }
    }

    Local constant(Scalar type) {
        constexpr double values[] = {0, -0.0, 1, -1, 2, 8, 0.5, 3, 100, 1e30, 1.0 / 3};
        double value = values[below(std::size(values))];
        if (type == Scalar::boolean) return builder_.constant(type, below(2));
        if (!detail::is_float(type))
            return builder_.constant(type, from_int64(type, value > 1000 ? 77 : std::int64_t(value)));
        using Limits = std::numeric_limits<double>;
        if (below(8) == 0) value = below(2) == 0 ? Limits::infinity() : Limits::quiet_NaN();
        return builder_.constant(type, from_double(type, value));
    }

    Local local(Scalar type) {
        std::vector<Local> candidates;
        for (std::size_t i = 0; i < builder_.level(); ++i)
            if (builder_.type(Local(i)) == type) candidates.push_back(Local(i));
        if (candidates.empty() || below(4) == 0) return constant(type);
        return candidates[below(candidates.size())];
    }

    std::vector<Local> locals_of(const std::vector<Scalar>& types) {
        std::vector<Local> locals;
        for (Scalar type : types) locals.push_back(local(type));
        return locals;
    }

    void operation() {
        auto op = static_cast<Op>(below(static_cast<std::size_t>(Op::constant)));
        if (info(op).traits == Traits::math && !options_.math) return;
        Scalar type = scalar(), own = scalar();
        if (may_fail(op, type) && !options_.may_fail) return;
        std::vector<Scalar> types(static_cast<std::size_t>(info(op).arity), type);
        if (op == Op::select) types[0] = Scalar::boolean;
        auto result = result_type(op, types, own);
        if (result) builder_.emit(Inst{op, {*result}, 0, locals_of(types), {}});
    }

    void read() {
        std::size_t slot = below(arrays_.size());
        const ArrayParam& array = arrays_[slot];
        if (array.rank > 0 && below(3) == 0)
            builder_.emit(Inst{Op::extent, {Scalar::i64}, slot * 64 + below(array.rank), {}, {}});
        else
            builder_.emit(Inst{Op::read, {array.scalar}, slot, locals_of(std::vector<Scalar>(array.rank, Scalar::i64)), {}});
    }

    Block block(std::vector<Scalar> params, const std::vector<Scalar>& results, int depth) {
        builder_.open(params);
        instructions(options_.length / 2, depth);
        return builder_.close(locals_of(results));
    }

    void control(int depth) {
        std::vector<Scalar> states{scalar()};
        if (below(2) == 0) states.push_back(scalar());
        Inst inst{Op::cond, states, 0, {}, {}};
        std::size_t kind = below(options_.loops ? 3 : 2);
        if (kind == 0) {
            inst.operands = {local(Scalar::boolean)};
            for (int i = 0; i < 2; ++i) inst.blocks.push_back(block({}, states, depth - 1));
        } else if (kind == 1) {
            inst.op = Op::for_loop;
            inst.operands = {builder_.constant(Scalar::i64, below(3))};
            for (Scalar state : states) inst.operands.push_back(local(state));
            std::vector<Scalar> params = states;
            params.insert(params.begin(), Scalar::i64);
            inst.blocks.push_back(block(params, states, depth - 1));
        } else {
            inst.op = Op::while_loop;
            inst.operands = locals_of(states);
            inst.blocks.push_back(block(states, {Scalar::boolean}, depth - 1));
            inst.blocks.push_back(block(states, states, depth - 1));
        }
        builder_.emit(std::move(inst));
    }

    std::mt19937& random_;
    Options options_;
    BlockBuilder builder_;
    std::vector<ArrayParam> arrays_;
};

}  // namespace sinter::test
