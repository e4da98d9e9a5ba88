// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/attempt/form.hpp"

#include "ir/constant.hpp"
#include "ir/neutral.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::lower {

namespace {

using ir::ValueId;

class Classifier {
  public:
    explicit Classifier(const ir::Program& program)
        : program_(program),
          body_(program.body),
          types_(ir::types_of(body_)),
          definitions_(definitions(body_)),
          live_(body_.bindings.size()),
          uses_loop_(body_.bindings.size()) {
        form_.stages.assign(body_.bindings.size(), 0);
    }

    Form run() {
        mark_live();
        find_outer_folds();
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (live_[k]) visit(k);
        check_scatter();
        for (ValueId result : body_.results) classify(result);
        return form_;
    }

  private:
    const Definition* definition(ValueId value) const {
        std::size_t inputs = body_.params.size();
        return value.index < inputs ? nullptr : &definitions_[value.index - inputs];
    }

    void mark_live() {
        auto mark = [&](ValueId value) {
            if (auto* d = definition(value)) live_[d->binding] = true;
        };
        for (ValueId result : body_.results) mark(result);
        for (std::size_t k = body_.bindings.size(); k-- > 0;)
            if (live_[k])
                for (ValueId operand : operands(body_.bindings[k].op)) mark(operand);
    }

    [[noreturn]] void limitation(const ir::Binding& binding, const char* reason) const {
        throw Limitation(fmt::format("{}: {}", name_of(binding, program_.sites), reason), where(program_, binding.site));
    }

    const ir::Fold* fold(std::size_t k) const { return live_[k] ? std::get_if<ir::Fold>(&body_.bindings[k].op) : nullptr; }
    const ir::Shape& elements(const ir::Fold& fold) const { return types_[fold.args[0].index].shape; }

    /// Rows are those of the fold of the largest space along its innermost axis, unless that is the space of a scatter with
    /// an operator: then all folds are outer ones. So are those beside scans.
    void find_outer_folds() {
        if (const ir::Scan* beside = any_scan()) return find_folds_of(*beside);
        const ir::Fold* rows = nullptr;
        auto is_innermost = [&](const ir::Fold& f) { return f.axes.back() + 1 == elements(f).size(); };
        auto place = [&](const ir::Fold& f) { return std::pair(elements(f).size(), is_innermost(f)); };
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (const ir::Fold* f = fold(k); f && (!rows || place(*f) > place(*rows))) rows = f;
        if (const ir::Shape* points = rows ? updating_points() : nullptr; points && *points == elements(*rows))
            rows = nullptr;
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (const ir::Fold* f = fold(k); f && (!rows || is_beside(*f, *rows)) && accumulates(*f))
                form_.outer.push_back(k);
    }

    const ir::Scan* any_scan() const {
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (auto* scan = std::get_if<ir::Scan>(&body_.bindings[k].op); live_[k] && scan) return scan;
        return nullptr;
    }

    /// The folds of a scan's points, along its axis and maybe others.
    void find_folds_of(const ir::Scan& scan) {
        const ir::Shape& points = types_[scan.args[0].index].shape;
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (const ir::Fold* f = fold(k); f && elements(*f) == points && accumulates(*f) &&
                                             std::binary_search(f->axes.begin(), f->axes.end(), scan.axis))
                form_.outer.push_back(k);
    }

    /// The points of a scatter with an operator; null if there is none.
    const ir::Shape* updating_points() const {
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (auto* scatter = std::get_if<ir::Scatter>(&body_.bindings[k].op); live_[k] && scatter && scatter->op)
                return &types_[scatter->indices[0].index].shape;
        return nullptr;
    }

    /// Accumulators begin with constants, and those of runs of points with neutral elements.
    bool accumulates(const ir::Fold& fold) const {
        return fold.captures.scalars.empty() && fold.captures.arrays.empty() &&
               ir::neutral_elements(fold.op.body, fold.args.size()) &&
               std::all_of(fold.inits.begin(), fold.inits.end(),
                           [&](ValueId init) { return ir::constant_of(body_, init).has_value(); });
    }

    bool is_beside(const ir::Fold& outer, const ir::Fold& rows) const {
        if (elements(outer) != elements(rows)) return elements(outer) == without(elements(rows), rows.axes);
        return std::none_of(outer.axes.begin(), outer.axes.end(),
                            [&](std::size_t axis) { return std::binary_search(rows.axes.begin(), rows.axes.end(), axis); });
    }

    void visit(std::size_t k) {
        const ir::Binding& binding = body_.bindings[k];
        for (ValueId operand : operands(binding.op))
            if (auto* d = definition(operand)) use(k, d->binding);
        using Pattern = Form::Pattern;
        if (is_outer(form_, k)) return;
        if (auto* fold = std::get_if<ir::Fold>(&binding.op))
            add_loop(k, Pattern::fold, types_[fold->args[0].index].shape, fold->axes);
        else if (auto* scan = std::get_if<ir::Scan>(&binding.op))
            add_loop(k, Pattern::scan, types_[scan->args[0].index].shape, {scan->axis});
        else if (auto* compact = std::get_if<ir::Compact>(&binding.op))
            add_loop(k, Pattern::compact, types_[compact->mask.index].shape, {0});
        else if (auto* scatter = std::get_if<ir::Scatter>(&binding.op))
            add_scatter(k, *scatter);
        else if (!std::holds_alternative<ir::Map>(binding.op) && !std::holds_alternative<ir::View>(binding.op) &&
                 !std::holds_alternative<ir::Gather>(binding.op))
            limitation(binding, "is not part of a kernel");
    }

