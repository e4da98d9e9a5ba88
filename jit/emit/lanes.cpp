// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane loops.
#include "jit/emit/emitter.hpp"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

/// The lanes of a vector of the widest type that matters: a wider type that is rare costs a second register, a narrower
/// one leaves part of its registers empty.
int choose_width(const Machine& machine, const Profile& profile) {
    const double total = profile.instructions();
    for (int k = 3; k >= 0; --k)
        if (profile.operations[k] >= 0.3 * total && profile.operations[k] > 0) return std::min(64, machine.vector_bits / (8 << k));
    return machine.vector_bits / 8;
}

/// Parts side by side: enough to hide latencies and the loop's own instructions, few enough for the registers.
int choose_columns(const Profile& profile, std::size_t accumulators) {
    const double scale = profile.inner > 0 ? Profile::inner_weight : 1;
    const double size = profile.instructions() / scale;
    if (profile.divergent) return size <= 24 ? 2 : 1;
    if (accumulators > 4) return 1;
    return size <= 8 ? 4 : size <= 24 ? 2 : 1;
}

}  // namespace

Lanes choose_lanes(const Machine& machine, const Profile& profile, std::size_t accumulators) {
    Lanes lanes;
    if (machine.vector_bits == 0 || profile.empty || profile.ragged) return lanes;
    lanes.width = choose_width(machine, profile);
    lanes.open = lanes.width > 1;
    lanes.columns = lanes.width == 1 ? 1 : choose_columns(profile, accumulators);
    return lanes;
}

Lanes choose_tile(const Machine& machine, const lower::Kernel& kernel) {
    Lanes lanes;
    const std::size_t rank = kernel.space.size();
    if (rank < 2 || machine.vector_bits == 0 || machine.single_tail(false)) return lanes;
    std::vector<Pattern> params(rank);
    params[rank - 1] = Pattern::lane();
    const Profile columns = profile(kernel, kernel.body, {}, params);
    params[rank - 1] = {};
    params[rank - 2] = Pattern::lane();
    const Profile rows = profile(kernel, kernel.body, {}, params);
    const bool shared = columns.uniform_loads > 0 && columns.contiguous > 0 && rows.uniform_loads > 0;
    const bool simple = columns.gathers == 0 && !columns.divergent && !columns.ragged && !rows.ragged && !columns.narrow_memory;
    if (!shared || !simple || columns.instructions() > 8 * Profile::inner_weight) return lanes;
    lanes.width = choose_width(machine, columns);
    lanes.open = true;
    lanes.rows = 4;
    lanes.columns = machine.registers > 16 ? 4 : 2;
    return lanes;
}

Profile Emitter::lane_profile(const LaneLoop& loop) const {
    std::vector<Pattern> params(loop.params.size());
    params.push_back(Pattern::lane());
    return profile(kernel_, loop.block, patterns(), params);
}

void Emitter::for_lanes(const LaneLoop& loop, const std::optional<Lanes>& lanes) {
    const Profile profile = lane_profile(loop);
    Few none;
    lane_loop(loop, lanes ? *lanes : choose_lanes(code_.machine, profile, 0), profile.narrow_memory, none, [](Stage, const Values&) {});
}

