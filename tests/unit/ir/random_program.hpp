// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random well-formed programs with every array operation, the same for a seed everywhere. Inputs: scalars f32, f32, i64,
/// bool, then arrays; without Options::loops the i64 is the count of every loop. Size argument 0 may be guarded to equal the
/// extent of input 4.
#pragma once

#include "ir/program.hpp"
#include "tests/unit/ir/random_function.hpp"

#include <algorithm>

namespace sinter::test {

class RandomProgram {
  public:
    /// `irregular`: with extents that depend on data.
    RandomProgram(std::mt19937& random, RandomFunction::Options options, bool irregular = true)
        : functions_(random, options), options_(options), irregular_(irregular) {}

    Program make() {
        program_ = {};
        types_.clear();
        program_.size_arguments = 2;
        for (Scalar scalar : {Scalar::f32, Scalar::f32, Scalar::i64, Scalar::boolean}) input(scalar, 0);
        for (std::size_t rank : {1, 2, 1}) input(functions_.scalar(), rank);
        input(Scalar::i64, 1);
        SizeTable& sizes = program_.sizes;
        if (below(2) == 0)
            program_.body.guards.push_back({sizes.argument(0), sizes.input_extent(4, 0), {}, "a \"guard\"\\"});
        Body body{types_, {}, {}};
        bindings(body, 8, 2);
        for (std::size_t i = 0; i < 3; ++i) body.results.push_back(any());
        program_.body = std::move(body);
        return std::move(program_);
    }

  private:
    std::size_t below(std::size_t n) { return functions_.below(n); }

    void input(Scalar scalar, std::size_t rank) {
        Type type{scalar, {}};
        for (std::size_t axis = 0; axis < rank; ++axis)
            type.shape.push_back(program_.sizes.input_extent(types_.size(), axis));
        types_.push_back(type);
    }

    ValueId any() { return ValueId(below(types_.size())); }

    template <class Wanted>
    std::optional<ValueId> find(Wanted wanted) {
        std::size_t start = below(types_.size());
        for (std::size_t i = 0; i < types_.size(); ++i)
            if (ValueId id((start + i) % types_.size()); wanted(types_[id.index])) return id;
        return std::nullopt;
    }
    std::optional<ValueId> scalar(Scalar type) {
        return find([&](const Type& t) { return t == Type{type, {}}; });
    }

    void bind(Body& body, ArrayOp op, std::vector<Type> types) {
        types_.insert(types_.end(), types.begin(), types.end());
        body.bindings.push_back({std::move(op), std::move(types), {}});
    }

    void bindings(Body& body, std::size_t count, int depth) {
        for (std::size_t i = 0; i < count; ++i) {
            switch (below(17)) {
                case 0:
                    fold(body);
                    break;
                case 1:
                case 2:
                case 3:
                    view(body);
                    break;
                case 4:
                    gather(body);
                    break;
                case 5:
                    bind(body, Force{{ValueId(types_.size() - 1)}}, {types_.back()});
                    break;
                case 6:
                    if (depth > 0) cond(body, depth);
                    break;
                case 7:
                    if (depth > 0) loop(body, depth);
                    break;
                case 8:
                    scan(body);
                    break;
                case 9:
                    below(2) == 0 ? scan(body) : recur(body);
                    break;
                case 10:
                    if (irregular_) compact(body);
                    break;
                case 11:
                    scatter(body);
                    break;
                case 12:
                    sort(body);
                    break;
                default:
                    map(body);
            }
        }
    }

    Captures captures(std::vector<Scalar>& params, std::vector<ArrayParam>& arrays) {
        Captures captures;
        while (below(2) == 0) captures.scalars.push_back(*find([](const Type& t) { return t.rank() == 0; }));
        while (options_.reads && below(3) == 0) captures.arrays.push_back(any());
        for (ValueId id : captures.scalars) params.push_back(types_[id.index].scalar);
        for (ValueId id : captures.arrays) arrays.push_back({types_[id.index].scalar, types_[id.index].rank()});
        return captures;
    }

    void map(Body& body) {
        Shape shape = types_[any().index].shape;
        Map map;
        map.indexed = !shape.empty() && below(3) == 0;
        std::vector<Scalar> params(map.indexed ? shape.size() : 0, Scalar::i64);
        for (std::size_t i = below(3); i > 0; --i) {
            map.args.push_back(*find([&](const Type& t) { return t.shape == shape; }));
            params.push_back(types_[map.args.back().index].scalar);
        }
        std::vector<ArrayParam> arrays;
        map.captures = captures(params, arrays);
        std::vector<Type> types(1 + below(2), Type{functions_.scalar(), shape});
        std::vector<Scalar> results;
        for (Type& type : types) results.push_back(type.scalar = functions_.scalar());
        map.fn = functions_.make(std::move(arrays), params, results);
        bind(body, std::move(map), std::move(types));
    }

