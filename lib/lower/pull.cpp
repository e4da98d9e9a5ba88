// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pull.hpp"

#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::lower {

std::uint64_t CheckTable::add(const Check& check) {
    auto found = std::find(checks_.begin(), checks_.end(), check);
    if (found == checks_.end()) found = checks_.insert(found, check);
    return static_cast<std::uint64_t>(found - checks_.begin());
}

Workspace::Workspace(const ir::Program& cluster, const Options& o, std::size_t space_rank)
    : program(cluster),
      options(o),
      types(ir::types_of(cluster.body)),
      definitions(lower::definitions(cluster.body)),
      sizes(cluster.sizes),
      graph(space_rank) {
    for (const ir::Type& type : cluster.body.params)
        for (SizeId extent : type.shape) indexing.set_extent(extent);
    for (const ir::Binding& binding : cluster.body.bindings) {
        auto* map = std::get_if<ir::Map>(&binding.op);
        used_parameters.push_back(map ? lower::used_parameters(map->fn) : std::vector<bool>{});
    }
}

Ref Workspace::checked_index(const Check& check, Ref index, Ref extent) {
    if (const Ref known = graph.find_check(index, extent); known.node.valid()) return known;
    return graph.add_pinned(Op::check_index, Scalar::i64, checks.add(check), {index, extent});
}

Pull::Key Pull::key(ValueId id, const Point& point) {
    Key key{id.index, point.unproven, {}};
    for (const Segment& s : point.segments) std::get<2>(key).emplace_back(s.axes, s.index.node.index, s.index.result);
    return key;
}

const Ref* Pull::known(const Demand& demand) const {
    auto found = known_.find(key(demand.id, demand.point));
    if (found == known_.end() || !work_.graph.encloses(found->second.region, demand.region)) return nullptr;
    return &found->second.ref;
}

void Pull::define(ValueId id, const Point& point, Ref ref) {
    known_.insert_or_assign(key(id, point), Known{work_.graph.current(), ref});
}

Ref Pull::scalar(ValueId id, const Point& point) {
    RegionId previous = work_.graph.enter(Graph::root());
    Ref ref = value(id, work_.types[id.index].rank() == 0 ? Point{} : point);
    work_.graph.enter(previous);
    return ref;
}

/// Works on a stack of demands: whatever the topmost one lacks is put on top of it.
Ref Pull::value(ValueId id, const Point& point) {
    Demand root{id, point, work_.graph.current()};
    std::vector<Demand> stack{root};
    while (!stack.empty()) {
        if (known(stack.back())) {
            stack.pop_back();
            continue;
        }
        Demand demand = stack.back();
        std::vector<Demand> missing;
        RegionId previous = work_.graph.enter(demand.region);
        satisfy(demand, missing);
        work_.graph.enter(previous);
        std::move(missing.rbegin(), missing.rend(), std::back_inserter(stack));
    }
    return *known(root);
}

void Pull::need(std::vector<Demand>& missing, ValueId id, const Point& point, RegionId region) const {
    Demand demand{id, point, region};
    if (!known(demand)) missing.push_back(std::move(demand));
}

/// Defines the demanded value, or says what it needs first.
void Pull::satisfy(const Demand& demand, std::vector<Demand>& missing) {
    std::size_t inputs = work_.program.body.params.size();
    if (demand.id.index < inputs) return define(demand.id, demand.point, load(demand.id, demand.point));
    const Definition& definition = work_.definitions[demand.id.index - inputs];
    const ir::Binding& binding = work_.program.body.bindings[definition.binding];
    match(
        binding.op, [&](const ir::Map& op) { map(demand, definition, op, missing); },
        [&](const ir::View& op) { view(demand, op, missing); },
        [&](const ir::Gather& op) { gather(demand, definition, op, missing); },
        [&](const ir::Force& op) { copy(demand, op.args[definition.result], demand.point, missing); },
        [&](const ir::Fold&) { defined_elsewhere(demand, binding); },
        [&](const ir::Scan&) { defined_elsewhere(demand, binding); },
        [&](const auto&) { check(false, "the operation has no value at a point"); });
}

Ref Pull::load(ValueId input, const Point& point) {
    const ir::Type& type = work_.types[input.index];
    Ref offset = work_.indexing.offset(point, type.shape);
    if (point.unproven) return work_.graph.add_pinned(Op::load, type.scalar, input.index, {offset});
    return work_.graph.add(Op::load, type.scalar, input.index, {offset});
}

