// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/neutral.hpp"
#include "lower/attempt/attempt.hpp"
#include "lower/loops.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::lower {

template <class Op>
std::vector<Ref> Attempt::loop_operands(const Loops& loops) {
    std::vector<Ref> operands;
    for (SizeId size : extents(true)) operands.push_back(work_.indexing.size(size));
    for (std::size_t k : loops)
        for (ValueId init : op<Op>(k).inits) operands.push_back(pull_.scalar(init, point_));
    return operands;
}

template <class Op>
std::vector<Ref> Attempt::elements_at(const Loops& loops, const Point& point) {
    std::vector<Ref> values;
    for (std::size_t k : loops)
        for (ValueId arg : op<Op>(k).args) values.push_back(pull_.value(arg, point));
    return values;
}

template <class Op>
RegionId Attempt::combine_region(const Loops& loops, bool swapped) {
    std::vector<Scalar> types = state_types<Op>(loops), parameters(types);
    parameters.insert(parameters.end(), types.begin(), types.end());
    RegionId region = work_.graph.open(RegionKind::combine, std::move(parameters));
    std::vector<Ref> results;
    for (std::size_t k : loops) {
        const Op& loop = op<Op>(k);
        std::size_t first = results.size(), right = first + types.size();
        std::vector<Ref> arguments;
        for (std::size_t side : {swapped ? right : first, swapped ? first : right})
            for (std::size_t i = 0; i < loop.args.size(); ++i) arguments.push_back(work_.graph.parameter(region, side + i));
        for (ValueId scalar : loop.captures.scalars) arguments.push_back(pull_.scalar(scalar, point_));
        for (Ref ref : apply(work_, pull_, loop.op, std::move(arguments), loop.captures.arrays, binding(k).site))
            results.push_back(ref);
    }
    work_.graph.close(std::move(results));
    return region;
}

void Attempt::pass(std::size_t stage) {
    Loops folds;
    for (std::size_t k : form_.loops)
        if (form_.stages[k] == stage) folds.push_back(k);
    if (!folds.empty()) reduce(folds, stage);
    if (folds.empty() || accumulates(stage)) for_each(stage, folds.empty());
}

void Attempt::for_each(std::size_t stage, bool stores) {
    std::vector<Ref> operands = loop_operands<ir::Fold>({});
    const std::size_t rank = operands.size();
    RegionId element = work_.graph.open(RegionKind::element, std::vector<Scalar>(rank, Scalar::i64));
    const std::vector<Ref> indices = work_.graph.parameters(element);
    const Point point = make_point(indices);
    load_kept(indices, stores ? stage : stage + 1, point);
    if (stores) store_results(point, true, stage);
    for (std::size_t k : form_.outer)
        if (is_of_elements(k) && form_.stages[k] == stage) accumulate(k, point);
    work_.graph.close({});
    work_.graph.effect(Op::for_each, {}, rank, std::move(operands), {element});
}

bool Attempt::accumulates(std::size_t stage) const {
    return std::any_of(form_.outer.begin(), form_.outer.end(),
                       [&](std::size_t k) { return is_of_elements(k) && form_.stages[k] == stage; });
}

void Attempt::accumulate(std::size_t outer, const Point& point) {
    std::vector<Ref> values;
    for (ValueId arg : op<ir::Fold>(outer).args) values.push_back(pull_.value(arg, point));
    accumulate(outer, point, std::move(values));
}

void Attempt::accumulate(std::size_t outer, const Point& point, std::vector<Ref> values) {
    const ir::Fold& fold = op<ir::Fold>(outer);
    const ir::Shape& space = work_.types[fold.args[0].index].shape;
    const ir::Shape& result = work_.types[variable(outer).index].shape;
    ir::Broadcast kept;
    for (std::size_t axis = 0; axis < space.size(); ++axis)
        if (!std::binary_search(fold.axes.begin(), fold.axes.end(), axis)) kept.axes.push_back(axis);
    std::vector<Ref> operands{work_.indexing.offset(work_.indexing.source(kept, result, space, point), result)};
    operands.insert(operands.end(), values.begin(), values.end());
    const RegionId combine = combine_region<ir::Fold>({outer});
    work_.graph.effect(Op::update, {}, *buffer_of(outer, 0), std::move(operands), {combine});
}

