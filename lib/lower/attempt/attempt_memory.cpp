// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/constant.hpp"
#include "lower/attempt/attempt.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::lower {

bool Attempt::store_results(const Point& point, bool of_element, std::size_t stage) {
    const std::vector<ValueId>& results = program_.body.results;
    bool any = false;
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Definition* d = definition(results[k]);
        if (d && is_accumulated(form_, d->binding)) continue;
        if (form_.of_element[k] != of_element || (of_element && stage_of(results[k]) != stage)) continue;
        Ref value = pull_.value(results[k], point);
        Ref offset = work_.indexing.offset(point, work_.types[results[k].index].shape);
        work_.graph.store(program_.body.params.size() + k, offset, value);
        any = true;
    }
    return any;
}

void Attempt::load_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point) {
    for_each_kept([&](const KeptRow& row, std::size_t buffer) {
        if (row.stage >= stage) return;
        Ref at = row_offset(indices);
        pull_.define(row.value, point, work_.graph.add_pinned(Op::load, work_.types[row.value.index].scalar, buffer, {at}));
    });
}

void Attempt::store_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point) {
    for_each_kept([&](const KeptRow& row, std::size_t buffer) {
        if (row.stage == stage) work_.graph.store(buffer, row_offset(indices), pull_.value(row.value, point));
    });
}

template <class Visit>
void Attempt::for_each_kept(Visit visit) {
    std::size_t buffer = program_.body.params.size() + program_.body.results.size();
    for (const KeptRow& row : kept_) visit(row, buffer++);
}

Ref Attempt::row_offset(const std::vector<Ref>& indices) {
    const std::vector<SizeId> sizes = extents(true);
    Ref offset = indices[0];
    for (std::size_t k = 1; k < indices.size(); ++k)
        offset = work_.graph.add(Op::add, {work_.graph.add(Op::mul, {offset, work_.indexing.size(sizes[k])}), indices[k]});
    return offset;
}

std::optional<std::size_t> Attempt::buffer_of(std::size_t k, std::size_t r) const {
    const std::vector<ValueId>& results = program_.body.results;
    auto found = std::find(results.begin(), results.end(), variable(k, r));
    if (found == results.end()) return std::nullopt;
    return program_.body.params.size() + static_cast<std::size_t>(found - results.begin());
}

void Attempt::scatter(std::size_t k) {
    const ir::Scatter& scatter = op<ir::Scatter>(k);
    std::vector<Ref> index;
    for (ValueId id : scatter.indices) index.push_back(pull_.value(id, point_));
    if (!scatter.drops) return write(k, scatter, index);
    std::optional<Ref> kept;
    for (std::size_t axis = *scatter.drops; axis < index.size(); ++axis) {
        Ref here = work_.graph.add(Op::not_equal, {index[axis], work_.graph.index(-1)});
        kept = kept ? work_.graph.add(Op::bit_or, {*kept, here}) : here;
    }
    RegionId keep = work_.graph.open(RegionKind::branch, {});
    write(k, scatter, index);
    work_.graph.close({});
    RegionId drop = work_.graph.open(RegionKind::branch, {});
    work_.graph.close({});
    work_.graph.effect(Op::cond, {}, 0, {*kept}, {keep, drop});
}

void Attempt::write(std::size_t k, const ir::Scatter& scatter, const std::vector<Ref>& index) {
    Point dest = pull_.point_of(scatter.dests[0], index, binding(k).site);
    Ref offset = work_.indexing.offset(dest, work_.types[scatter.dests[0].index].shape);
    std::vector<Ref> values;
    for (ValueId id : scatter.values) values.push_back(pull_.value(id, point_));
    std::size_t first = *buffer_of(k, 0);
    if (!scatter.op) {
        for (std::size_t r = 0; r < values.size(); ++r) work_.graph.store(first + r, offset, values[r]);
        return;
    }
    values.insert(values.begin(), offset);
    work_.graph.effect(Op::update, {}, first, std::move(values), {update_region(k, scatter)});
}

RegionId Attempt::update_region(std::size_t k, const ir::Scatter& scatter) {
    std::vector<Scalar> types = scatter.op->body.params;
    types.resize(2 * scatter.values.size());
    RegionId region = work_.graph.open(RegionKind::combine, std::move(types));
    std::vector<Ref> arguments = work_.graph.parameters(region);
    for (ValueId scalar : scatter.captures.scalars) arguments.push_back(pull_.scalar(scalar));
    work_.graph.close(apply(work_, pull_, *scatter.op, std::move(arguments), scatter.captures.arrays, binding(k).site));
    return region;
}

std::vector<Buffer> Attempt::buffers() {
    std::vector<Buffer> result;
    for (const ir::Type& type : program_.body.params)
        result.push_back({type.scalar, false, work_.indexing.elements(type.shape), {}});
    for (ValueId id : program_.body.results) {
        const ir::Type& type = work_.types[id.index];
        result.push_back({type.scalar, true, work_.indexing.elements(room_for(id)), destination(id)});
    }
    for (const KeptRow& row : kept_) {
        SizeId elements = work_.sizes.constant(1);
        for (SizeId extent : extents(true)) elements = work_.sizes.mul(elements, extent);
        result.push_back({work_.types[row.value.index].scalar, false, elements, {}, true});
    }
    return result;
}

std::vector<Accumulator> Attempt::accumulators() const {
    std::vector<Accumulator> result;
    const std::vector<ValueId>& results = program_.body.results;
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Definition* d = definition(results[k]);
        if (!d || !is_outer(form_, d->binding)) continue;
        const auto initial = ir::constant_of(program_.body, op<ir::Fold>(d->binding).inits[d->result]);
        check(initial.has_value(), "outer folds begin with constants");
        result.push_back({program_.body.params.size() + k, *initial});
    }
    return result;
}

const Definition* Attempt::definition(ValueId id) const {
    std::size_t inputs = program_.body.params.size();
    return id.index < inputs ? nullptr : &work_.definitions[id.index - inputs];
}

const ir::Shape& Attempt::room_for(ValueId id) const {
    const Definition* d = definition(id);
    auto* compact = d ? std::get_if<ir::Compact>(&binding(d->binding).op) : nullptr;
    return compact && d->result > 0 ? form_.space : work_.types[id.index].shape;
}

std::optional<std::size_t> Attempt::destination(ValueId id) const {
    const Definition* d = definition(id);
    auto* scatter = d ? std::get_if<ir::Scatter>(&binding(d->binding).op) : nullptr;
    if (!scatter) return std::nullopt;
    return scatter->dests[d->result].index;
}

}  // namespace sinter::lower
