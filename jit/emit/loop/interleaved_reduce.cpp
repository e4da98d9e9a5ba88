// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce with a commutative operator: every lane of every part accumulates its own elements; at the end the parts, and
// then the lanes, are combined in a fixed tree. If the operator has no neutral element, each value has a flag that says
// whether it is present yet.
#include "jit/emit/code/masks.hpp"
#include "jit/emit/loop/reduction.hpp"

#include <algorithm>

namespace sinter::emit {

namespace {

struct Maybe {
    Values values;
    Value there;  ///< boolean; not used with neutral elements
};

/// The variables of an interleaved reduce: the accumulators of the main loop, another set for the rest of it, and for both a
/// flag that says whether they hold anything.
struct Accumulators {
    Lanes main, rest;
    std::size_t rest_at, flags_at;
    Few carried;
};

class Interleaved {
  public:
    explicit Interleaved(Reduction& reduction)
        : r_(reduction), op_(reduction.op), c_(reduction.code), ir(reduction.code.ir) {}
    Values run(const Lanes& lanes);

  private:
    Accumulators accumulators(const Lanes& lanes);
    void accumulate(Accumulators& a, Stage stage, const Values& element);
    Maybe total(const Accumulators& a);
    Maybe merge(const Maybe& a, const Maybe& b);
    Maybe combine_lanes(Maybe all, int width);
    Maybe combine_parts(const Values& accumulators);