void Attempt::reduce(const Loops& folds, std::size_t stage) {
    std::vector<Ref> operands = loop_operands<ir::Fold>(folds);
    std::size_t rank = extents(true).size();
    bool commutative = true;
    for (std::size_t k : folds) commutative = commutative && op<ir::Fold>(k).commutative;
    RegionId element = work_.graph.open(RegionKind::element, std::vector<Scalar>(rank, Scalar::i64));
    const std::vector<Ref> indices = work_.graph.parameters(element);
    const Point point = make_point(indices);
    load_kept(indices, stage, point);
    std::vector<Ref> values = elements_at<ir::Fold>(folds, point);
    const bool stores = store_results(point, true, stage) || keeps(stage);
    store_kept(indices, stage, point);
    work_.graph.close(std::move(values));
    RegionId combine = combine_region<ir::Fold>(folds);
    const std::uint64_t bits = reduce_bits(rank, commutative);
    auto add = stores ? &Graph::effect : &Graph::control;
    NodeId node =
        (work_.graph.*add)(Op::reduce, state_types<ir::Fold>(folds), bits, std::move(operands), {element, combine});
    std::uint32_t result = 0;
    for (std::size_t k : folds)
        for (std::size_t r = 0; r < binding(k).types.size(); ++r) pull_.define(variable(k, r), point_, {node, result++});
}

void Attempt::scan() {
    const ir::Scan& first = op<ir::Scan>(form_.loops[0]);
    std::vector<Ref> operands = loop_operands<ir::Scan>(form_.loops);
    std::vector<Scalar> types = state_types<ir::Scan>(form_.loops);
    RegionId element = work_.graph.open(RegionKind::element, {Scalar::i64});
    work_.graph.close(elements_at<ir::Scan>(form_.loops, scan_point(first, operands[0], work_.graph.parameter(element, 0))));
    RegionId combine = combine_region<ir::Scan>(form_.loops, first.reverse);
    RegionId emit = emit_region(first, operands[0], types);
    NodeId node =
        work_.graph.effect(Op::scan, types, scan_bits(first.exclusive), std::move(operands), {element, combine, emit});
    std::uint32_t result = 0;
    for (std::size_t k : form_.loops) {
        const ir::Scan& scan = op<ir::Scan>(k);
        for (std::size_t i = 0; i < scan.args.size(); ++i, ++result)
            if (scan.totals) pull_.define(variable(k, scan.args.size() + i), point_, {node, result});
    }
}

Point Attempt::scan_point(const ir::Scan& scan, Ref extent, Ref index) {
    if (scan.reverse) index = work_.graph.add(Op::sub, {work_.graph.add(Op::sub, {extent, work_.graph.index(1)}), index});
    return make_point({index});
}

RegionId Attempt::emit_region(const ir::Scan& scan, Ref extent, const std::vector<Scalar>& types) {
    std::vector<Scalar> parameters{Scalar::i64};
    parameters.insert(parameters.end(), types.begin(), types.end());
    RegionId region = work_.graph.open(RegionKind::emit, std::move(parameters));
    Point point = scan_point(scan, extent, work_.graph.parameter(region, 0));
    std::size_t next = 1;
    for (std::size_t k : form_.loops)
        for (std::size_t i = 0; i < op<ir::Scan>(k).args.size(); ++i)
            pull_.define(variable(k, i), point, work_.graph.parameter(region, next++));
    store_results(point, true);
    for (std::size_t k : form_.outer) accumulate(k, point);
    work_.graph.close({});
    return region;
}

