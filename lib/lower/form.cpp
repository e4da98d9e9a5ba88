// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/form.hpp"

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
          uses_fold_(body_.bindings.size()) {}

    Form run() {
        mark_live();
        for (std::size_t k = 0; k < body_.bindings.size(); ++k)
            if (live_[k]) visit(k);
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
        throw Limitation(fmt::format("{}: {}", name_of(binding.op), reason), where(program_, binding.site));
    }

    void visit(std::size_t k) {
        const ir::Binding& binding = body_.bindings[k];
        for (ValueId operand : operands(binding.op))
            if (auto* d = definition(operand)) uses_fold_[k] = uses_fold_[k] || uses_fold_[d->binding];
        if (std::holds_alternative<ir::Cond>(binding.op) || std::holds_alternative<ir::Loop>(binding.op))
            limitation(binding, "control flow over arrays is not part of a kernel");
        if (auto* fold = std::get_if<ir::Fold>(&binding.op)) add_fold(k, *fold);
    }

    void add_fold(std::size_t k, const ir::Fold& fold) {
        const ir::Binding& binding = body_.bindings[k];
        const ir::Shape& space = types_[fold.args[0].index].shape;
        if (uses_fold_[k]) limitation(binding, "uses the result of another fold of the same kernel");
        if (form_.folds.empty()) {
            form_.space = space;
            form_.reduced = fold.axes;
        } else if (form_.space != space || form_.reduced != fold.axes) {
            limitation(binding, "reduces other axes or extents than another fold of the same kernel");
        }
        form_.folds.push_back(k);
        uses_fold_[k] = true;
    }

    void classify(ValueId result) {
        const ir::Shape& shape = types_[result.index].shape;
        auto* d = definition(result);
        if (form_.folds.empty()) {
            if (form_.of_element.empty()) form_.space = shape;
            if (shape != form_.space) reject(result);
            return form_.of_element.push_back(true);
        }
        bool of_element = shape == form_.space && !(d && uses_fold_[d->binding]);
        if (!of_element && shape != kept_shape()) reject(result);
        form_.of_element.push_back(of_element);
    }

    ir::Shape kept_shape() const {
        ir::Shape kept;
        for (std::size_t k = 0; k < form_.space.size(); ++k)
            if (!std::binary_search(form_.reduced.begin(), form_.reduced.end(), k)) kept.push_back(form_.space[k]);
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
    std::vector<bool> live_, uses_fold_;  // by binding
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

location where(const ir::Program& program, ir::SiteId site) {
    return site.valid() && site.index < program.sites.size() ? program.sites[site.index] : location{};
}

}  // namespace sinter::lower