void Pull::map(const Demand& demand, const Definition& definition, const ir::Map& op, std::vector<Demand>& missing) {
    const std::vector<bool>& used = work_.used_parameters[definition.binding];
    std::size_t first_arg = op.fn.body.params.size() - op.args.size() - op.captures.scalars.size();
    std::size_t first_scalar = first_arg + op.args.size();
    for (std::size_t k = first_arg; k < used.size(); ++k) {
        if (!used[k]) continue;
        if (k < first_scalar)
            need(missing, op.args[k - first_arg], demand.point, demand.region);
        else
            need(missing, op.captures.scalars[k - first_scalar], {}, Graph::root());
    }
    if (!missing.empty()) return;

    const ir::Binding& binding = work_.program.body.bindings[definition.binding];
    std::vector<Ref> parameters(used.size());
    for (std::size_t k = 0; k < used.size(); ++k) {
        if (!used[k]) continue;
        if (k < first_arg)
            parameters[k] = work_.indexing.axis(demand.point, binding.types[0].shape, k);
        else if (k < first_scalar)
            parameters[k] = *known({op.args[k - first_arg], demand.point, demand.region});
        else
            parameters[k] = *known({op.captures.scalars[k - first_scalar], {}, Graph::root()});
    }
    std::vector<Ref> results = apply(work_, *this, op.fn, std::move(parameters), op.captures.arrays, binding.site);
    for (std::size_t k = 0; k < results.size(); ++k)
        define(ValueId(demand.id.index - definition.result + k), demand.point, results[k]);
}

void Pull::copy(const Demand& demand, ValueId source, const Point& point, std::vector<Demand>& missing) {
    need(missing, source, point, demand.region);
    if (missing.empty()) define(demand.id, demand.point, *known({source, point, demand.region}));
}

/// inside ? arg[..] : fill. The argument is pulled in a branch of its own, so it is read only where it exists.
void Pull::pad(const Demand& demand, const ir::View& op, std::vector<Demand>& missing) {
    const Shape& arg = work_.types[op.arg.index].shape;
    const Shape& result = work_.types[demand.id.index].shape;
    Indexing::Padded source = work_.indexing.padded(std::get<ir::Slice>(op.function), arg, result, demand.point);
    if (!source.inside) return copy(demand, op.arg, source.point, missing);
    source.point.unproven = true;  // otherwise, what two branches read would be read before them
    std::pair at{key(demand.id, demand.point), demand.region};
    auto branch = branches_.find(at);
    if (branch == branches_.end()) {
        branch = branches_.emplace(at, work_.graph.open(RegionKind::branch, {})).first;
        work_.graph.enter(demand.region);
    }
    need(missing, *op.fill, {}, Graph::root());
    need(missing, op.arg, source.point, branch->second);
    if (!missing.empty()) return;
    work_.graph.enter(branch->second);
    work_.graph.close({*known({op.arg, source.point, branch->second})});
    RegionId outside = work_.graph.open(RegionKind::branch, {});
    work_.graph.close({*known({*op.fill, {}, Graph::root()})});
    NodeId node =
        work_.graph.control(Op::cond, {work_.types[demand.id.index].scalar}, 0, {*source.inside}, {branch->second, outside});
    branches_.erase(branch);
    define(demand.id, demand.point, {node, 0});
}

void Pull::view(const Demand& demand, const ir::View& op, std::vector<Demand>& missing) {
    if (op.fill) return pad(demand, op, missing);
    const Shape& arg = work_.types[op.arg.index].shape;
    const Shape& result = work_.types[demand.id.index].shape;
    copy(demand, op.arg, work_.indexing.source(op.function, arg, result, demand.point), missing);
}

void Pull::gather(const Demand& demand, const Definition& definition, const ir::Gather& op, std::vector<Demand>& missing) {
    for (ValueId index : op.indices) need(missing, index, demand.point, demand.region);
    if (!missing.empty()) return;
    std::vector<Ref> index;
    for (ValueId id : op.indices) index.push_back(*known({id, demand.point, demand.region}));
    ValueId source = op.sources[definition.result];
    copy(demand, source, point_of(source, index, work_.program.body.bindings[definition.binding].site), missing);
}

/// Folds and scans are defined beforehand, at the kernel's point. While axes are still being separated, points may not look
/// equal yet.
void Pull::defined_elsewhere(const Demand& demand, const ir::Binding& binding) {
    if (work_.indexing.cuts().empty())
        throw Limitation(fmt::format("{}: its result is needed elsewhere than at the kernel's point",
                                     name_of(binding, work_.program.sites)),
                         where(work_.program, binding.site));
    define(demand.id, demand.point, work_.graph.constant(work_.types[demand.id.index].scalar, 0));
}

Point Pull::point_of(ValueId array, const std::vector<Ref>& index, ir::SiteId site) {
    const Shape& shape = work_.types[array.index].shape;
    Point point;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        Ref at = index[axis];
        if (!work_.indexing.in_range(at, shape[axis])) {
            if (work_.options.bounds_checks) {
                at = work_.checked_index({Check::Kind::index, site, axis}, at, work_.indexing.size(shape[axis]));
                work_.indexing.set_range(at, shape[axis]);
                work_.nonempty.insert(work_.indexing.elements(shape));
            } else {
                point.unproven = true;
            }
        }
        point.segments.push_back({1, at, {}});
    }
    return point;
}

Ref Pull::read(ValueId array, const std::vector<Ref>& index, ir::SiteId site) {
    return value(array, point_of(array, index, site));
}

}  // namespace sinter::lower
