// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/rebuild.hpp"
#include "opt/liveness.hpp"
#include "opt/passes.hpp"
#include "opt/trim.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

namespace {

/// Copies what is live. A variable that is not live has no new name, so a binding is trimmed before its operands are
/// renamed.
class DeadCode : public Rebuilder {
  public:
    explicit DeadCode(const Liveness& live) : live_(live) {}

  private:
    bool before_renaming(Binding& binding) override {
        const std::vector<bool>& results = live_.at(&binding);
        if (std::find(results.begin(), results.end(), true) == results.end()) {
            define(std::vector<ValueId>(results.size()));
            return false;
        }
        match(
            binding.op, [&](Map& map) { trim(map, binding.types[0].rank(), results); },
            [&](Fold& fold) { trim_operator(fold.op, fold.captures, 2 * fold.args.size()); }, [](View&) {},
            [&](Gather& gather) { filter(gather.sources, results); }, [&](Force& force) { filter(force.args, results); },
            [](Cond&) {}, [&](Loop& loop) { filter(loop.inits, results, loop.changing.size()); },
            [&](Scan& scan) { trim_scan(scan, results.back()); },
            [&](Compact& compact) { filter(compact.args, results, 1); }, [](auto&) {});
        current_ = &results;
        keep_results(binding, results, false);
        return true;
    }

    /// `first`: the number of parameters before the captured scalars.
    static void trim_operator(Fn& op, Captures& captures, std::size_t first) {
        Used keep = used(op);
        std::fill(keep.params.begin(), keep.params.begin() + static_cast<std::ptrdiff_t>(first), true);
        filter(captures.scalars, keep.params, first);
        filter(captures.arrays, keep.arrays);
        op = trim(op, keep);
    }

    static void trim_scan(Scan& scan, bool last_result) {
        scan.totals = scan.totals && last_result;
        trim_operator(scan.op, scan.captures, scan.states() + scan.args.size());
    }

    void binding(Binding&& binding) override {
        const std::vector<bool> results = *current_;  // a copy, because bodies have bindings of their own
        if (auto* cond = std::get_if<Cond>(&binding.op))
            for (Body& body : cond->bodies) body = nested(std::move(body), {}, results);
        if (auto* loop = std::get_if<Loop>(&binding.op)) this->loop(*loop, results);
        ValueId next = append(std::move(binding));
        std::vector<ValueId> names(results.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            if (results[i]) names[i] = next, next = ValueId(next.index + 1);
        define(names);
    }

    void loop(Loop& loop, const std::vector<bool>& results) {
        std::vector<Param> params(loop.indices());
        for (bool kept : results) params.push_back({kept, ValueId{}});
        const std::vector<bool> states(results.begin() + static_cast<std::ptrdiff_t>(loop.changing.size()), results.end());
        for (Body& body : loop.bodies) {
            bool is_condition = &body != &loop.bodies.back();
            body = nested(std::move(body), params, is_condition ? std::vector<bool>{} : states);
        }
        keep_changing(loop, states);
    }

    const Liveness& live_;
    const std::vector<bool>* current_ = nullptr;
};

}  // namespace

Program dead_code(Program program) {
    Liveness live = liveness(program);
    return DeadCode(live).run(std::move(program));
}

}  // namespace sinter::opt
