// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/liveness.hpp"

#include "opt/trim.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

namespace {

/// Goes backwards through bodies: all users of a binding have been visited before it is reached. The set of live states of a
/// loop grows until its body needs no more of them.
class LiveMarker {
  public:
    explicit LiveMarker(const Program& program) : program_(program), seen_(program.sizes.count(), 0) {}

    Liveness run() {
        body(program_.body, std::vector<bool>(program_.body.results.size(), true));
        return std::move(liveness_);
    }

  private:
    /// Marks what the `wanted` results need; returns the flags of live parameters. Outer variables stay marked.
    std::vector<bool> body(const Body& body, const std::vector<bool>& wanted) {
        std::size_t base = live_.size(), level = base + body.params.size();
        for (const Binding& binding : body.bindings) level += binding.types.size();
        live_.resize(level, false);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i]) mark(body.results[i]);
        mark_guards(body);
        for (auto binding = body.bindings.rbegin(); binding != body.bindings.rend(); ++binding) {
            level -= binding->types.size();
            auto first = live_.begin() + static_cast<std::ptrdiff_t>(level);
            std::vector<bool> results(first, first + static_cast<std::ptrdiff_t>(binding->types.size()));
            live_.resize(level);
            if (std::find(results.begin(), results.end(), true) != results.end())
                needed(*binding, results);
            else
                liveness_[&*binding] = std::move(results);
        }
        auto first = live_.begin() + static_cast<std::ptrdiff_t>(base);
        std::vector<bool> params(first, first + static_cast<std::ptrdiff_t>(body.params.size()));
        live_.resize(base);
        return params;
    }

    void mark_guards(const Body& body) {
        ++binding_;
        for (const Guard& guard : body.guards) mark(guard.left), mark(guard.right);
    }

    void mark(ValueId id) { live_[id.index] = true; }
    void mark(const std::vector<ValueId>& ids) {
        for (ValueId id : ids) mark(id);
    }
    void mark(SizeId id) {
        if (seen_[id.index] == binding_) return;
        seen_[id.index] = binding_;
        const Size& size = program_.sizes[id];
        auto index = static_cast<std::size_t>(size.index);
        if (size.kind == Size::Kind::value && index < live_.size()) live_[index] = true;
        if (size.left.valid()) mark(size.left), mark(size.right);
    }
    void mark_used(const std::vector<ValueId>& ids, const std::vector<bool>& used, std::size_t first = 0) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (used[first + i]) mark(ids[i]);
    }

    /// live_ has to end before the binding's results.
    void needed(const Binding& binding, std::vector<bool> results) {
        ++binding_;
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i])
                for (SizeId size : binding.types[i].shape) mark(size);
        match(
            binding.op, [&](const Map& map) { this->map(map, binding.types[0].rank(), results); },
            [&](const Fold& fold) {
                results.assign(results.size(), true);
                Used uses = used(fold.op);
                mark(fold.inits), mark(fold.args);
                mark_used(fold.captures.scalars, uses.params, 2 * fold.args.size());
                mark_used(fold.captures.arrays, uses.arrays);
            },
            [&](const View& view) {
                mark(view.arg);
                if (view.fill) mark(*view.fill);
                for_each_size(binding.op, [&](SizeId start) { mark(start); });
            },
            [&](const Gather& gather) { mark(gather.indices), mark_used(gather.sources, results); },
            [&](const Force& force) { mark_used(force.args, results); },
            [&](const Cond& cond) {
                mark(cond.condition);
                for (const Body& branch : cond.bodies) body(branch, results);
            },
            [&](const Loop& loop) { results = this->loop(loop, std::move(results)); },
            [&](const Scan& scan) {
                auto first_total = results.begin() + static_cast<std::ptrdiff_t>(scan.states());
                bool totals = std::find(first_total, results.end(), true) != results.end();
                std::fill(results.begin(), first_total, true);
                std::fill(first_total, results.end(), totals);
                Used uses = used(scan.op);
                mark(scan.inits), mark(scan.args);
                mark_used(scan.captures.scalars, uses.params, scan.states() + scan.args.size());
                mark_used(scan.captures.arrays, uses.arrays);
            },
            [&](const Compact& compact) {
                results[0] = true;
                mark(compact.mask), mark_used(compact.args, results, 1);
            },
            [&](const auto&) {
                results.assign(results.size(), true);
                mark(operands(binding.op));
            });
        liveness_[&binding] = std::move(results);
    }

    void map(const Map& map, std::size_t rank, const std::vector<bool>& results) {
        Used uses = used(map.fn, results);
        std::size_t first = map.indexed ? rank : 0;
        mark_used(map.args, uses.params, first);
        mark_used(map.captures.scalars, uses.params, first + map.args.size());
        mark_used(map.captures.arrays, uses.arrays);
    }

    /// `live`: by result of the loop, each of which has a parameter in the bodies. An extent and the state that has it are
    /// both live or both dead.
    std::vector<bool> loop(const Loop& loop, std::vector<bool> live) {
        const std::size_t before = loop.indices(), extents = loop.changing.size();
        if (loop.count) mark(*loop.count);
        auto grow = [&](const std::vector<bool>& params) {
            bool grown = tie(loop, live);
            for (std::size_t i = 0; i < live.size(); ++i)
                if (params[before + i] && !live[i]) live[i] = grown = true;
            return tie(loop, live) || grown;
        };
        tie(loop, live);
        if (!loop.count) grow(body(loop.bodies[0], {true}));
        auto states = [&] { return std::vector(live.begin() + static_cast<std::ptrdiff_t>(extents), live.end()); };
        while (grow(body(loop.bodies.back(), states()))) continue;
        mark_used(loop.inits, live, extents);
        return live;
    }

    static bool tie(const Loop& loop, std::vector<bool>& live) {
        bool grown = false;
        const std::size_t extents = loop.changing.size();
        for (std::size_t k = 0; k < extents; ++k)
            if (auto state = live.begin() + static_cast<std::ptrdiff_t>(extents + loop.changing[k].state);
                live[k] && !*state)
                *state = grown = true;
        for (std::size_t k = 0; k < extents; ++k)
            if (live[extents + loop.changing[k].state] && !live[k]) live[k] = grown = true;
        return grown;
    }

    const Program& program_;
    std::vector<bool> live_;         ///< by level, of the variables in scope
    std::vector<std::size_t> seen_;  ///< by size: the binding that marked it
    std::size_t binding_ = 0;
    Liveness liveness_;
};

}  // namespace

Liveness liveness(const Program& program) { return LiveMarker(program).run(); }

}  // namespace sinter::opt
