// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions. In lanes that are open already a reduce is a sequential loop. Otherwise its innermost axis gets lanes:
//   interleaved  (the operator is commutative) every lane of every part accumulates its own elements; at the end the
//                parts, then the lanes, are combined in a fixed tree;
//   ordered      every lane folds a contiguous block in order, the lanes are combined from left to right.
// An operator with a neutral element starts from it. Any other starts from its first elements: a value comes with a flag
// whether it is there yet.
#include "jit/emit/reduce.hpp"

#include "jit/emit/partials.hpp"

namespace sinter::emit {

using ir::Op;

Reduction::Reduction(Emitter& emitter, const Inst& inst)
    : e_(emitter), c_(emitter.code_), ir(emitter.ir), inst_(inst), rank_(inst.bits & 0xff), neutral_(neutral_elements(inst, emitter.env_.size())) {
    commutative_ = neutral_ || (inst.bits >> 8 & 1);
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

/// The neutral elements, or anything where there are none.
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

Few Reduction::pack(const Values& values) {
    Few result;
    for (const Value& v : values) result.append(c_.to_phi(v));
    return result;
}

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
    if (c_.lanes.open || c_.machine.vector_bits == 0) return sequential();
    std::vector<Pattern> params(rank_ - 1);
    params.push_back(Pattern::lane());
    const Profile profile = emit::profile(e_.kernel_, inst_.blocks[0], e_.patterns(), params);
    const Lanes lanes = choose_lanes(c_.machine, profile, count());
    if (!lanes.vector()) return sequential();
    return commutative_ ? interleaved(lanes, profile.narrow_memory) : ordered(lanes);
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

/// Element after element, in order, from the initial values or, in a tile of partial results, from what that starts with.
Values Reduction::sequential() {
    Partials partials(e_, inst_);
    Values like;
    const std::vector<Pattern> states = state_patterns(e_.kernel_, inst_, e_.patterns()).states;
    auto as = [&](Values values) {
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = e_.as(values[k], states[k]);
        return values;
    };
    like = as(init());
    Few carried = pack(like);
    llvm::Value* has = ir.getTrue();
    if (is_chunked()) {
        has = ir.CreateICmpNE(partials.start(), c_.i64(static_cast<std::int64_t>(Start::fresh)));
        const Few initial = carried;
        carried = c_.either(partials.completes(), [&] { return initial; }, [&] {
            return c_.either(has, [&] { return pack(as(one_lane(partials.load(e_.tile(offsetof(Tile, chunk))), like))); },
                             [&] { return pack(as(nothing())); });
        });
    }
    auto now = [&](const Few& flat) {
        Values result;
        llvm::ArrayRef<llvm::Value*> rest = flat;
        for (const Value& v : like) {
            const std::size_t n = v.is_varying() ? v.parts.size() : v.scalars.size();
            result.push_back(c_.from_phi(v.type, rest.take_front(n)));
            rest = rest.drop_front(n);
        }
        return result;
    };
    const bool flagged = is_chunked() && !neutral_;
    if (flagged) carried.push_back(has);
    Values indices;
    outer_loops(rank_, indices, carried, [&] {
        const Values element = e_.block(inst_.blocks[0], indices);
        llvm::Value* there = flagged ? carried.pop_back_val() : nullptr;
        const Values acc = now(carried);
        if (flagged) {
            const Values fresh = as(element);
            carried = c_.either(there, [&] { return pack(as(combine(acc, element))); }, [&] { return pack(fresh); });
            carried.push_back(ir.getTrue());
        } else {
            carried = pack(as(combine(acc, element)));
        }
    });
    if (flagged) carried.pop_back();
    const Values result = now(carried);
    if (is_chunked()) partials.store_and_leave(result);
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

// ---- interleaved ----

/// a combined with b, each only where it is there.
Reduction::Maybe Reduction::merge(const Maybe& a, const Maybe& b) {
    if (neutral_) return {combine(a.values, b.values), a.there};
    if (!c_.lanes.vector()) {
        llvm::Value *ta = a.there.scalars[0], *tb = b.there.scalars[0];
        const Few flat = c_.either(
            ta, [&] { return c_.either(tb, [&] { return pack(combine(a.values, b.values)); }, [&] { return pack(a.values); }); },
            [&] { return pack(b.values); });
        return {unpack(flat, 1), Value::uniform(Scalar::boolean, ir.CreateOr(ta, tb))};
    }
    const Few both = {c_.wide(ir.CreateAnd(c_.vector(a.there, 0), c_.vector(b.there, 0)))};
    const Few first = {c_.wide(c_.vector(a.there, 0))}, second = {c_.wide(c_.vector(b.there, 0))};
    Values combined;
    {
        Lanes lanes = c_.lanes;
        lanes.mask = both;
        const WithLanes with(c_, lanes);
        combined = varying(combine(a.values, b.values));
    }
    Values result;
    for (std::size_t k = 0; k < count(); ++k) {
        llvm::Value* one = ir.CreateSelect(c_.narrow(first[0]), c_.vector(a.values[k], 0), c_.vector(b.values[k], 0));
        result.push_back(Value::varying(inst_.types[k], {ir.CreateSelect(c_.narrow(both[0]), c_.vector(combined[k], 0), one)}));
    }
    return {result, Value::varying(Scalar::boolean, {ir.CreateOr(c_.narrow(first[0]), c_.narrow(second[0]))})};
}

/// Lanes [from, from + step, ..) of a value of twice the present width.
Value Reduction::lanes_of(const Value& v, int from, int step) {
    if (!v.is_varying()) return v;
    if (!c_.lanes.vector()) return Value::uniform(v.type, ir.CreateExtractElement(v.parts[0], static_cast<std::uint64_t>(from)));
    llvm::SmallVector<int, 64> picked;
    for (int k = 0; k < c_.lanes.width; ++k) picked.push_back(from + k * step);
    return Value::varying(v.type, {ir.CreateShuffleVector(v.parts[0], picked)});
}

/// All lanes combined, halves first.
Reduction::Maybe Reduction::combine_lanes(Maybe all, int width) {
    for (int w = width / 2; w >= 1; w /= 2) {
        Lanes lanes;
        lanes.width = w;
        const WithLanes with(c_, lanes);
        auto side = [&](int from) {
            Maybe half;
            for (const Value& v : all.values) half.values.push_back(lanes_of(v, from, 1));
            half.there = neutral_ ? Value{} : lanes_of(all.there, from, 1);
            return half;
        };
        const Maybe a = side(0), b = side(w);
        all = merge(a, b);
    }
    return all;
}

Values Reduction::interleaved(const Lanes& lanes, bool narrow_memory) {
    const bool single_tail = c_.machine.single_tail(narrow_memory);
    const auto columns = static_cast<std::size_t>(lanes.columns);
    Lanes one = lanes;
    one.columns = 1;
    Few carried;
    {
        const WithLanes with(c_, lanes);
        carried = pack(varying(nothing()));
    }
    {
        const WithLanes with(c_, single_tail ? Lanes{} : one);
        carried.append(pack(varying(nothing())));
    }
    const std::size_t tail = count() * columns, flags = tail + count();
    carried.push_back(ir.getFalse());
    carried.push_back(single_tail ? static_cast<llvm::Value*>(ir.getFalse()) : no_lanes(one));

    auto use = [&](Stage stage, const Values& element) {
        if (stage == Stage::main) {
            const Values acc = unpack(llvm::ArrayRef(carried).take_front(tail), lanes.columns);
            replace(carried, 0, pack(varying(append(carried[flags], acc, element))));
            if (!neutral_) carried[flags] = ir.getTrue();
            return;
        }
        const Values acc = unpack(llvm::ArrayRef(carried).slice(tail, count()), 1);
        if (stage == Stage::single) {
            replace(carried, tail, pack(append(carried[flags + 1], acc, element)));
            if (!neutral_) carried[flags + 1] = ir.getTrue();
            return;
        }
        const Few mask = c_.lanes.mask;
        const Maybe before{acc, Value::varying(Scalar::boolean, {c_.narrow(carried[flags + 1])})};
        const Maybe now{varying(element), Value::varying(Scalar::boolean, {c_.narrow(mask[0])})};
        if (neutral_) {
            Values next = varying(combine(acc, element));
            for (std::size_t k = 0; k < count(); ++k)
                next[k].parts[0] = ir.CreateSelect(c_.narrow(mask[0]), next[k].parts[0], acc[k].parts[0]);
            replace(carried, tail, pack(next));
            return;
        }
        const Maybe next = merge(before, now);
        replace(carried, tail, pack(next.values));
        carried[flags + 1] = c_.wide(next.there.parts[0]);
    };
    Values indices;
    outer_loops(rank_ - 1, indices, carried, [&] {
        e_.lane_loop({inst_.blocks[0], indices, lo(rank_ - 1), hi(rank_ - 1)}, lanes, narrow_memory, carried, use);
    });

    Maybe total;
    {
        const WithLanes with(c_, one);
        total = combine_parts(unpack(llvm::ArrayRef(carried).take_front(tail), lanes.columns));
        total.there = Value::uniform(Scalar::boolean, carried[flags]);
        if (!neutral_) total.there = c_.make_varying(total.there);
        if (!single_tail) {
            const Value there = neutral_ ? Value{} : Value::varying(Scalar::boolean, {c_.narrow(carried[flags + 1])});
            total = merge(total, {unpack(llvm::ArrayRef(carried).slice(tail, count()), 1), there});
        }
    }
    total = combine_lanes(total, lanes.width);
    if (single_tail)
        total = merge(total, {unpack(llvm::ArrayRef(carried).slice(tail, count()), 1),
                              Value::uniform(Scalar::boolean, carried[flags + 1])});
    return complete(total.values, neutral_ ? nullptr : total.there.scalars[0]);
}

llvm::Value* Reduction::no_lanes(const Lanes& lanes) {
    const WithLanes with(c_, lanes);
    return llvm::Constant::getNullValue(c_.wide_type());
}

void Reduction::replace(Few& carried, std::size_t first, const Few& values) {
    std::copy(values.begin(), values.end(), carried.begin() + first);
}

/// The parts of accumulators combined to one, halves first. Either all are there or none.
Reduction::Maybe Reduction::combine_parts(const Values& accumulators) {
    std::vector<Values> parts(accumulators[0].parts.size());
    for (const Value& v : accumulators)
        for (std::size_t p = 0; p < parts.size(); ++p) parts[p].push_back(Value::varying(v.type, {v.parts[p]}));
    for (std::size_t n = parts.size() / 2; n >= 1; n /= 2)
        for (std::size_t p = 0; p < n; ++p) parts[p] = varying(combine(parts[p], parts[p + n]));
    return {parts[0], {}};
}

// ---- ordered ----

Values Reduction::ordered(Lanes lanes) {
    lanes.columns = 4;
    Few carried = pack(nothing());
    carried.push_back(ir.getFalse());
    Values indices;
    outer_loops(rank_ - 1, indices, carried, [&] { ordered_row(lanes, indices, carried); });
    llvm::Value* has = carried.pop_back_val();
    return complete(unpack(carried, 1), has);
}

/// Appends one row: lanes fold blocks of equal length, a multiple of the columns; the few elements left are folded singly.
void Reduction::ordered_row(const Lanes& lanes, const Values& indices, Few& carried) {
    llvm::Value *first = lo(rank_ - 1), *end = hi(rank_ - 1);
    const std::int64_t step = lanes.width * lanes.columns;
    llvm::Value* length = ir.CreateMul(ir.CreateSDiv(ir.CreateSub(end, first), c_.i64(step)), c_.i64(lanes.columns));
    auto append_scalar = [&](const Values& element) {
        llvm::Value* has = carried.pop_back_val();
        carried = pack(append(has, unpack(carried, 1), element));
        carried.push_back(ir.getTrue());
    };
    c_.when(ir.CreateICmpSLT(first, end), carried, [&] {
        const Prepared prepared = e_.prepare(inst_.blocks[0], indices);
        c_.when(ir.CreateICmpSGT(length, c_.i64(0)), carried, [&] {
            append_scalar(fold_blocks(lanes, indices, prepared, first, length));
        });
        llvm::Value* rest = ir.CreateAdd(first, ir.CreateMul(length, c_.i64(lanes.width)));
        c_.loop(rest, end, 1, carried, [&](llvm::Value* i) {
            Values params = indices;
            params.push_back(e_.index(i));
            append_scalar(e_.block(inst_.blocks[0], params, &prepared));
        });
    });
}

Values Reduction::fold_blocks(const Lanes& lanes, const Values& indices, const Prepared& prepared, llvm::Value* first,
                              llvm::Value* length) {
    Lanes one = lanes;
    one.columns = 1;
    Few variables;
    {
        const WithLanes with(c_, one);
        variables = pack(varying(nothing()));
    }
    c_.loop(c_.i64(0), length, lanes.columns, variables, [&](llvm::Value* t) {
        Values params = indices;
        Value index = e_.index(ir.CreateAdd(first, t));
        index.lane_stride = length;
        index.part_stride = c_.i64(1);
        params.push_back(index);
        Values elements;
        {
            const WithLanes with(c_, lanes);
            elements = varying(e_.block(inst_.blocks[0], params, &prepared));
        }
        const WithLanes with(c_, one);
        for (std::size_t column = 0; column < static_cast<std::size_t>(lanes.columns); ++column) {
            Values element;
            for (const Value& v : elements) element.push_back(Value::varying(v.type, {v.parts[column]}));
            llvm::Value* has = column == 0 ? ir.CreateIsNotNull(t) : nullptr;
            const Values acc = unpack(variables, 1);
            variables = pack(varying(has ? append(has, acc, element) : combine(acc, element)));
        }
    });
    const WithLanes with(c_, one);
    return combine_all_lanes(unpack(variables, 1), lanes.width);
}

/// All lanes combined from left to right, neighbours first. All are there.
Values Reduction::combine_all_lanes(Values all, int width) {
    for (int w = width / 2; w >= 1; w /= 2) {
        Lanes lanes;
        lanes.width = w;
        const WithLanes with(c_, lanes);
        Values even, odd;
        for (const Value& v : all) {
            even.push_back(lanes_of(v, 0, 2));
            odd.push_back(lanes_of(v, 1, 2));
        }
        all = combine(even, odd);
    }
    return all;
}

Values Emitter::reduce(const Inst& inst) {
    if (&inst == chunked.reduce && chunked.finish) return finish(inst);
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
    const std::size_t rank = inst.bits;
    Few none;
    Values indices;
    auto nest = [&](auto& self, std::size_t axis) -> void {
        llvm::Value* extent = operand(inst, axis).scalars[0];
        if (axis + 1 == rank && !code_.lanes.open) return for_lanes({inst.blocks[0], indices, code_.i64(0), extent});
        code_.loop(code_.i64(0), extent, 1, none, [&](llvm::Value* i) {
            indices.push_back(index(i));
            if (axis + 1 == rank) block(inst.blocks[0], indices);
            else self(self, axis + 1);
            indices.pop_back();
        });
    };
    nest(nest, 0);
}

}  // namespace sinter::emit
