// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An array that a body reads in place, and that takes fewer bytes to compute again than to read, is computed in the body:
/// there it fuses with its readers, and outside it need not be stored. The same holds for arrays that repeat a smaller one,
/// which are views as long as nothing outside of their body reads them, and for constants.
#include "ir/rebuild.hpp"
#include "opt/cost.hpp"
#include "opt/passes.hpp"
#include "opt/tuning.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace sinter::opt {

using namespace ir;

namespace {

/// Calls visit(ValueId&) on what the operation reads at its own points, or overwrites.
template <class Visit>
void for_each_in_place(ArrayOp& op, Visit visit) {
    auto all = [&](std::vector<ValueId>& ids) { std::for_each(ids.begin(), ids.end(), visit); };
    if (auto* map = std::get_if<Map>(&op)) all(map->args);
    if (auto* fold = std::get_if<Fold>(&op)) all(fold->args);
    if (auto* scan = std::get_if<Scan>(&op)) all(scan->args);
    if (auto* gather = std::get_if<Gather>(&op)) all(gather->indices);
    if (auto* compact = std::get_if<Compact>(&op)) visit(compact->mask), all(compact->args);
    if (auto* scatter = std::get_if<Scatter>(&op)) all(scatter->dests), all(scatter->indices), all(scatter->values);
}

class Sink : public Rebuilder {
    void open() override { bodies_.push_back({level(), {}}); }
    void close() override {
        bodies_.pop_back();
        made_.erase(made_.lower_bound(level()), made_.end());
    }

    void binding(Binding&& binding) override {
        for_each_in_place(binding.op, [&](ValueId& id) { id = here(id); });
        if (auto* view = std::get_if<View>(&binding.op)) {
            if (is_repeated(view->arg)) view->arg = here(view->arg);
            if (view->fill) view->fill = here(*view->fill);
        }
        if (is_constant(binding) || costs_less_again(binding)) made_.emplace(level(), binding);
        keep(std::move(binding));
    }

    /// The variable itself, or a variable of this body that is computed in the same way.
    ValueId here(ValueId id) {
        Nesting& body = bodies_.back();
        const auto found = made_.find(id.index);
        if (id.index >= body.level || found == made_.end()) return id;
        if (const auto known = body.copies.find(id.index); known != body.copies.end()) return known->second;
        Binding copy = found->second;
        if (auto* map = std::get_if<Map>(&copy.op))
            std::transform(map->args.begin(), map->args.end(), map->args.begin(), [&](ValueId arg) { return here(arg); });
        if (auto* view = std::get_if<View>(&copy.op)) view->arg = here(view->arg);
        return body.copies[id.index] = append(std::move(copy));
    }

    static bool repeats(const Binding& binding) {
        const auto* view = std::get_if<View>(&binding.op);
        return view && std::holds_alternative<Broadcast>(view->function);
    }

    /// True for a scalar that is known while the code is generated; from outside the body it would be loaded.
    static bool is_constant(const Binding& binding) {
        const auto* map = std::get_if<Map>(&binding.op);
        return map && binding.types.size() == 1 && binding.types[0].rank() == 0 && map->fn.body.params.empty() &&
               map->fn.body.insts.size() == 1 && map->fn.body.insts[0].op == Op::constant;
    }

    bool is_repeated(ValueId id) const {
        const auto found = made_.find(id.index);
        return found != made_.end() && repeats(found->second);
    }

    bool costs_less_again(const Binding& binding) const {
        if (repeats(binding)) return true;
        const auto* map = std::get_if<Map>(&binding.op);
        if (!map || binding.types.size() != 1 || binding.types[0].rank() == 0 || !map->captures.arrays.empty()) return false;
        const Block& body = map->fn.body;
        if (body.insts.size() > tuning::costs_less_again || is_expensive(body) || !is_speculative(body)) return false;
        int bytes = 0;
        for (ValueId arg : map->args) bytes += detail::size_of(type(arg).scalar);
        return bytes < detail::size_of(binding.types[0].scalar);
    }

    struct Nesting {
        std::size_t level;                      ///< level of the first variable inside
        std::map<std::size_t, ValueId> copies;  ///< by level
    };
    std::vector<Nesting> bodies_;
    std::map<std::size_t, Binding> made_;  ///< by level: bindings that may be repeated
};

}  // namespace

Program sink(Program program) { return Sink().run(std::move(program)); }

}  // namespace sinter::opt
