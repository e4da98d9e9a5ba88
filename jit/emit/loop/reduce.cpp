// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions. In lanes that are open already a reduce is a sequential loop, here. Otherwise its innermost axis gets lanes:
// interleaved.cpp if the operator is commutative, else ordered.cpp. An operator with a neutral element starts from it, any
// other from its first elements.
#include "jit/emit/loop/reduce.hpp"

#include "ir/neutral.hpp"
#include "jit/emit/loop/partials.hpp"
#include "lower/loops.hpp"

namespace sinter::emit {

using ir::Op;

Reduction::Reduction(Emitter& emitter, const Inst& inst)
    : e_(emitter),
      c_(emitter.code_),
      ir(emitter.ir),
      inst_(inst),
      rank_(lower::loop_rank(inst)),
      neutral_(ir::neutral_elements(inst.blocks[1], inst.types.size(), emitter.env_.size())) {
    commutative_ = neutral_ || lower::is_commutative(inst);
}

llvm::Value* Reduction::extent(std::size_t axis) { return e_.operand(inst_, axis).scalars[0]; }

bool Reduction::is_chunked() const { return &inst_ == e_.chunked.reduce; }

llvm::Value* Reduction::lo(std::size_t axis) {
    return axis == 0 && is_chunked() ? e_.tile(offsetof(Tile, reduce_begin)) : c_.i64(0);
}
llvm::Value* Reduction::hi(std::size_t axis) {
    return axis == 0 && is_chunked() ? e_.tile(offsetof(Tile, reduce_end)) : extent(axis);
}

Values Reduction::init() {
    Values result;
    for (std::size_t k = rank_; k < inst_.operands.size(); ++k) result.push_back(e_.operand(inst_, k));
    return result;
}

Values Reduction::combine(const Values& a, const Values& b) {
    Values params = a;
    params.append(b.begin(), b.end());
    return e_.block(inst_.blocks[1], params);
}

Values Reduction::nothing() {
    Values result;
    for (std::size_t k = 0; k < count(); ++k) {
        llvm::Type* type = c_.type(inst_.types[k]);
        const std::uint64_t bits = neutral_ ? (*neutral_)[k] : 0;
        result.push_back(Value::uniform(inst_.types[k], emit_constant(ir, type, bits)));
    }
    return result;
}

Values Reduction::varying(const Values& values) {
    Values result;
    for (const Value& v : values) result.push_back(c_.lanes.vector() ? c_.make_varying(v) : v);
    return result;
}

Few Reduction::pack(const Values& values) { return flatten(c_, values); }

Values Reduction::unpack(llvm::ArrayRef<llvm::Value*> flat, int parts) {
    Values result;
    const auto n = static_cast<std::size_t>(parts);
    for (std::size_t k = 0; k < count(); ++k) result.push_back(c_.from_phi(inst_.types[k], flat.slice(k * n, n)));
    return result;
}

/// has ? combine(a, b) : b, `has` being one scalar.
Values Reduction::append(llvm::Value* has, const Values& a, const Values& b) {
    if (neutral_) return combine(a, b);
    Values like = varying(b);
    const Few flat = c_.either(has, [&] { return pack(varying(combine(a, b))); }, [&] { return pack(like); });
    return unpack(flat, c_.lanes.vector() ? c_.lanes.parts() : 1);
}

/// Nested loops over the outer axes; `inner` gets their indices.
void Reduction::outer_loops(std::size_t axes, Values& indices, Few& carried, llvm::function_ref<void()> inner) {
    if (indices.size() == axes) return inner();
    const std::size_t axis = indices.size();
    c_.loop(lo(axis), hi(axis), 1, carried, [&](llvm::Value* i) {
        indices.push_back(e_.index(i));
        outer_loops(axes, indices, carried, inner);
        indices.pop_back();
    });
}

Values Reduction::emit() {
    if (e_.in_rows_ && !c_.lanes.masked()) return in_blocks();
    if (c_.lanes.open) return sequential();
    const Lanes lanes(e_.lanes_of(inst_));
    if (!lanes.vector()) return sequential();
    return commutative_ ? interleaved(lanes) : ordered(lanes);
}

/// Partial results are read in all lanes; where the states are the same in all, one lane is enough.
Values Reduction::one_lane(Values loaded, const Values& like) {
    for (std::size_t k = 0; k < loaded.size(); ++k) {
        if (like[k].is_varying() || !loaded[k].is_varying()) continue;
        Few scalars;
        const std::size_t columns = loaded[k].parts.size() / like[k].scalars.size();
        for (std::size_t row = 0; row < like[k].scalars.size(); ++row)
            scalars.push_back(ir.CreateExtractElement(loaded[k].parts[row * columns], std::uint64_t{0}));
        loaded[k] = Value{loaded[k].type, scalars, nullptr, nullptr, {}, loaded[k].bits};
    }
    return loaded;
}

/// Values of the kinds that `states` says.
Values Reduction::as(Values values, const std::vector<Pattern>& states) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = e_.as(values[k], states[k]);
    return values;
}