    void use(std::size_t user, std::size_t used) {
        if (is_accumulated(form_, used))
            limitation(body_.bindings[user], "needs what is complete behind the last point only");
        uses_loop_[user] = uses_loop_[user] || uses_loop_[used];
        const bool fold = std::holds_alternative<ir::Fold>(body_.bindings[used].op);
        form_.stages[user] = std::max(form_.stages[user], form_.stages[used] + (fold ? 1 : 0));
    }

    /// Beside folds it is not a loop.
    void add_scatter(std::size_t k, const ir::Scatter& scatter) {
        const ir::Shape& points = types_[scatter.indices[0].index].shape;
        form_.scatter = k;
        if (!scatter.op || !has_inner_folds()) return add_loop(k, Form::Pattern::scatter, points, {});
        uses_loop_[k] = true;
    }

    void check_scatter() const {
        if (!form_.scatter || form_.pattern != Form::Pattern::fold) return;
        const ir::Binding& binding = body_.bindings[*form_.scatter];
        if (types_[std::get<ir::Scatter>(binding.op).indices[0].index].shape != kept_shape())
            limitation(binding, "goes beside folds of other points");
    }

    bool has_inner_folds() const {
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (fold(k) && !is_outer(form_, k)) return true;
        return false;
    }

    void add_loop(std::size_t k, Form::Pattern pattern, const ir::Shape& space, const std::vector<std::size_t>& axes) {
        const ir::Binding& binding = body_.bindings[k];
        const auto* scan = std::get_if<ir::Scan>(&binding.op);
        if (uses_loop_[k] && pattern != Form::Pattern::fold && !(scan && scan->sequential))
            limitation(binding, "uses the result of another reduction of the same kernel");
        if (form_.loops.empty()) {
            form_.pattern = pattern;
            form_.space = space;
            form_.reduced = axes;
        } else if (form_.pattern != pattern || pattern >= Form::Pattern::compact) {
            limitation(binding, "is a loop of another kind than others of the same kernel");
        } else if (form_.space != space || form_.reduced != axes) {
            limitation(binding, "goes along other axes or extents than others of the same kernel");
        } else if (pattern == Form::Pattern::scan && !alike(form_.loops[0], k)) {
            limitation(binding, "is another kind of scan than others of the same kernel");
        }
        form_.loops.push_back(k);
        uses_loop_[k] = true;
    }

    bool alike(std::size_t a, std::size_t b) const {
        return are_alike(std::get<ir::Scan>(body_.bindings[a].op), std::get<ir::Scan>(body_.bindings[b].op));
    }

    /// True for results of the loop itself, if it has results other than elements.
    bool is_own_result(const Definition& d) const {
        if (form_.pattern == Form::Pattern::scan) {
            auto* scan = std::get_if<ir::Scan>(&body_.bindings[d.binding].op);
            return scan && d.result >= scan->states();
        }
        return form_.scatter == d.binding || (form_.pattern == Form::Pattern::compact && d.binding == form_.loops[0]);
    }

    void classify(ValueId result) {
        const ir::Shape& shape = types_[result.index].shape;
        auto* d = definition(result);
        if (form_.loops.empty() && form_.of_element.empty()) form_.space = shape;
        if (d && (is_own_result(*d) || is_outer(form_, d->binding))) return form_.of_element.push_back(false);
        if (form_.pattern == Form::Pattern::fold) {
            bool of_element = shape == form_.space;
            if (!of_element && shape != kept_shape()) reject(result);
            return form_.of_element.push_back(of_element);
        }
        if (shape != form_.space) reject(result);
        form_.of_element.push_back(true);
    }

    ir::Shape kept_shape() const { return without(form_.space, form_.reduced); }

    static ir::Shape without(const ir::Shape& shape, const std::vector<std::size_t>& axes) {
        ir::Shape kept;
        for (std::size_t k = 0; k < shape.size(); ++k)
            if (!std::binary_search(axes.begin(), axes.end(), k)) kept.push_back(shape[k]);
        return kept;
    }

    [[noreturn]] void reject(ValueId result) const {
        auto* d = definition(result);
        if (!d) throw Limitation("an input is a result of a kernel of another shape", location{});
        limitation(body_.bindings[d->binding], "its result does not have the shape of the kernel's other results");
    }

    const ir::Program& program_;
    const ir::Body& body_;
    std::vector<ir::Type> types_;
    std::vector<Definition> definitions_;
    std::vector<bool> live_, uses_loop_;  // by binding
    Form form_;
};

}  // namespace

Form closed_form(const ir::Program& cluster) { return Classifier(cluster).run(); }

std::vector<Definition> definitions(const ir::Body& body) {
    std::vector<Definition> result;
    for (std::size_t k = 0; k < body.bindings.size(); ++k)
        for (std::size_t r = 0; r < body.bindings[k].types.size(); ++r) result.push_back({k, r});
    return result;
}

location where(const ir::Program& program, ir::SiteId site) { return site_of(program.sites, site).where; }

}  // namespace sinter::lower