    Reduction& r_;
    Combiner& op_;
    Code& c_;
    llvm::IRBuilder<>& ir;
};

Values Interleaved::run(const Lanes& lanes) {
    Nest& nest = r_.nest;
    const std::size_t inner = nest.rank() - 1;
    Accumulators a = accumulators(lanes);
    Values indices;
    nest.outer_loops(inner, indices, a.carried, [&] {
        r_.emitter.lanes.emit({r_.inst.blocks[0], indices, nest.lo(inner), nest.hi(inner)}, lanes, a.carried,
                              [&](Stage stage, const Values& element) { accumulate(a, stage, element); });
    });
    const Maybe all = total(a);
    return r_.complete(all.values, op_.has_neutral() ? nullptr : all.there.scalars[0]);
}

/// a combined with b, where each is used only if it is present.
Maybe Interleaved::merge(const Maybe& a, const Maybe& b) {
    if (op_.has_neutral()) return {op_.combine(a.values, b.values), a.there};
    if (!c_.lanes.vector()) {
        llvm::Value *ta = a.there.scalars[0], *tb = b.there.scalars[0];
        const Few flat = c_.either(
            ta,
            [&] {
                return c_.either(
                    tb, [&] { return op_.pack(op_.combine(a.values, b.values)); }, [&] { return op_.pack(a.values); });
            },
            [&] { return op_.pack(b.values); });
        return {op_.unpack(flat, 1), Value::uniform(Scalar::boolean, ir.CreateOr(ta, tb))};
    }
    const Few both = {c_.wide(ir.CreateAnd(c_.vector(a.there, 0), c_.vector(b.there, 0)))};
    const Few first = {c_.wide(c_.vector(a.there, 0))}, second = {c_.wide(c_.vector(b.there, 0))};
    Values combined;
    {
        Lanes lanes = c_.lanes;
        lanes.mask = both;
        const WithLanes with(c_, lanes);
        combined = op_.varying(op_.combine(a.values, b.values));
    }
    Values result;
    for (std::size_t k = 0; k < op_.count(); ++k) {
        llvm::Value* one = ir.CreateSelect(c_.narrow(first[0]), c_.vector(a.values[k], 0), c_.vector(b.values[k], 0));
        result.push_back(
            Value::varying(r_.inst.types[k], {ir.CreateSelect(c_.narrow(both[0]), c_.vector(combined[k], 0), one)}));
    }
    return {result, Value::varying(Scalar::boolean, {ir.CreateOr(c_.narrow(first[0]), c_.narrow(second[0]))})};
}

/// All lanes combined, halves first.
Maybe Interleaved::combine_lanes(Maybe all, int width) {
    for (int w = width / 2; w >= 1; w /= 2) {
        Lanes lanes;
        lanes.width = w;
        const WithLanes with(c_, lanes);
        auto side = [&](int from) {
            Maybe half;
            for (const Value& v : all.values) half.values.push_back(op_.lanes_of(v, from, 1));
            half.there = op_.has_neutral() ? Value{} : op_.lanes_of(all.there, from, 1);
            return half;
        };
        const Maybe a = side(0), b = side(w);
        all = merge(a, b);
    }
    return all;
}

Accumulators Interleaved::accumulators(const Lanes& lanes) {
    Accumulators a{lanes, lanes, 0, 0, {}};
    a.rest.columns = 1;
    if (lanes.single_tail) a.rest = Lanes{};
    auto empty = [&](const Lanes& shape) {
        const WithLanes with(c_, shape);
        return op_.pack(op_.varying(op_.nothing()));
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
void Interleaved::accumulate(Accumulators& a, Stage stage, const Values& element) {
    auto replace = [&](std::size_t first, const Few& values) {
        std::copy(values.begin(), values.end(), a.carried.begin() + first);
    };
    llvm::Value*& flag = a.carried[a.flags_at + (stage == Stage::main ? 0 : 1)];
    if (stage == Stage::main || stage == Stage::single) {
        const std::size_t first = stage == Stage::main ? 0 : a.rest_at;
        const Lanes& lanes = stage == Stage::main ? a.main : a.rest;
        const auto n = static_cast<std::size_t>(lanes.parts());
        const Values acc = op_.unpack(llvm::ArrayRef(a.carried).slice(first, op_.count() * n), lanes.parts());
        replace(first, op_.pack(op_.varying(op_.append(flag, acc, element))));
        if (!op_.has_neutral()) flag = ir.getTrue();
        return;
    }
    const Few mask = stage == Stage::whole ? active_lanes(c_) : c_.lanes.mask;
    const Values acc = op_.unpack(llvm::ArrayRef(a.carried).slice(a.rest_at, op_.count()), 1);
    if (!op_.has_neutral()) {
        const Maybe before{acc, Value::varying(Scalar::boolean, {c_.narrow(flag)})};
        const Maybe next = merge(before, {op_.varying(element), Value::varying(Scalar::boolean, {c_.narrow(mask[0])})});
        replace(a.rest_at, op_.pack(next.values));
        flag = c_.wide(next.there.parts[0]);
        return;
    }
    Values next = op_.varying(op_.combine(acc, element));
    for (std::size_t k = 0; k < op_.count(); ++k)
        next[k].parts[0] = ir.CreateSelect(c_.narrow(mask[0]), next[k].parts[0], acc[k].parts[0]);
    replace(a.rest_at, op_.pack(next));
}

/// All accumulators combined: parts first, then lanes.
Maybe Interleaved::total(const Accumulators& a) {
    const llvm::ArrayRef<llvm::Value*> all = a.carried;
    const bool single_tail = !a.rest.vector();
    auto rest = [&]() -> Maybe {
        llvm::Value* flag = all[a.flags_at + 1];
        if (single_tail) return {op_.unpack(all.slice(a.rest_at, op_.count()), 1), Value::uniform(Scalar::boolean, flag)};
        const Value there = op_.has_neutral() ? Value{} : Value::varying(Scalar::boolean, {c_.narrow(flag)});
        return {op_.unpack(all.slice(a.rest_at, op_.count()), 1), there};
    };
    Maybe result;
    {
        Lanes one = a.main;
        one.columns = 1;
        const WithLanes with(c_, one);
        result = combine_parts(op_.unpack(all.take_front(a.rest_at), a.main.columns));
        result.there = Value::uniform(Scalar::boolean, all[a.flags_at]);
        if (!op_.has_neutral()) result.there = c_.make_varying(result.there);
        if (!single_tail) result = merge(result, rest());
    }
    result = combine_lanes(result, a.main.width);
    return single_tail ? merge(result, rest()) : result;
}

/// The parts of accumulators combined into one, halves first. Either all of them are present or none.
Maybe Interleaved::combine_parts(const Values& accumulators) {
    std::vector<Values> parts(accumulators[0].parts.size());
    for (const Value& v : accumulators)
        for (std::size_t p = 0; p < parts.size(); ++p) parts[p].push_back(Value::varying(v.type, {v.parts[p]}));
    for (std::size_t n = parts.size() / 2; n >= 1; n /= 2)
        for (std::size_t p = 0; p < n; ++p) parts[p] = op_.varying(op_.combine(parts[p], parts[p + n]));
    return {parts[0], {}};
}

}  // namespace

Values interleaved(Reduction& reduction, const Lanes& lanes) { return Interleaved(reduction).run(lanes); }

}  // namespace sinter::emit