/// What a sequential reduce starts from, packed: the initial values, or in a tile of partial results what is there (if
/// `has`).
Few Reduction::start(const std::vector<Pattern>& states, llvm::Value* has) {
    const Values like = as(init(), states);
    const Few initial = pack(like);
    if (!is_chunked()) return initial;
    Partials partials(e_, inst_);
    return c_.either(
        partials.completes(), [&] { return initial; },
        [&] {
            return c_.either(
                has, [&] { return pack(as(one_lane(partials.load(e_.tile(offsetof(Tile, chunk))), like), states)); },
                [&] { return pack(as(nothing(), states)); });
        });
}

/// Element after element, in order.
Values Reduction::sequential() {
    const std::vector<Pattern> states = state_patterns(e_.kernel_, inst_, e_.patterns()).states;
    const Values like = as(init(), states);
    llvm::Value* has = ir.getTrue();
    if (is_chunked()) has = ir.CreateICmpNE(Partials(e_, inst_).start(), c_.i64(static_cast<std::int64_t>(Start::fresh)));
    Few carried = start(states, has);
    const bool flagged = is_chunked() && !neutral_;
    if (flagged) carried.push_back(has);
    Values indices;
    outer_loops(rank_, indices, carried, [&] {
        const Values element = e_.block(inst_.blocks[0], indices);
        llvm::Value* there = flagged ? carried.pop_back_val() : nullptr;
        const Values acc = unflatten(c_, like, carried);
        auto combined = [&] { return pack(as(combine(acc, element), states)); };
        if (!flagged) {
            carried = combined();
            return;
        }
        const Few fresh = pack(as(element, states));
        carried = c_.either(there, combined, [&] { return fresh; });
        carried.push_back(ir.getTrue());
    });
    if (flagged) carried.pop_back();
    const Values result = unflatten(c_, like, carried);
    if (is_chunked()) Partials(e_, inst_).store_and_leave(result);
    return result;
}

/// init combined with all elements, given those combined (if there was any).
Values Reduction::complete(const Values& total, llvm::Value* has) {
    if (is_chunked()) {
        Partials partials(e_, inst_);
        partials.store_and_leave(total);
    }
    if (neutral_) return combine(init(), total);
    const Values start = init();
    return unpack(c_.either(has, [&] { return pack(combine(start, total)); }, [&] { return pack(start); }), 1);
}

/// Lanes [from, from + step, ..) of a value of twice the present width.
Value Reduction::lanes_of(const Value& v, int from, int step) {
    if (!v.is_varying()) return v;
    if (!c_.lanes.vector())
        return Value::uniform(v.type, ir.CreateExtractElement(v.parts[0], static_cast<std::uint64_t>(from)));
    llvm::SmallVector<int, 64> picked;
    for (int k = 0; k < c_.lanes.width; ++k) picked.push_back(from + k * step);
    return Value::varying(v.type, {ir.CreateShuffleVector(v.parts[0], picked)});
}

Values Emitter::reduce(const Inst& inst) {
    if (&inst == chunked.reduce && chunked.part == Part::finish) return finish(inst);
    if (in_tile.plan && code_.lanes.rows > 1)
        if (const TileLoop* loop = in_tile.plan->find(inst)) return Reduction(*this, inst).tiled(*loop);
    return Reduction(*this, inst).emit();
}

Values Emitter::finish(const Inst& inst) {
    Partials partials(*this, inst);
    Reduction reduction(*this, inst);
    Values acc = partials.load(code_.i64(0));
    Few carried = reduction.pack(reduction.varying(acc));
    const int parts = code_.lanes.vector() ? code_.lanes.parts() : 1;
    code_.loop(code_.i64(1), argument(offsetof(Arguments, chunks), ir.getInt64Ty()), 1, carried, [&](llvm::Value* chunk) {
        const Values next = reduction.combine(reduction.unpack(carried, parts), partials.load(chunk));
        carried = reduction.pack(reduction.varying(next));
    });
    return reduction.combine(reduction.init(), reduction.unpack(carried, parts));
}

void Emitter::for_each(const Inst& inst) {
    const std::size_t rank = lower::loop_rank(inst);
    Few none;
    Values indices;
    auto nest = [&](auto& self, std::size_t axis) -> void {
        llvm::Value* extent = operand(inst, axis).scalars[0];
        if (axis + 1 == rank && in_rows_ && !code_.lanes.masked()) return blocks(inst, indices, none, [](const Values&) {});
        if (axis + 1 == rank && !code_.lanes.open)
            return for_lanes({inst.blocks[0], indices, code_.i64(0), extent}, lanes_of(inst));
        code_.loop(code_.i64(0), extent, 1, none, [&](llvm::Value* i) {
            indices.push_back(index(i));
            if (axis + 1 == rank)
                block(inst.blocks[0], indices);
            else
                self(self, axis + 1);
            indices.pop_back();
        });
    };
    nest(nest, 0);
}

}  // namespace sinter::emit
