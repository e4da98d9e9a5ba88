// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random kernels.
#pragma once

#include "ir/builder.hpp"
#include "support.hpp"

namespace jit_test {

using sinter::ir::Block;
using sinter::ir::Inst;
using sinter::ir::Local;
using sinter::ir::Op;

/// For values that are combined: in any order to the same bits.
inline constexpr Scalar combined_types[] = {Scalar::i32, Scalar::i64, Scalar::u8, Scalar::i16, Scalar::u64};
inline constexpr Scalar types[] = {Scalar::f32, Scalar::f32,     Scalar::i32, Scalar::f64, Scalar::i64,
                                   Scalar::u8,  Scalar::boolean, Scalar::i16, Scalar::u64, Scalar::f16};

class Generator {
  public:
    explicit Generator(unsigned seed) : random_(seed) {}

    sinter::lower::Kernel kernel() {
        const auto [rows, columns, all, n, row] = open("random", 2);
        here_ = emit(Op::add, {row, Local(1)});
        straight(4 + pick(20), 2);
        const std::size_t outputs = 1 + pick(3);
        for (std::size_t k = 0; k < outputs; ++k) {
            const Local value = any(types[pick(std::size(types))]);
            kernel_.buffers.push_back({builder_.type(value), true, all});
            builder_.emit({Op::store, {}, kernel_.buffers.size() - 1, {here_, value}, {}});
        }
        kernel_.body = builder_.close({});
        return kernel_;
    }

    /// A scan of each row.
    sinter::lower::Kernel scan() {
        const auto [rows, columns, all, n, row] = open("random_scan", 1);
        here_ = row;
        const auto states = combined();
        const bool seeded = pick(3) > 0, exclusive = seeded && pick(2) == 0;
        Inst inst{Op::scan, states, 1 | std::uint64_t{exclusive} << 8, {n}, {}};
        if (seeded)
            for (Scalar s : states) inst.operands.push_back(builder_.constant(s, random_pattern(s, Fill::small, random_)));
        auto here = [&](Local i) {
            here_ = emit(Op::add, {row, i});
            return std::vector<Local>();
        };
        inst.blocks.push_back(block({Scalar::i64}, states, 1, here));
        inst.blocks.push_back(combine(states));
        auto shown = states;
        shown.insert(shown.begin(), Scalar::i64);
        inst.blocks.push_back(block(shown, {}, 1, [&](Local i) {
            here(i);
            for (std::size_t k = 0; k < states.size(); ++k) store(all, here_, Local(i.index + 1 + k));
            store(all, here_, any(types[pick(std::size(types))]));
            return std::vector<Local>();
        }));
        const Local totals = builder_.emit(std::move(inst));
        if (seeded) store(rows, Local(0), totals);
        kernel_.body = builder_.close({});
        return kernel_;
    }

    /// Passes over each row: folds and what is kept of their elements for later ones; at last a loop for its effects.
    sinter::lower::Kernel rows() {
        const auto [rows, columns, all, n, row] = open("random_rows", 1);
        std::vector<std::size_t> kept;
        auto element = [&](bool keeps) {
            return [&, keeps](Local i) {
                here_ = emit(Op::add, {row, i});
                for (std::size_t k : kept)
                    pool_.push_back(builder_.emit({Op::load, {kernel_.buffers[k].scalar}, k, {i}, {}}));
                straight(1 + pick(4), 1);
                if (!keeps || pick(2)) store(all, here_, any(types[pick(std::size(types))]));
                if (keeps) {
                    const Local value = any(types[pick(std::size(types))]);
                    kernel_.buffers.push_back({builder_.type(value), false, columns, {}, true});
                    builder_.emit({Op::store, {}, kernel_.buffers.size() - 1, {i, value}, {}});
                }
                return std::vector<Local>();
            };
        };
        for (std::size_t pass = 1 + pick(2); pass-- > 0;) {
            const auto states = combined();
            Inst inst{Op::reduce, states, 1 | std::uint64_t{1} << 8, {n}, {}};
            for (Scalar s : states) inst.operands.push_back(builder_.constant(s, random_pattern(s, Fill::small, random_)));
            const bool keeps = pick(3) > 0;
            inst.blocks.push_back(block({Scalar::i64}, states, 0, element(keeps)));
            if (keeps) kept.push_back(kernel_.buffers.size() - 1);
            inst.blocks.push_back(combine(states));
            results(std::move(inst));
        }
        Inst last{Op::for_each, {}, 1, {n}, {}};
        last.blocks.push_back(block({Scalar::i64}, {}, 0, element(false)));
        builder_.emit(std::move(last));
        kernel_.body = builder_.close({});
        return kernel_;
    }

