// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the body, their elements given to the threads of a team. A commutative operator takes every team-width's element,
// so that neighbouring threads read neighbours; any other takes consecutive ones.
#include "jit/gpu/emit/loops.hpp"
#include "lower/loops.hpp"

#include <bit>

namespace sinter::gpu {

using ir::Op;

Loops::Loops(emit::Code& code, Builtins& builtins, emit::Emitter& emitter, const lower::Kernel& kernel,
             const card::Schedule& schedule, llvm::Value* failure)
    : c_(code), ir(code.ir), builtins_(builtins), e_(emitter), kernel_(kernel), schedule_(schedule), failure_(failure) {
    emitter.special = this;
}

std::optional<Values> Loops::emit(const Inst& inst) {
    switch (inst.op) {
        case Op::check_index:
            return Values{check_index(inst)};
        case Op::check_divisor:
            return Values{check_divisor(inst)};
        case Op::store:
            return store(inst), Values{};
        case Op::update:
            return update(inst), Values{};
        case Op::rem:
            return remainder(inst);
        case Op::reduce:
            return is_shared(inst) ? std::optional(reduce(inst)) : std::nullopt;
        case Op::scan:
            return is_shared(inst) ? std::optional(scan(inst)) : std::nullopt;
        case Op::compact:
            return is_shared(inst) ? std::optional(compact(inst)) : std::nullopt;
        case Op::for_each:
            if (!is_shared(inst)) return std::nullopt;
            return for_each(inst), Values{};
        default:
            return std::nullopt;
    }
}

/// Groups of neighbours, so that accesses become wide ones or at least do not wait for each other; then what is left.
void Loops::strided(Range range, bool grouped, Few& carried, Body body) {
    llvm::Value* rest = range.lo;
    if (grouped) {
        constexpr std::int64_t group_elements = card::tuning::group_elements;
        llvm::Value* groups =
            ir.CreateAShr(ir.CreateSub(range.hi, range.lo), std::countr_zero(std::uint64_t{group_elements}));
        c_.loop(team->rank(), groups, team->threads(), carried, [&](llvm::Value* group) {
            llvm::Value* first = ir.CreateAdd(range.lo, ir.CreateNSWMul(group, c_.i64(group_elements)));
            for (std::int64_t k = 0; k < group_elements; ++k) body(ir.CreateNSWAdd(first, c_.i64(k)));
        });
        rest = ir.CreateAdd(rest, ir.CreateMul(groups, c_.i64(group_elements)));
    }
    c_.loop(ir.CreateAdd(rest, team->rank()), range.hi, team->threads(), carried, body);
}

void Loops::consecutive(Range range, Few& carried, Body body) {
    llvm::Value* length = ir.CreateSub(range.hi, range.lo);
    llvm::Value* each = ir.CreateSDiv(ir.CreateAdd(length, c_.i64(team->threads() - 1)), c_.i64(team->threads()));
    auto not_beyond = [&](llvm::Value* v) { return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, range.hi); };
    llvm::Value* lo = not_beyond(ir.CreateAdd(range.lo, ir.CreateMul(team->rank(), each)));
    c_.loop(lo, not_beyond(ir.CreateAdd(lo, each)), 1, carried, body);
}

Loops::Range Loops::all_elements(const Inst& inst, std::size_t rank) {
    llvm::Value* count = c_.i64(1);
    for (std::size_t k = 0; k < rank; ++k) {
        llvm::Value* extent = e_.operand(inst, k).scalars[0];
        count = ir.CreateMul(count, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, c_.i64(0)));
    }
    return {c_.i64(0), count};
}

/// Those that this kernel executes.
Loops::Range Loops::elements(const Inst& inst, std::size_t rank) {
    const Range all = all_elements(inst, rank);
    if (chunk.loop != &inst) return all;
    llvm::Value* lo = ir.CreateMul(chunk.index, ir.CreateAnd(chunk.length, c_.i64(-card::tuning::chunk_multiple)));
    return {lo, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(lo, chunk.length), all.hi)};
}

Values Loops::execute(const lower::Block& block, const Values& indices, llvm::Value* flat) {
    element_ = flat;
    Values results = e_.block(block, indices);
    element_ = nullptr;
    return results;
}

/// The results of the first block for element number `flat`.
Values Loops::element(const Inst& inst, std::size_t rank, llvm::Value* flat) {
    Values indices(rank);
    llvm::Value* rest = flat;
    for (std::size_t k = rank; k-- > 1;) {
        llvm::Value* extent = e_.operand(inst, k).scalars[0];
        indices[k] = e_.index(ir.CreateURem(rest, extent));
        rest = ir.CreateUDiv(rest, extent);
    }
    if (rank > 0) indices[0] = e_.index(rest);
    return execute(inst.blocks[0], indices, flat);
}

void Loops::by_first(llvm::function_ref<void()> effect) {
    Few none;
    c_.when(team->is_first(), none, effect);
}

// ---- reduce, for_each ----

/// What a thread combines of the range; all threads' results are in order if it is kept.
Few Loops::accumulate(Operator& op, Range range, card::Order order, Element element) {
    Few carried = op.absent();
    auto append = [&](llvm::Value* i) { carried = op.merge(carried, op.present(element(i))); };
    if (order == card::Order::kept)
        consecutive(range, carried, append);
    else
        strided(range, order == card::Order::by_groups, carried, append);
    return carried;
}

Values Loops::reduce(const Inst& inst) {
    Operator op(c_, e_, inst);
    const std::size_t rank = lower::loop_rank(inst);
    const card::Order order = order_of(inst);
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    Few own;
    if (is_chunked(inst, Role::finish))
        own = accumulate(op, chunks(), order, [&](llvm::Value* i) { return load_partials(i); });
    else
        own = accumulate(op, elements(inst, rank), order, [&](llvm::Value* i) { return element(inst, rank, i); });
    const Few total = team->reduce(own, merge);
    if (is_chunked(inst, Role::partial)) {
        by_first([&] { store_partials(chunk.index, op.values(total)); });
        leave_point();
    }
    return op.after(op.reduction().init(), total);
}

void Loops::for_each(const Inst& inst) {
    const std::size_t rank = lower::loop_rank(inst);
    Few none;
    strided(all_elements(inst, rank), order_of(inst) == card::Order::by_groups, none,
            [&](llvm::Value* i) { element(inst, rank, i); });
}

}  // namespace sinter::gpu
