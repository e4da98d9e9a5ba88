// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.hpp"

#include "ir/math/expand.hpp"
#include "lower/collapse.hpp"
#include "lower/compact_sizes.hpp"
#include "lower/form.hpp"
#include "lower/pull.hpp"
#include "lower/schedule.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::lower {

namespace {

/// One lowering with given runs of axes.
class Attempt {
  public:
    Attempt(const ir::Program& program, const Form& form, const Options& options, const std::set<std::size_t>& cuts)
        : program_(program),
          form_(form),
          runs_(runs(form.space.size(), form.reduced, cuts)),
          work_(program, options, static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), is_parallel))),
          pull_(work_) {}

    Kernel run() {
        kernel_.space = extents(false);
        Point point = make_point(Graph::root(), {});
        if (form_.folds.empty()) {
            store_results(point, true);
        } else {
            reduce(point);
            store_results(point, false);
        }
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

    /// The point of the element space that the parameters of the body and of `element` say; without `element`, of P.
    Point make_point(RegionId body, RegionId element) {
        Point point;
        std::size_t parallel = 0, reduced = 0;
        for (const Run& run : runs_) {
            if (run.reduced && !element.valid()) continue;
            Ref index = run.reduced ? work_.graph.parameter(element, reduced++) : work_.graph.parameter(body, parallel++);
            work_.indexing.set_range(index, work_.indexing.elements(form_.space, run.first, run.first + run.count));
            point.segments.push_back({run.count, index, run.first});
        }
        return point;
    }

    /// Stores the results of this kind at `point` of their shape.
    void store_results(const Point& point, bool of_element) {
        const std::vector<ValueId>& results = program_.body.results;
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (form_.of_element[k] != of_element) continue;
            Ref value = pull_.value(results[k], point);
            Ref offset = work_.indexing.offset(point, work_.types[results[k].index].shape);
            work_.graph.store(program_.body.params.size() + k, offset, value);
        }
    }

    const ir::Binding& binding(std::size_t k) const { return program_.body.bindings[k]; }
    const ir::Fold& fold(std::size_t k) const { return std::get<ir::Fold>(binding(k).op); }

    /// All folds as one reduce, whose operator is the product of theirs; defines their results at `point`.
    void reduce(const Point& point) {
        std::vector<SizeId> sizes = extents(true);
        std::vector<Ref> operands;
        for (SizeId size : sizes) operands.push_back(work_.indexing.size(size));
        std::vector<Scalar> types;
        bool commutative = true;
        for (std::size_t k : form_.folds) {
            for (ValueId init : fold(k).inits) operands.push_back(pull_.scalar(init));
            for (const ir::Type& type : binding(k).types) types.push_back(type.scalar);
            commutative = commutative && fold(k).commutative;
        }
        RegionId element = element_region(sizes.size()), combine = combine_region(types);
        NodeId node = work_.graph.control(Op::reduce, types, sizes.size() | std::uint64_t{commutative} << 8,
                                          std::move(operands), {element, combine});
        define_folds(node, point);
    }

    void define_folds(NodeId node, const Point& point) {
        std::uint32_t result = 0;
        std::size_t level = program_.body.params.size();
        for (std::size_t k = 0; k < program_.body.bindings.size(); ++k) {
            bool is_fold = std::binary_search(form_.folds.begin(), form_.folds.end(), k);
            for (std::size_t r = 0; r < binding(k).types.size(); ++r, ++level)
                if (is_fold) pull_.define(ValueId(level), point, {node, result++});
        }
    }

    RegionId element_region(std::size_t rank) {
        RegionId region = work_.graph.open(RegionKind::element, std::vector<Scalar>(rank, Scalar::i64));
        Point point = make_point(Graph::root(), region);
        std::vector<Ref> values;
        for (std::size_t k : form_.folds)
            for (ValueId arg : fold(k).args) values.push_back(pull_.value(arg, point));
        store_results(point, true);
        work_.graph.close(std::move(values));
        return region;
    }

    RegionId combine_region(const std::vector<Scalar>& types) {
        std::vector<Scalar> parameters(types);
        parameters.insert(parameters.end(), types.begin(), types.end());
        RegionId region = work_.graph.open(RegionKind::combine, std::move(parameters));
        std::vector<Ref> results;
        for (std::size_t k : form_.folds) {
            std::size_t first = results.size(), count = fold(k).args.size();
            std::vector<Ref> arguments;
            for (std::size_t side : {std::size_t{0}, types.size()})
                for (std::size_t i = 0; i < count; ++i) arguments.push_back(work_.graph.parameter(region, side + first + i));
            for (ValueId scalar : fold(k).captures.scalars) arguments.push_back(pull_.scalar(scalar));
            for (Ref ref : apply(work_, pull_, fold(k).op, std::move(arguments), fold(k).captures.arrays, binding(k).site))
                results.push_back(ref);
        }
        work_.graph.close(std::move(results));
        return region;
    }

    std::vector<Buffer> buffers() {
        std::vector<Buffer> result;
        auto add = [&](const ir::Type& type, bool output) {
            result.push_back({type.scalar, output, work_.indexing.elements(type.shape)});
        };
        for (const ir::Type& type : program_.body.params) add(type, false);
        for (ValueId id : program_.body.results) add(work_.types[id.index], true);
        return result;
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
    Workspace work_;
    Pull pull_;
    Kernel kernel_;
};

ir::Program without_math(ir::Program program) {
    for (ir::Binding& binding : program.body.bindings) {
        if (auto* map = std::get_if<ir::Map>(&binding.op)) map->fn = ir::expand_math(map->fn);
        if (auto* fold = std::get_if<ir::Fold>(&binding.op)) fold->op = ir::expand_math(fold->op);
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
