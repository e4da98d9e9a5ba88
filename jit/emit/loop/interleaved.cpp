// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce with a commutative operator: every lane of every part accumulates its own elements; at the end the parts, then
// the lanes, are combined in a fixed tree. Where the operator has no neutral element, a value comes with a flag whether it
// is there yet.
#include "jit/emit/loop/reduce.hpp"

#include <algorithm>

namespace sinter::emit {

/// a combined with b, each only where it is there.
Reduction::Maybe Reduction::merge(const Maybe& a, const Maybe& b) {
    if (neutral_) return {combine(a.values, b.values), a.there};
    if (!c_.lanes.vector()) {
        llvm::Value *ta = a.there.scalars[0], *tb = b.there.scalars[0];
        const Few flat = c_.either(
            ta,
            [&] { return c_.either(tb, [&] { return pack(combine(a.values, b.values)); }, [&] { return pack(a.values); }); },
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
        result.push_back(
            Value::varying(inst_.types[k], {ir.CreateSelect(c_.narrow(both[0]), c_.vector(combined[k], 0), one)}));
    }
    return {result, Value::varying(Scalar::boolean, {ir.CreateOr(c_.narrow(first[0]), c_.narrow(second[0]))})};
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

/// Variables of an interleaved reduce: accumulators of the main loop, one more set for the rest of it, and of both whether
/// they hold anything.
struct Reduction::Accumulators {
    Lanes main, rest;
    std::size_t rest_at, flags_at;
    Few carried;
};

Reduction::Accumulators Reduction::accumulators(const Lanes& lanes) {
    Accumulators a{lanes, lanes, 0, 0, {}};
    a.rest.columns = 1;
    if (lanes.single_tail) a.rest = Lanes{};
    auto empty = [&](const Lanes& shape) {
        const WithLanes with(c_, shape);
        return pack(varying(nothing()));
    };
    a.carried = empty(a.main);
    a.rest_at = a.carried.size();
    a.carried.append(empty(a.rest));
    a.flags_at = a.carried.size();
    const WithLanes with(c_, a.rest);
    a.carried.push_back(ir.getFalse());
    a.carried.push_back(lanes.single_tail ? static_cast<llvm::Value*>(ir.getFalse())
                                          : llvm::Constant::getNullValue(c_.wide_type()));
    return a;
}

/// Combines the elements of one execution of the element block with the accumulators of its stage.
void Reduction::accumulate(Accumulators& a, Stage stage, const Values& element) {
    auto replace = [&](std::size_t first, const Few& values) {
        std::copy(values.begin(), values.end(), a.carried.begin() + first);
    };
    llvm::Value*& flag = a.carried[a.flags_at + (stage == Stage::main ? 0 : 1)];
    if (stage == Stage::main || stage == Stage::single) {
        const std::size_t first = stage == Stage::main ? 0 : a.rest_at;
        const Lanes& lanes = stage == Stage::main ? a.main : a.rest;
        const auto n = static_cast<std::size_t>(lanes.parts());
        const Values acc = unpack(llvm::ArrayRef(a.carried).slice(first, count() * n), lanes.parts());
        replace(first, pack(varying(append(flag, acc, element))));
        if (!neutral_) flag = ir.getTrue();
        return;
    }
    const Few mask = stage == Stage::whole ? e_.all_lanes() : c_.lanes.mask;
    const Values acc = unpack(llvm::ArrayRef(a.carried).slice(a.rest_at, count()), 1);
    if (!neutral_) {
        const Maybe before{acc, Value::varying(Scalar::boolean, {c_.narrow(flag)})};
        const Maybe next = merge(before, {varying(element), Value::varying(Scalar::boolean, {c_.narrow(mask[0])})});
        replace(a.rest_at, pack(next.values));
        flag = c_.wide(next.there.parts[0]);
        return;
    }
    Values next = varying(combine(acc, element));
    for (std::size_t k = 0; k < count(); ++k)
        next[k].parts[0] = ir.CreateSelect(c_.narrow(mask[0]), next[k].parts[0], acc[k].parts[0]);
    replace(a.rest_at, pack(next));
}

/// All accumulators combined: parts, then lanes.
Reduction::Maybe Reduction::total(const Accumulators& a) {
    const llvm::ArrayRef<llvm::Value*> all = a.carried;
    const bool single_tail = !a.rest.vector();
    auto rest = [&]() -> Maybe {
        llvm::Value* flag = all[a.flags_at + 1];
        if (single_tail) return {unpack(all.slice(a.rest_at, count()), 1), Value::uniform(Scalar::boolean, flag)};
        const Value there = neutral_ ? Value{} : Value::varying(Scalar::boolean, {c_.narrow(flag)});
        return {unpack(all.slice(a.rest_at, count()), 1), there};
    };
    Maybe result;
    {
        Lanes one = a.main;
        one.columns = 1;
        const WithLanes with(c_, one);
        result = combine_parts(unpack(all.take_front(a.rest_at), a.main.columns));
        result.there = Value::uniform(Scalar::boolean, all[a.flags_at]);
        if (!neutral_) result.there = c_.make_varying(result.there);
        if (!single_tail) result = merge(result, rest());
    }
    result = combine_lanes(result, a.main.width);
    return single_tail ? merge(result, rest()) : result;
}

Values Reduction::interleaved(const Lanes& lanes) {
    Accumulators a = accumulators(lanes);
    Values indices;
    outer_loops(rank_ - 1, indices, a.carried, [&] {
        e_.lane_loop({inst_.blocks[0], indices, lo(rank_ - 1), hi(rank_ - 1)}, lanes, a.carried,
                     [&](Stage stage, const Values& element) { accumulate(a, stage, element); });
    });
    const Maybe all = total(a);
    return complete(all.values, neutral_ ? nullptr : all.there.scalars[0]);
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

}  // namespace sinter::emit
