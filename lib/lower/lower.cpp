// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.hpp"

#include "ir/math/expand.hpp"
#include "lower/collapse.hpp"
#include "lower/compact_sizes.hpp"
#include "lower/form.hpp"
#include "lower/kept_rows.hpp"
#include "lower/pull.hpp"
#include "lower/schedule.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <optional>

namespace sinter::lower {

namespace {

/// One lowering with given runs of axes.
class Attempt {
  public:
    Attempt(const ir::Program& program, const Form& form, const Options& options, const std::set<std::size_t>& cuts)
        : program_(program),
          form_(form),
          runs_(runs(form.space.size(), form.reduced, cuts)),
          kept_(options.local_rows ? kept_rows(program, form) : KeptRows{}),
          work_(program, options, static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), is_parallel))),
          pull_(work_) {}

    Kernel run() {
        kernel_.space = extents(false);
        point_ = make_point({});
        generate();
        work_.graph.close({});
        kernel_.name = name();
        kernel_.buffers = buffers();
        kernel_.body = schedule(work_.graph);
        kernel_.checks = work_.checks.take();
        for (SizeId id : work_.nonempty)
            if (work_.sizes[id].kind != ir::Size::Kind::constant || work_.sizes[id].index == 0)
                kernel_.nonempty.push_back(id);
        kernel_.sizes = work_.sizes;
        return std::move(kernel_);
    }

    const std::set<std::size_t>& cuts() const { return work_.indexing.cuts(); }

  private:
    static bool is_parallel(const Run& run) { return !run.reduced; }

    std::vector<SizeId> extents(bool reduced) {
        std::vector<SizeId> result;
        for (const Run& run : runs_)
            if (run.reduced == reduced)
                result.push_back(work_.indexing.elements(form_.space, run.first, run.first + run.count));
        return result;
    }

    void generate() {
        switch (form_.pattern) {
            case Form::Pattern::map:
                store_results(point_, true);
                return;
            case Form::Pattern::fold:
                for (std::size_t stage = 0; stage <= last_stage(); ++stage) pass(stage);
                store_results(point_, false);
                return;
            case Form::Pattern::scan:
                scan();
                store_results(point_, false);
                return;
            case Form::Pattern::compact:
                return compact();
            case Form::Pattern::scatter:
                store_results(point_, true);
                return scatter();
        }
    }

    /// The point of the element space at the body's parameters and these indices of the reduced runs; without, of P.
    Point make_point(const std::vector<Ref>& reduced) {
        Point point;
        std::size_t parallel = 0, next = 0;
        for (const Run& run : runs_) {
            if (run.reduced && reduced.empty()) continue;
            Ref index = run.reduced ? reduced[next++] : work_.graph.parameter(Graph::root(), parallel++);
            work_.indexing.set_range(index, work_.indexing.elements(form_.space, run.first, run.first + run.count));
            point.segments.push_back({run.count, index, run.first});
        }
        return point;
    }

    /// Stores the results of this kind at `point` of their shape; of the elements only those of one stage. Whether there are
    /// any.
    bool store_results(const Point& point, bool of_element, std::size_t stage = 0) {
        const std::vector<ValueId>& results = program_.body.results;
        bool any = false;
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (form_.of_element[k] != of_element || (of_element && stage_of(results[k]) != stage)) continue;
            Ref value = pull_.value(results[k], point);
            Ref offset = work_.indexing.offset(point, work_.types[results[k].index].shape);
            work_.graph.store(program_.body.params.size() + k, offset, value);
            any = true;
        }
        return any;
    }

    std::size_t stage_of(ValueId id) const {
        const Definition* d = definition(id);
        return d ? form_.stages[d->binding] : 0;
    }

    const ir::Binding& binding(std::size_t k) const { return program_.body.bindings[k]; }
    template <class Op>
    const Op& op(std::size_t k) const {
        return std::get<Op>(binding(k).op);
    }
    /// The variable that is result r of binding k.
    ValueId variable(std::size_t k, std::size_t r = 0) const {
        std::size_t level = program_.body.params.size();
        for (std::size_t i = 0; i < k; ++i) level += binding(i).types.size();
        return ValueId(level + r);
    }

    // Folds and scans: one instruction, whose operator is the product of theirs.

    using Loops = std::vector<std::size_t>;  ///< bindings

    template <class Op>
    std::vector<Scalar> state_types(const Loops& loops) const {
        std::vector<Scalar> types;
        for (std::size_t k : loops)
            for (ValueId arg : op<Op>(k).args) types.push_back(work_.types[arg.index].scalar);
        return types;
    }

    template <class Op>
    std::vector<Ref> loop_operands(const Loops& loops) {
        std::vector<Ref> operands;
        for (SizeId size : extents(true)) operands.push_back(work_.indexing.size(size));
        for (std::size_t k : loops)
            for (ValueId init : op<Op>(k).inits) operands.push_back(pull_.scalar(init, point_));
        return operands;
    }

    template <class Op>
    std::vector<Ref> elements_at(const Loops& loops, const Point& point) {
        std::vector<Ref> values;
        for (std::size_t k : loops)
            for (ValueId arg : op<Op>(k).args) values.push_back(pull_.value(arg, point));
        return values;
    }

    /// `swapped`: the right operand comes first.
    template <class Op>
    RegionId combine_region(const Loops& loops, bool swapped = false) {
        std::vector<Scalar> types = state_types<Op>(loops), parameters(types);
        parameters.insert(parameters.end(), types.begin(), types.end());
        RegionId region = work_.graph.open(RegionKind::combine, std::move(parameters));
        std::vector<Ref> results;
        for (std::size_t k : loops) {
            const Op& loop = op<Op>(k);
            std::size_t first = results.size(), right = first + types.size();
            std::vector<Ref> arguments;
            for (std::size_t side : {swapped ? right : first, swapped ? first : right})
                for (std::size_t i = 0; i < loop.args.size(); ++i)
                    arguments.push_back(work_.graph.parameter(region, side + i));
            for (ValueId scalar : loop.captures.scalars) arguments.push_back(pull_.scalar(scalar, point_));
            for (Ref ref : apply(work_, pull_, loop.op, std::move(arguments), loop.captures.arrays, binding(k).site))
                results.push_back(ref);
        }
        work_.graph.close(std::move(results));
        return region;
    }

    std::size_t last_stage() const {
        std::size_t last = 0;
        for (std::size_t k : form_.loops) last = std::max(last, form_.stages[k]);
        for (std::size_t k = 0; k < form_.of_element.size(); ++k)
            if (form_.of_element[k]) last = std::max(last, stage_of(program_.body.results[k]));
        return last;
    }

    // Rows that are kept from one pass for later ones.

    void load_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point) {
        for_each_kept([&](const KeptRow& row, std::size_t buffer) {
            if (row.stage >= stage) return;
            Ref at = row_offset(indices);
            pull_.define(row.value, point,
                         work_.graph.add_pinned(Op::load, work_.types[row.value.index].scalar, buffer, {at}));
        });
    }

    void store_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point) {
        for_each_kept([&](const KeptRow& row, std::size_t buffer) {
            if (row.stage == stage) work_.graph.store(buffer, row_offset(indices), pull_.value(row.value, point));
        });
    }

    template <class Visit>
    void for_each_kept(Visit visit) {
        std::size_t buffer = program_.body.params.size() + program_.body.results.size();
        for (const KeptRow& row : kept_) visit(row, buffer++);
    }

    bool keeps(std::size_t stage) const {
        return std::any_of(kept_.begin(), kept_.end(), [&](const KeptRow& row) { return row.stage == stage; });
    }

    /// Of an element in its row.
    Ref row_offset(const std::vector<Ref>& indices) {
        const std::vector<SizeId> sizes = extents(true);
        Ref offset = indices[0];
        for (std::size_t k = 1; k < indices.size(); ++k)
            offset =
                work_.graph.add(Op::add, {work_.graph.add(Op::mul, {offset, work_.indexing.size(sizes[k])}), indices[k]});
        return offset;
    }

    /// One pass over the elements: the folds of a stage, or, where it has none, only what it stores.
    void pass(std::size_t stage) {
        Loops folds;
        for (std::size_t k : form_.loops)
            if (form_.stages[k] == stage) folds.push_back(k);
        folds.empty() ? for_each(stage) : reduce(folds, stage);
    }

    void for_each(std::size_t stage) {
        std::vector<Ref> operands = loop_operands<ir::Fold>({});
        const std::size_t rank = operands.size();
        RegionId element = work_.graph.open(RegionKind::element, std::vector<Scalar>(rank, Scalar::i64));
        const std::vector<Ref> indices = work_.graph.parameters(element);
        const Point point = make_point(indices);
        load_kept(indices, stage, point);
        store_results(point, true, stage);
        work_.graph.close({});
        work_.graph.effect(Op::for_each, {}, rank, std::move(operands), {element});
    }

    void reduce(const Loops& folds, std::size_t stage) {
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
        const std::uint64_t bits = rank | std::uint64_t{commutative} << 8;
        auto add = stores ? &Graph::effect : &Graph::control;
        NodeId node =
            (work_.graph.*add)(Op::reduce, state_types<ir::Fold>(folds), bits, std::move(operands), {element, combine});
        std::uint32_t result = 0;
        for (std::size_t k : folds)
            for (std::size_t r = 0; r < binding(k).types.size(); ++r) pull_.define(variable(k, r), point_, {node, result++});
    }

    void scan() {
        const ir::Scan& first = op<ir::Scan>(form_.loops[0]);
        std::vector<Ref> operands = loop_operands<ir::Scan>(form_.loops);
        std::vector<Scalar> types = state_types<ir::Scan>(form_.loops);
        RegionId element = work_.graph.open(RegionKind::element, {Scalar::i64});
        work_.graph.close(
            elements_at<ir::Scan>(form_.loops, scan_point(first, operands[0], work_.graph.parameter(element, 0))));
        RegionId combine = combine_region<ir::Scan>(form_.loops, first.reverse);
        RegionId emit = emit_region(first, operands[0], types);
        NodeId node = work_.graph.effect(Op::scan, types, 1 | std::uint64_t{first.exclusive} << 8, std::move(operands),
                                         {element, combine, emit});
        std::uint32_t result = 0;
        for (std::size_t k : form_.loops) {
            const ir::Scan& scan = op<ir::Scan>(k);
            for (std::size_t i = 0; i < scan.args.size(); ++i, ++result)
                if (scan.totals) pull_.define(variable(k, scan.args.size() + i), point_, {node, result});
        }
    }

    Point scan_point(const ir::Scan& scan, Ref extent, Ref index) {
        if (scan.reverse)
            index = work_.graph.add(Op::sub, {work_.graph.add(Op::sub, {extent, work_.graph.index(1)}), index});
        return make_point({index});
    }

    /// Defines the prefixes at the point, and stores what is wanted of them.
    RegionId emit_region(const ir::Scan& scan, Ref extent, const std::vector<Scalar>& types) {
        std::vector<Scalar> parameters{Scalar::i64};
        parameters.insert(parameters.end(), types.begin(), types.end());
        RegionId region = work_.graph.open(RegionKind::emit, std::move(parameters));
        Point point = scan_point(scan, extent, work_.graph.parameter(region, 0));
        std::size_t next = 1;
        for (std::size_t k : form_.loops)
            for (std::size_t i = 0; i < op<ir::Scan>(k).args.size(); ++i)
                pull_.define(variable(k, i), point, work_.graph.parameter(region, next++));
        store_results(point, true);
        work_.graph.close({});
        return region;
    }

    /// The buffer of result r of binding k, if it is a result of the program.
    std::optional<std::size_t> buffer_of(std::size_t k, std::size_t r) const {
        const std::vector<ValueId>& results = program_.body.results;
        auto found = std::find(results.begin(), results.end(), variable(k, r));
        if (found == results.end()) return std::nullopt;
        return program_.body.params.size() + static_cast<std::size_t>(found - results.begin());
    }

    /// Kept arrays are neighbours among the results, as they are results of one binding.
    void compact() {
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

    /// One point's values at their destination, unless they are dropped.
    void scatter() {
        std::size_t k = form_.loops[0];
        const ir::Scatter& scatter = op<ir::Scatter>(k);
        std::vector<Ref> index;
        for (ValueId id : scatter.indices) index.push_back(pull_.value(id, point_));
        if (!scatter.drops) return write(k, scatter, index);
        std::optional<Ref> kept;
        for (Ref i : index) {
            Ref here = work_.graph.add(Op::not_equal, {i, work_.graph.index(-1)});
            kept = kept ? work_.graph.add(Op::bit_and, {*kept, here}) : here;
        }
        RegionId keep = work_.graph.open(RegionKind::branch, {});
        write(k, scatter, index);
        work_.graph.close({});
        RegionId drop = work_.graph.open(RegionKind::branch, {});
        work_.graph.close({});
        work_.graph.effect(Op::cond, {}, 0, {*kept}, {keep, drop});
    }

    void write(std::size_t k, const ir::Scatter& scatter, const std::vector<Ref>& index) {
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

    RegionId update_region(std::size_t k, const ir::Scatter& scatter) {
        std::vector<Scalar> types = scatter.op->body.params;
        types.resize(2 * scatter.values.size());
        RegionId region = work_.graph.open(RegionKind::combine, std::move(types));
        std::vector<Ref> arguments = work_.graph.parameters(region);
        for (ValueId scalar : scatter.captures.scalars) arguments.push_back(pull_.scalar(scalar));
        work_.graph.close(apply(work_, pull_, *scatter.op, std::move(arguments), scatter.captures.arrays, binding(k).site));
        return region;
    }

    std::vector<Buffer> buffers() {
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

    const Definition* definition(ValueId id) const {
        std::size_t inputs = program_.body.params.size();
        return id.index < inputs ? nullptr : &work_.definitions[id.index - inputs];
    }

    /// The shape of a result; of what a compact keeps, that of all it looks at.
    const ir::Shape& room_for(ValueId id) const {
        const Definition* d = definition(id);
        auto* compact = d ? std::get_if<ir::Compact>(&binding(d->binding).op) : nullptr;
        return compact && d->result > 0 ? form_.space : work_.types[id.index].shape;
    }

    /// The input that a result is an update of.
    std::optional<std::size_t> destination(ValueId id) const {
        const Definition* d = definition(id);
        auto* scatter = d ? std::get_if<ir::Scatter>(&binding(d->binding).op) : nullptr;
        if (!scatter) return std::nullopt;
        return scatter->dests[d->result].index;
    }

    /// The operations in order, views left out if there are others: "map_fold".
    std::string name() const {
        std::string result;
        constexpr std::size_t longest = 60;
        for (const ir::Binding& binding : program_.body.bindings) {
            if (std::holds_alternative<ir::View>(binding.op)) continue;
            if (result.size() > longest) return result + "_etc";
            result += (result.empty() ? "" : "_") + name_of(binding.op);
        }
        if (!result.empty()) return result;
        return program_.body.bindings.empty() ? "copy" : name_of(program_.body.bindings.back().op);
    }

    const ir::Program& program_;
    const Form& form_;
    std::vector<Run> runs_;
    KeptRows kept_;
    Workspace work_;
    Pull pull_;
    Point point_;  ///< of the body: of E without what a loop goes along
    Kernel kernel_;
};

ir::Program without_math(ir::Program program) {
    for (ir::Binding& binding : program.body.bindings) {
        if (ir::FunctionPart part = ir::function_of(binding.op)) *part.fn = ir::expand_math(*part.fn);
    }
    return program;
}

}  // namespace

Kernel lower(const ir::Program& cluster, const Options& options) {
    ir::Program program = without_math(cluster);
    Form form = closed_form(program);
    std::set<std::size_t> cuts;
    for (;;) {
        Attempt attempt(program, form, options, cuts);
        Kernel kernel = attempt.run();
        std::size_t before = cuts.size();
        cuts.insert(attempt.cuts().begin(), attempt.cuts().end());
        if (attempt.cuts().empty()) return compact_sizes(std::move(kernel));
        check(cuts.size() > before, "axes that are apart are not cut again");
    }
}

}  // namespace sinter::lower
