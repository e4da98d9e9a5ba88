// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/attempt/kept_rows.hpp"

#include "lower/tuning.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sinter::lower {

namespace {

using ir::ValueId;

int weight(const ir::Block& block) {
    int total = 0;
    for (const ir::Inst& inst : block.insts) {
        if (inst.op == ir::Op::constant) continue;
        total += inst.op == ir::Op::div || inst.op == ir::Op::rem || inst.op == ir::Op::sqrt ? tuning::repeated_division : 1;
        if (!inst.blocks.empty() || inst.op == ir::Op::read) return tuning::repeated_in_row + 1;
    }
    return total;
}

/// Follows what each stage needs, from its folds and results through maps of the element space. What an earlier stage has
/// computed is not followed further if it is kept.
class Finder {
  public:
    Finder(const ir::Program& program, const Form& form)
        : program_(program),
          form_(form),
          types_(ir::types_of(program.body)),
          definitions_(definitions(program.body)),
          first_(definitions_.size()),
          latest_(definitions_.size()) {}

    KeptRows run() {
        if (form_.pattern != Form::Pattern::fold) return {};
        const std::size_t last = *std::max_element(form_.stages.begin(), form_.stages.end());
        for (std::size_t stage = 0; stage <= last; ++stage) {
            for (std::size_t loop : form_.loops)
                if (form_.stages[loop] == stage)
                    for (ValueId arg : std::get<ir::Fold>(program_.body.bindings[loop].op).args) need(arg, stage);
            for (std::size_t k = 0; k < form_.of_element.size(); ++k)
                if (form_.of_element[k] && stage_of(program_.body.results[k]) == stage)
                    need(program_.body.results[k], stage);
            need_outer_folds(stage);
        }
        return std::move(kept_);
    }

  private:
    const Definition* definition(ValueId id) const {
        const std::size_t inputs = program_.body.params.size();
        return id.index < inputs ? nullptr : &definitions_[id.index - inputs];
    }
    std::size_t stage_of(ValueId id) const {
        const Definition* d = definition(id);
        return d ? form_.stages[d->binding] : 0;
    }

    /// Their pass comes behind that of the stage's own folds.
    void need_outer_folds(std::size_t stage) {
        const bool is_behind = std::any_of(form_.loops.begin(), form_.loops.end(),
                                           [&](std::size_t loop) { return form_.stages[loop] == stage; });
        for (std::size_t k : form_.outer)
            if (form_.stages[k] == stage)
                for (ValueId arg : std::get<ir::Fold>(program_.body.bindings[k].op).args) need(arg, stage + is_behind);
    }

    void need(ValueId id, std::size_t stage) {
        std::vector<ValueId> stack{id};
        while (!stack.empty()) {
            ValueId next = stack.back();
            stack.pop_back();
            const Definition* d = definition(next);
            const auto* map = d ? std::get_if<ir::Map>(&program_.body.bindings[d->binding].op) : nullptr;
            if (!map || types_[next.index].shape != form_.space) continue;
            const std::size_t index = next.index - program_.body.params.size();
            if (std::exchange(latest_[index], stage) == stage) continue;  // what several need is followed once
            std::optional<std::size_t>& first = first_[index];
            if (first && *first < stage && weight(map->fn.body) > tuning::repeated_in_row) {
                keep(next, *first);
                continue;
            }
            if (!first) first = stage;
            stack.insert(stack.end(), map->args.begin(), map->args.end());
        }
    }

    void keep(ValueId id, std::size_t stage) {
        auto same = [&](const KeptRow& row) { return row.value == id; };
        if (std::none_of(kept_.begin(), kept_.end(), same)) kept_.push_back({id, stage});
    }

    const ir::Program& program_;
    const Form& form_;
    std::vector<ir::Type> types_;
    std::vector<Definition> definitions_;
    std::vector<std::optional<std::size_t>> first_;   ///< by variable that is not an input: the first stage that needs it
    std::vector<std::optional<std::size_t>> latest_;  ///< likewise: the latest so far
    KeptRows kept_;
};

}  // namespace

KeptRows kept_rows(const ir::Program& cluster, const Form& form) { return Finder(cluster, form).run(); }

}  // namespace sinter::lower