    /// Values combined with what is at computed places.
    sinter::lower::Kernel update() {
        const auto [rows, columns, all, n, row] = open("random_update", 2);
        here_ = emit(Op::add, {row, Local(1)});
        straight(2 + pick(10), 1);
        const auto states = combined();
        const Local zero = builder_.constant_index(0), one = builder_.constant_index(1);
        const Local place = emit(Op::maximum, {emit(Op::minimum, {any(Scalar::i64), emit(Op::sub, {size_, one})}), zero});
        const std::size_t dests = kernel_.buffers.size();
        for (Scalar s : states) kernel_.buffers.push_back({s, false, all});
        Inst inst{Op::update, {}, kernel_.buffers.size(), {place}, {}};
        for (Scalar s : states) {
            inst.operands.push_back(any(s));
            kernel_.buffers.push_back({s, true, all, dests + kernel_.buffers.size() - inst.bits});
        }
        inst.blocks.push_back(combine(states));
        builder_.emit(std::move(inst));
        kernel_.body = builder_.close({});
        return kernel_;
    }

  private:
    struct Matrix {
        sinter::ir::SizeId rows, columns, elements;
        Local width, row;  ///< row: where that of the first index begins
    };

    /// A kernel over the first `axes` axes of matrices of all types.
    Matrix open(const char* name, std::size_t axes) {
        auto& t = kernel_.sizes;
        const auto rows = t.argument(0), columns = t.argument(1), all = t.mul(rows, columns);
        kernel_.name = name;
        kernel_.space = {rows};
        if (axes == 2) kernel_.space.push_back(columns);
        for (Scalar s : types) kernel_.buffers.push_back({s, false, all});
        builder_.open(std::vector<Scalar>(axes, Scalar::i64));
        pool_.clear();
        for (std::size_t k = 0; k < axes; ++k) pool_.emplace_back(k);
        size_ = size(all);
        const Local n = size(columns);
        return {rows, columns, all, n, emit(Op::mul, {Local(0), n})};
    }

    std::vector<Scalar> combined() {
        std::vector<Scalar> result(1 + pick(3));
        for (auto& s : result) s = combined_types[pick(std::size(combined_types))];
        return result;
    }

    /// Associative and commutative.
    Block combine(const std::vector<Scalar>& states) {
        constexpr Op ops[] = {Op::add, Op::mul, Op::minimum, Op::maximum, Op::bit_xor, Op::bit_and};
        auto params = states;
        params.insert(params.end(), states.begin(), states.end());
        const Local first = builder_.open(params);
        std::vector<Local> values;
        for (std::size_t k = 0; k < states.size(); ++k)
            values.push_back(
                builder_.emit(ops[pick(std::size(ops))], {Local(first.index + k), Local(first.index + states.size() + k)}));
        return builder_.close(values);
    }

    void store(sinter::ir::SizeId elements, Local offset, Local value) {
        kernel_.buffers.push_back({builder_.type(value), true, elements});
        builder_.emit({Op::store, {}, kernel_.buffers.size() - 1, {offset, value}, {}});
    }

    std::size_t pick(std::size_t n) { return random_() % n; }

    Local emit(Op op, std::initializer_list<Local> operands) {
        const Local l = builder_.emit(op, operands);
        pool_.push_back(l);
        return l;
    }
    Local size(sinter::ir::SizeId id) {
        pool_.push_back(builder_.emit({Op::size, {Scalar::i64}, id.index, {}, {}}));
        return pool_.back();
    }

    /// A value of this type: one there is, or a constant, or an element.
    Local any(Scalar s) {
        std::vector<Local> fitting;
        for (Local l : pool_)
            if (builder_.type(l) == s) fitting.push_back(l);
        if (!fitting.empty() && pick(6) != 0)
            return fitting[fitting.size() - 1 - pick(std::min<std::size_t>(fitting.size(), 5))];
        Local l;
        if (pick(3) == 0)
            l = builder_.constant(s, random_pattern(s, Fill::small, random_));
        else
            l = load(s);
        pool_.push_back(l);
        return l;
    }

    Local load(Scalar s) {
        std::size_t buffer = 0;
        while (types[buffer] != s) ++buffer;
        Local offset = here_;
        if (pick(3) == 0) {  // clamped into range
            const Local zero = builder_.constant_index(0), one = builder_.constant_index(1);
            Local wild =
                emit(Op::add, {pick(2) ? here_ : any(Scalar::i64), builder_.constant_index(std::int64_t(pick(5)) - 2)});
            offset = emit(Op::maximum, {emit(Op::minimum, {wild, emit(Op::sub, {size_, one})}), zero});
        }
        return builder_.emit({Op::load, {s}, buffer, {offset}, {}});
    }

