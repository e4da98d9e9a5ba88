// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/recurrences.hpp"

#include "enable/loops/loop_as_recurrence.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/uses.hpp"

#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

using Found = std::unordered_map<const Binding*, Recurrence>;

/// Looks for loops, outer ones first; loops inside one that was found are not examined.
class RecurrenceFinder {
  public:
    explicit RecurrenceFinder(Program& program) : program_(program), uses_(opt::use_counts(program)) {}

    Found run() {
        body(program_.body, {});
        return std::move(found_);
    }

  private:
    void body(const Body& body, const std::vector<Type>& outer) {
        const std::vector<Type> types = types_of(body, outer);
        std::size_t level = outer.size() + body.params.size();
        const std::size_t defined = definitions_.size();
        for (const Binding& binding : body.bindings) {
            if (const std::vector<Body>* nested = bodies_of(binding.op)) {
                const std::vector<Type> scope(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(level));
                if (!find(binding, scope))
                    for (const Body& each : *nested) this->body(each, scope);
            }
            definitions_.emplace_back(&binding, level);
            level += binding.types.size();
        }
        definitions_.resize(defined);
    }

    bool find(const Binding& binding, const std::vector<Type>& scope) {
        const auto* loop = std::get_if<Loop>(&binding.op);
        if (loop == nullptr || !loop->count) return false;
        const Body& body = loop->bodies.back();
        const std::vector<Type> types = types_of(body, scope);
        LinearForms forms(program_.sizes, types);
        for (const auto& [made, level] : definitions_) forms.define(*made, level);
        std::size_t level = scope.size() + body.params.size();
        for (const Binding& inner : body.bindings) forms.define(inner, level), level += inner.types.size();
        std::vector<bool> used;
        for (std::size_t count : uses_.at(&binding)) used.push_back(count > 0);
        auto made = LoopAsRecurrence(binding, scope.size(), scope, program_.sizes, forms).make(used);
        if (made) found_.emplace(&binding, std::move(*made));
        return found_.contains(&binding);
    }

    Program& program_;
    opt::UseCounts uses_;
    std::vector<std::pair<const Binding*, std::size_t>> definitions_;  ///< bindings in scope, with their levels
    Found found_;
};

class Recurrences : public Rebuilder {
  public:
    explicit Recurrences(Found found) : found_(std::move(found)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = found_.find(&binding);
        if (found == found_.end()) return true;
        write(std::move(found->second), binding);
        return false;
    }

    void write(Recurrence made, const Binding& loop) {
        const std::size_t outside = old_level();
        define(std::vector<ValueId>(made.variables));
        for (SizeId size : made.numbers) define({number(size, loop.site)});
        for (Recurrence::FoldOfSteps& each : made.folds) define(folded(std::move(each), loop.site));
        std::vector<ValueId> maps;
        for (std::size_t k = 0; k < made.maps.size(); ++k)
            maps.push_back(appended(std::move(made.maps[k]), {made.map_types[k]}, made.map_sites[k].value_or(loop.site)));
        ValueId scan;
        if (!made.scan_types.empty()) {
            rename_in(made.scan);
            for (std::size_t k : made.arguments) made.scan.args.push_back(maps[k]);
            for (Recurrence::Start& start : made.starts) made.scan.inits.push_back(first(std::move(start), loop.site));
            for (Type& type : made.scan_types) type = rename(type);
            scan = append({std::move(made.scan), std::move(made.scan_types), loop.site});
        }
        std::vector<ValueId> results;
        for (const auto& source : made.results) {
            if (!source)
                results.emplace_back();
            else
                results.push_back(source->of_scan ? ValueId(scan.index + source->index) : maps[source->index]);
            if (source && source->part) results.back() = overwritten(std::move(made.parts[*source->part]), results.back());
        }
        undefine(outside);
        define(results);
    }

    /// A size that is given, as a number: the extent of an array that is not stored.
    ValueId number(SizeId size, SiteId site) {
        const SizeId extent = rename(size);
        const ValueId array = append({View{zero(Scalar::boolean, site), Broadcast{}}, {{Scalar::boolean, {extent}}}, site});
        BlockBuilder builder;
        builder.open({});
        const Local local = builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, 0}), {}, {}});
        Fn fn{{{Scalar::boolean, 1}}, builder.close({local})};
        return append({Map{std::move(fn), {}, {{}, {array}}, false}, {{Scalar::i64, {}}}, site});
    }

    /// The results for all steps.
    std::vector<ValueId> folded(Recurrence::FoldOfSteps all, SiteId site) {
        for (auto* ids : {&all.fold.inits, &all.fold.captures.scalars, &all.fold.captures.arrays})
            for (ValueId& id : *ids) id = rename(id);
        for (std::size_t k = 0; k < all.args.size(); ++k)
            all.fold.args.push_back(appended(std::move(all.args[k]), {all.arg_types[k]}, site));
        const std::size_t count = all.types.size();
        for (Type& type : all.types) type = rename(type);
        const ValueId first = append({std::move(all.fold), std::move(all.types), site});
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < count; ++k) results.emplace_back(first.index + k);
        return results;
    }

    ValueId overwritten(Recurrence::Part part, ValueId values) {
        const std::size_t axes = part.type.rank();
        const ValueId indices = appended(std::move(part.indices), {axes, {Scalar::i64, part.points}}, part.site);
        Scatter scatter{.op = {}, .dests = {rename(part.array)}, .indices = {}, .values = {values}, .captures = {}};
        for (std::size_t k = 0; k < axes; ++k) scatter.indices.emplace_back(indices.index + k);
        return append({std::move(scatter), {rename(part.type)}, part.site});
    }

    ValueId first(Recurrence::Start start, SiteId site) {
        const ValueId none = zero(start.scalar, site);
        if (!start.plane) return none;
        Binding plane{std::move(*start.plane), {{start.scalar, std::move(start.plane_shape)}}, site};
        rename(plane.op);
        rename_types(plane);
        std::get<View>(plane.op).fill = none;
        const Type lanes = rename(Type{start.scalar, std::move(start.shape)});
        return append({View{append(std::move(plane)), Reshape{}}, {lanes}, site});
    }

    void rename_in(Scan& scan) {
        for (auto* ids : {&scan.inits, &scan.captures.scalars, &scan.captures.arrays})
            for (ValueId& id : *ids) id = rename(id);
    }

    ValueId appended(Map map, std::vector<Type> types, SiteId site) {
        Binding binding{std::move(map), std::move(types), site};
        rename(binding.op);
        rename_types(binding);
        return append(std::move(binding));
    }

    ValueId zero(Scalar scalar, SiteId site) {
        BlockBuilder builder;
        builder.open({});
        return append({Map{{{}, builder.close({builder.constant(scalar, 0)})}, {}, {}, false}, {{scalar, {}}}, site});
    }

    using Rebuilder::rename;
    Found found_;
};

}  // namespace

/// Once more after each change: a loop of loops that have become maps may become one, too.
Program recurrences(Program program) {
    for (Found found = RecurrenceFinder(program).run(); !found.empty(); found = RecurrenceFinder(program).run())
        program = Recurrences(std::move(found)).run(std::move(program));
    return program;
}

}  // namespace sinter::enable