void Emitter::lane_loop(const LaneLoop& loop, const Lanes& lanes, bool narrow_memory, Few& carried, Use use) {
    code_.when(ir.CreateICmpSLT(loop.lo, loop.hi), carried, [&] {
        const Prepared prepared = prepare(loop.block, loop.params);
        llvm::Value* rest = loop.lo;
        if (lanes.vector()) {
            const std::int64_t step = lanes.width * lanes.columns;
            llvm::Value* length = ir.CreateAnd(ir.CreateSub(loop.hi, loop.lo), code_.i64(-step));
            rest = ir.CreateAdd(loop.lo, length);
            const WithLanes with(code_, lanes);
            code_.loop(loop.lo, rest, step, carried, [&](llvm::Value* i) {
                Value index = Value::uniform(Scalar::i64, i, index_bits);
                index.lane_stride = code_.i64(1);
                index.part_stride = code_.i64(lanes.width);
                point(loop, index, prepared, Stage::main, use);
            });
        }
        if (lanes.vector() && !code_.machine.single_tail(narrow_memory)) {
            Lanes one = lanes;
            one.columns = 1;
            const WithLanes with(code_, one);
            code_.loop(rest, loop.hi, lanes.width, carried, [&](llvm::Value* i) {
                code_.lanes.mask = tail_mask(ir.CreateSub(loop.hi, i));
                Value index = Value::uniform(Scalar::i64, i, index_bits);
                index.lane_stride = code_.i64(1);
                index.part_stride = code_.i64(lanes.width);
                point(loop, index, prepared, Stage::masked, use);
            });
        } else {
            Lanes single;
            single.open = lanes.vector() || chunked.reduce;
            const WithLanes with(code_, single);
            code_.loop(rest, loop.hi, 1, carried, [&](llvm::Value* i) {
                point(loop, this->index(i), prepared, Stage::single, use);
            });
        }
    });
}

/// The first `remaining` lanes.
Few Emitter::tail_mask(llvm::Value* remaining) {
    llvm::Type* lane = ir.getIntNTy(static_cast<unsigned>(code_.lane_bits()));
    llvm::Value* count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, remaining, code_.i64(code_.lanes.width));
    count = ir.CreateTrunc(count, lane);
    llvm::Value* mask = code_.wide(ir.CreateICmpSLT(code_.lane_numbers(lane), code_.splat(count)));
    return Few(static_cast<std::size_t>(code_.lanes.parts()), mask);
}

/// One execution of the block. A tile that makes partial results leaves it after storing them.
void Emitter::point(const LaneLoop& loop, const Value& index, const Prepared& prepared, Stage stage, Use use) {
    Values params = loop.params;
    params.push_back(index);
    const bool leaves = chunked.reduce && chunked.lanes_on_points && &loop.block == &kernel_.body;
    if (leaves) chunked.point_done = code_.block();
    use(stage, block(loop.block, params, &prepared));
    if (!leaves) return;
    ir.CreateBr(chunked.point_done);
    code_.enter(chunked.point_done);
}

/// Emits, outside the lane loop, what does not depend on the lane. The loop is executed at least once when this is.
Prepared Emitter::prepare(const Block& b, const Values& params) {
    const std::size_t base = env_.size();
    env_.insert(env_.end(), params.begin(), params.end());
    env_.push_back(Value{});
    Prepared prepared;
    for (const Inst& inst : b.insts) {
        const bool effect = inst.op == Op::store || inst.op == Op::for_each || &inst == chunked.reduce;
        std::optional<Values> results;
        if (!effect && is_known(inst)) results = emit(inst);
        const Values pushed = results ? *results : Values(inst.types.size(), Value{});
        env_.insert(env_.end(), pushed.begin(), pushed.end());
        prepared.push_back(std::move(results));
    }
    env_.resize(base);
    return prepared;
}

namespace {

bool uses_only(const Block& b, std::size_t level, llvm::ArrayRef<Value> env) {
    auto known = [&](ir::Local l) { return l.index >= level || env[l.index].is_uniform(); };
    for (const Inst& inst : b.insts) {
        if (!std::all_of(inst.operands.begin(), inst.operands.end(), known)) return false;
        if (inst.op == Op::store) return false;
        for (const Block& inner : inst.blocks)
            if (!uses_only(inner, level, env)) return false;
    }
    return std::all_of(b.results.begin(), b.results.end(), known);
}

}  // namespace

/// Whether `inst` can be executed before the lane loop. Control flow must not differ between rows either.
bool Emitter::is_known(const Inst& inst) const {
    for (ir::Local l : inst.operands)
        if (inst.blocks.empty() ? env_[l.index].is_unknown() : !env_[l.index].is_uniform()) return false;
    for (const Block& inner : inst.blocks)
        if (!uses_only(inner, env_.size(), env_)) return false;
    return true;
}

}  // namespace sinter::emit