    void operation() {
        for (;;) {
            const auto op = static_cast<Op>(pick(static_cast<std::size_t>(Op::exp)));
            const Scalar s = types[pick(std::size(types))];
            const auto& info = sinter::ir::info(op);
            if (op == Op::div || op == Op::rem || op == Op::fma) continue;
            if (op == Op::symmetric || op == Op::reflect || op == Op::scale) continue;  // not of every operand
            if (op == Op::cast) return pool_.push_back(builder_.cast(types[pick(std::size(types))], any(s)));
            if (op == Op::bit_cast) continue;
            std::vector<Scalar> operand_types(static_cast<std::size_t>(info.arity), s);
            if (op == Op::select) operand_types[0] = Scalar::boolean;
            const auto type = sinter::ir::result_type(op, operand_types, s);
            if (!type) continue;
            Inst inst{op, {*type}, 0, {}, {}};
            for (Scalar t : operand_types) inst.operands.push_back(any(t));
            return pool_.push_back(builder_.emit(inst));
        }
    }

    void straight(std::size_t count, int depth) {
        while (count-- > 0) {
            const std::size_t kind = pick(10);
            if (depth == 0 || kind > 2)
                operation();
            else if (kind == 0)
                cond(depth - 1);
            else if (kind == 1)
                loop(depth - 1);
            else
                count_loop(depth - 1);
        }
    }

    /// A block with these parameters that computes something and returns values of `results`.
    template <class F>
    Block block(const std::vector<Scalar>& params, const std::vector<Scalar>& results, int depth, F prefix) {
        const auto saved = pool_;
        const Local first = builder_.open(params);
        for (std::size_t k = 0; k < params.size(); ++k) pool_.push_back(Local(first.index + k));
        std::vector<Local> values = prefix(first);
        straight(1 + pick(6), depth);
        while (values.size() < results.size()) values.push_back(any(results[values.size()]));
        Block result = builder_.close(values);
        pool_ = saved;
        return result;
    }
    static std::vector<Local> nothing(Local) { return {}; }

    void results(Inst inst) {
        const std::size_t n = inst.types.size();
        const Local first = builder_.emit(std::move(inst));
        for (std::size_t k = 0; k < n; ++k)
            if (pick(4) != 0) pool_.push_back(Local(first.index + k));
    }

    std::vector<Scalar> some_types() {
        std::vector<Scalar> result(1 + pick(3));
        for (auto& s : result) s = types[pick(std::size(types))];
        return result;
    }

    void cond(int depth) {
        const auto t = some_types();
        Inst inst{Op::cond, t, 0, {any(Scalar::boolean)}, {}};
        inst.blocks.push_back(block({}, t, depth, nothing));
        inst.blocks.push_back(block({}, t, depth, nothing));
        results(std::move(inst));
    }

    void loop(int depth) {
        auto t = some_types();
        t.insert(t.begin(), Scalar::i32);
        Inst inst{Op::while_loop, t, 0, {builder_.constant(Scalar::i32, 0)}, {}};
        for (std::size_t k = 1; k < t.size(); ++k) inst.operands.push_back(any(t[k]));
        const Local limit = emit(Op::bit_and, {any(Scalar::i32), builder_.constant(Scalar::i32, 7)});
        inst.blocks.push_back(block(t, {Scalar::boolean}, 0, [&](Local counter) {
            const Local go = emit(Op::less, {counter, limit});
            return std::vector{pick(2) ? go : emit(Op::bit_and, {go, any(Scalar::boolean)})};
        }));
        inst.blocks.push_back(block(t, t, depth, [&](Local counter) {
            return std::vector{emit(Op::add, {counter, builder_.constant(Scalar::i32, 1)})};
        }));
        results(std::move(inst));
    }

    void count_loop(int depth) {
        const auto t = some_types();
        auto params = t;
        params.insert(params.begin(), Scalar::i64);
        const Local count =
            pick(3) ? emit(Op::bit_and, {any(Scalar::i64), builder_.constant_index(7)}) : builder_.constant_index(3);
        Inst inst{Op::for_loop, t, 0, {count}, {}};
        for (Scalar s : t) inst.operands.push_back(any(s));
        inst.blocks.push_back(block(params, t, depth, nothing));
        results(std::move(inst));
    }

    std::mt19937_64 random_;
    sinter::ir::BlockBuilder builder_{false};
    sinter::lower::Kernel kernel_;
    std::vector<Local> pool_;
    Local size_, here_;
};

}  // namespace jit_test