    void fold(Body& body) {
        auto arg = find([&](const Type& t) { return t.rank() > 0 && scalar(t.scalar); });
        if (!arg) return;
        Type type = types_[arg->index];
        Fold fold;
        fold.args = {*arg};
        fold.inits = {*scalar(type.scalar)};
        fold.axes = {below(type.rank())};
        std::vector<Scalar> params(2, type.scalar);
        std::vector<ArrayParam> arrays;
        fold.captures = captures(params, arrays);
        fold.op = functions_.make(std::move(arrays), params, {type.scalar});
        type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(fold.axes[0]));
        bind(body, std::move(fold), {type});
    }

    void scan(Body& body) {
        auto arg = find([&](const Type& t) { return t.rank() > 0 && scalar(t.scalar); });
        if (!arg) return;
        Type type = types_[arg->index], total = type;
        Scan scan;
        scan.args = {*arg};
        if (below(3) > 0) scan.inits = {*scalar(type.scalar)};
        scan.axis = below(type.rank());
        scan.reverse = below(2) == 0;
        scan.exclusive = !scan.inits.empty() && below(2) == 0;
        scan.totals = !scan.inits.empty() && below(2) == 0;
        std::vector<Scalar> params(2, type.scalar);
        std::vector<ArrayParam> arrays;
        scan.captures = captures(params, arrays);
        scan.op = functions_.make(std::move(arrays), params, {type.scalar});
        total.shape.erase(total.shape.begin() + static_cast<std::ptrdiff_t>(scan.axis));
        std::vector<Type> types{type};
        if (scan.totals) types.push_back(total);
        bind(body, std::move(scan), std::move(types));
    }

    void recur(Body& body) {
        auto arg = find([&](const Type& t) { return t.rank() > 0 && scalar(t.scalar); });
        auto init = find([&](const Type& t) { return t.rank() == 0; });
        if (!arg || !init) return;
        const Type type = types_[arg->index];
        Type states{types_[init->index].scalar, type.shape}, last = states;
        Scan recur;
        recur.sequential = true;
        recur.args = {*arg};
        recur.inits = {*init};
        recur.axis = below(type.rank());
        recur.reverse = below(2) == 0;
        recur.totals = below(2) == 0;
        std::vector<Scalar> params{states.scalar, type.scalar};
        std::vector<ArrayParam> arrays;
        recur.captures = captures(params, arrays);
        recur.op = functions_.make(std::move(arrays), params, {states.scalar});
        last.shape.erase(last.shape.begin() + static_cast<std::ptrdiff_t>(recur.axis));
        std::vector<Type> types{states};
        if (recur.totals) types.push_back(last);
        bind(body, std::move(recur), std::move(types));
    }

    void compact(Body& body) {
        auto mask = find([](const Type& t) { return t.scalar == Scalar::boolean && t.rank() == 1; });
        if (!mask) return;
        Compact compact{*mask, {}};
        std::vector<Type> types{{Scalar::i64, {}}};
        SizeId kept = program_.sizes.value(ValueId(types_.size()));
        for (std::size_t i = below(3); i > 0; --i) {
            compact.args.push_back(*find([&](const Type& t) { return t.shape == types_[mask->index].shape; }));
            types.push_back({types_[compact.args.back().index].scalar, {kept}});
        }
        bind(body, std::move(compact), std::move(types));
    }

    /// Elements may be written twice: one after another, as long as nothing else executes them.
    void scatter(Body& body) {
        auto index = find([](const Type& t) { return t.scalar == Scalar::i64 && t.rank() > 0; });
        if (!options_.reads || !index) return;
        const Shape shape = types_[index->index].shape;
        ValueId value = *find([&](const Type& t) { return t.shape == shape; });
        Scalar type = types_[value.index].scalar;
        auto dest = find([&](const Type& t) { return t.rank() > 0 && t.scalar == type; });
        Scatter scatter;
        scatter.dests = {*dest};
        scatter.indices.assign(types_[dest->index].rank(), *index);
        scatter.values = {value};
        if (below(2) == 0) scatter.drops = below(scatter.indices.size());
        if (below(2) == 0) {
            std::vector<Scalar> params(2, type);
            std::vector<ArrayParam> arrays;
            scatter.captures = captures(params, arrays);
            scatter.op = functions_.make(std::move(arrays), params, {type});
        }
        bind(body, std::move(scatter), {types_[dest->index]});
    }

    void sort(Body& body) {
        ValueId first = *find([](const Type& t) { return t.rank() > 0; });
        ValueId second = *find([&](const Type& t) { return t.shape == types_[first.index].shape; });
        bind(body, Sort{{first, second}, 1 + below(2), below(2) == 0}, {types_[first.index], types_[second.index]});
    }