/// A loop of the function's own kind: a state is carried from element to element, and each step stores what is wanted for
/// its element. Points, which are lines, are as independent as those of any map. What outer folds add up of a line are
/// further states, which begin with neutral elements.
void Attempt::recur() {
    const ir::Scan& first = op<ir::Scan>(form_.loops[0]);
    std::vector<Ref> operands = loop_operands<ir::Scan>(form_.loops);
    const std::size_t states = operands.size() - 1;
    for (std::size_t k : form_.outer) {
        const ir::Fold& fold = op<ir::Fold>(k);
        const auto neutral = ir::neutral_elements(fold.op.body, fold.args.size());
        check(neutral.has_value(), "outer folds have neutral elements");
        for (std::size_t i = 0; i < neutral->size(); ++i)
            operands.push_back(work_.graph.constant(work_.types[fold.args[i].index].scalar, (*neutral)[i]));
    }
    std::vector<Scalar> types;
    for (std::size_t k = 1; k < operands.size(); ++k) types.push_back(work_.graph.type(operands[k]));
    std::vector<Scalar> parameters{Scalar::i64};
    parameters.insert(parameters.end(), types.begin(), types.end());
    RegionId step = work_.graph.open(RegionKind::loop, std::move(parameters));
    const Point point = scan_point(first, operands[0], work_.graph.parameter(step, 0));
    std::vector<Ref> next = next_states(step, point);
    const bool stores = store_results(point, true);
    add_up(step, point, next);
    work_.graph.close(std::move(next));
    auto add = stores ? &Graph::effect : &Graph::control;
    NodeId node = (work_.graph.*add)(Op::for_loop, types, 0, std::move(operands), {step});
    std::uint32_t result = 0;
    for (std::size_t k : form_.loops)
        for (std::size_t i = 0; i < op<ir::Scan>(k).states(); ++i, ++result)
            if (op<ir::Scan>(k).totals) pull_.define(variable(k, op<ir::Scan>(k).states() + i), point_, {node, result});
    const Point any = make_point({work_.graph.index(0)});
    result = static_cast<std::uint32_t>(states);
    for (std::size_t k : form_.outer) {
        std::vector<Ref> values;
        for (std::size_t i = 0; i < op<ir::Fold>(k).args.size(); ++i) values.push_back({node, result++});
        accumulate(k, any, std::move(values));
    }
}

/// Appends what the outer folds have added up behind this step to the next states.
void Attempt::add_up(RegionId step, const Point& point, std::vector<Ref>& next) {
    for (std::size_t k : form_.outer) {
        const ir::Fold& fold = op<ir::Fold>(k);
        std::vector<Ref> arguments;
        for (std::size_t i = 0; i < fold.args.size(); ++i)
            arguments.push_back(work_.graph.parameter(step, 1 + next.size() + i));
        for (ValueId arg : fold.args) arguments.push_back(pull_.value(arg, point));
        for (Ref state : apply(work_, pull_, fold.op, std::move(arguments), {}, binding(k).site)) next.push_back(state);
    }
}

/// The next states of all recurrences, one after another, defined at the point.
std::vector<Ref> Attempt::next_states(RegionId step, const Point& point) {
    std::vector<Ref> next;
    for (std::size_t k : form_.loops) {
        const ir::Scan& recur = op<ir::Scan>(k);
        std::vector<Ref> arguments;
        for (std::size_t i = 0; i < recur.states(); ++i)
            arguments.push_back(work_.graph.parameter(step, 1 + next.size() + i));
        for (ValueId arg : recur.args) arguments.push_back(pull_.value(arg, point));
        for (ValueId scalar : recur.captures.scalars) arguments.push_back(pull_.scalar(scalar, point_));
        const std::vector<Ref> states =
            apply(work_, pull_, recur.op, std::move(arguments), recur.captures.arrays, binding(k).site);
        for (std::size_t i = 0; i < states.size(); ++i) pull_.define(variable(k, i), point, states[i]);
        next.insert(next.end(), states.begin(), states.end());
    }
    return next;
}

void Attempt::compact() {
    std::size_t k = form_.loops[0];
    const ir::Compact& compact = op<ir::Compact>(k);
    RegionId element = work_.graph.open(RegionKind::element, {Scalar::i64});
    Point point = make_point(work_.graph.parameters(element));
    std::vector<Ref> values{pull_.value(compact.mask, point)};
    std::optional<std::size_t> first;
    for (std::size_t r = 0; r < compact.args.size(); ++r) {
        auto buffer = buffer_of(k, r + 1);
        if (!buffer) continue;
        if (!first) first = buffer;
        values.push_back(pull_.value(compact.args[r], point));
    }
    store_results(point, true);
    work_.graph.close(std::move(values));
    Ref extent = work_.indexing.size(extents(true)[0]);
    NodeId node = work_.graph.effect(Op::compact, {Scalar::i64}, first.value_or(0), {extent}, {element});
    if (auto buffer = buffer_of(k, 0)) work_.graph.store(*buffer, work_.graph.index(0), {node, 0});
}

}  // namespace sinter::lower