    void view(Body& body) {
        auto arg = find([](const Type& t) { return t.rank() > 0 && t.rank() < 4; });
        Type type = types_[arg->index];
        SizeTable& sizes = program_.sizes;
        IndexFunction function = Reshape{};
        switch (below(6)) {
            case 4:
                return pad(body, *arg);
            case 5: {
                Shift shift;
                for (std::size_t axis = 0; axis < type.rank(); ++axis)
                    shift.offset.push_back(static_cast<std::int64_t>(below(5)) - 2);
                shift.boundary = static_cast<Boundary>(below(4));
                function = shift;
                break;
            }
            case 0: {
                Transpose transpose;
                for (std::size_t axis = type.rank(); axis-- > 0;) transpose.axes.push_back(axis);
                std::reverse(type.shape.begin(), type.shape.end());
                function = transpose;
                break;
            }
            case 1: {
                Slice slice;
                for (SizeId& extent : type.shape) {
                    bool reverse = below(2) == 0;
                    slice.start.push_back(reverse ? sizes.sub(extent, sizes.constant(1)) : sizes.constant(0));
                    slice.step.push_back(reverse ? -1 : 1);
                }
                function = slice;
                break;
            }
            case 2: {
                Broadcast broadcast;
                for (std::size_t axis = 0; axis < type.rank(); ++axis) broadcast.axes.push_back(axis + 1);
                type.shape.insert(type.shape.begin(), below(2) == 0 ? sizes.constant(2) : sizes.argument(below(2)));
                function = broadcast;
                break;
            }
            default: {
                SizeId elements = type.shape[0];
                for (std::size_t axis = 1; axis < type.rank(); ++axis) elements = sizes.mul(elements, type.shape[axis]);
                type.shape = {elements};
            }
        }
        bind(body, View{*arg, std::move(function)}, {type});
    }

    void pad(Body& body, ValueId arg) {
        Type type = types_[arg.index];
        auto fill = scalar(type.scalar);
        if (!fill) return;
        SizeTable& sizes = program_.sizes;
        Slice slice;
        for (SizeId& extent : type.shape) {
            slice.start.push_back(sizes.constant(-static_cast<std::int64_t>(below(2))));
            slice.step.push_back(1);
            if (below(2) == 0) extent = sizes.add(extent, sizes.constant(1));
        }
        bind(body, View{arg, std::move(slice), *fill}, {type});
    }

    void gather(Body& body) {
        auto index = find([](const Type& t) { return t.scalar == Scalar::i64 && t.rank() > 0; });
        auto source = find([](const Type& t) { return t.rank() > 0; });
        if (!options_.reads || !index) return;
        std::vector<ValueId> indices(types_[source->index].rank(), *index);
        Type type{types_[source->index].scalar, types_[index->index].shape};
        bind(body, Gather{std::move(indices), {*source}}, {type});
    }

    /// A nested body whose results are variables of these types, made by force where there are none.
    Body nested(std::vector<Type> params, const std::vector<Type>& results, int depth) {
        std::size_t outer = types_.size();
        types_.insert(types_.end(), params.begin(), params.end());
        Body body{std::move(params), {}, {}};
        bindings(body, 1 + below(4), depth - 1);
        for (const Type& type : results) body.results.push_back(*find([&](const Type& t) { return t == type; }));
        types_.resize(outer);
        return body;
    }

    std::vector<ValueId> states() {
        std::vector<ValueId> states{any()};
        if (below(2) == 0) states.push_back(any());
        return states;
    }
    std::vector<Type> types_of_all(const std::vector<ValueId>& ids) {
        std::vector<Type> types;
        for (ValueId id : ids) types.push_back(types_[id.index]);
        return types;
    }

    void cond(Body& body, int depth) {
        std::vector<Type> types = types_of_all(states());
        Cond cond{*scalar(Scalar::boolean), {}};
        for (int i = 0; i < 2; ++i) cond.bodies.push_back(nested({}, types, depth));
        bind(body, std::move(cond), std::move(types));
    }

    void loop(Body& body, int depth) {
        Loop loop{{}, states(), {}};
        std::vector<Type> types = types_of_all(loop.inits), params = types;
        if (!options_.loops || below(2) == 0) {
            loop.count = options_.loops ? *scalar(Scalar::i64) : ValueId(2);
            params.insert(params.begin(), Type{Scalar::i64, {}});
        } else {
            loop.bodies.push_back(nested(params, {Type{Scalar::boolean, {}}}, depth));
        }
        loop.bodies.push_back(nested(params, types, depth));
        bind(body, std::move(loop), std::move(types));
    }

    RandomFunction functions_;
    RandomFunction::Options options_;
    bool irregular_;
    Program program_;
    std::vector<Type> types_;
};

}  // namespace sinter::test
