// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/split_maps.hpp"

#include "ir/rebuild.hpp"
#include "ir/walk.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

/// What reads a result, beside views, through which readers are seen: addresses of bindings, and of bodies that return it.
using ReadersOf = std::set<const void*>;
using Readers = std::unordered_map<const Binding*, std::vector<ReadersOf>>;

class Collector {
  public:
    Readers run(const Program& program) {
        body(program.body);
        return std::move(readers_);
    }

  private:
    void body(const Body& body) {
        const std::size_t base = live_.size();
        live_.resize(base + body.params.size());
        std::vector<std::size_t> levels;
        for (const Binding& binding : body.bindings) {
            if (!std::holds_alternative<View>(binding.op))
                for (ValueId id : operands(binding.op)) live_[id.index].insert(&binding);
            if (const auto* bodies = bodies_of(binding.op))
                for (const Body& nested : *bodies) this->body(nested);
            levels.push_back(live_.size());
            live_.resize(live_.size() + binding.types.size());
        }
        for (ValueId id : body.results) live_[id.index].insert(&body);
        for (std::size_t k = body.bindings.size(); k-- > 0;) {
            const Binding& binding = body.bindings[k];
            const auto first = live_.begin() + static_cast<std::ptrdiff_t>(levels[k]);
            if (const auto* view = std::get_if<View>(&binding.op)) {
                const ReadersOf through = *first;
                live_[view->arg.index].insert(through.begin(), through.end());
            }
            if (std::holds_alternative<Map>(binding.op) && binding.types.size() > 1)
                readers_[&binding].assign(first, first + static_cast<std::ptrdiff_t>(binding.types.size()));
        }
        live_.resize(base);
    }

    std::vector<ReadersOf> live_;  ///< by level
    Readers readers_;
};

/// Numbers for the results of a function: equal ones where an instruction other than a constant is needed for both.
std::vector<std::size_t> parts_by_work(const Fn& fn) {
    const Block& block = fn.body;
    const std::size_t results = block.results.size();
    std::vector<std::size_t> part(results);
    for (std::size_t k = 0; k < results; ++k) part[k] = k;
    std::vector<std::vector<bool>> needed(results, std::vector<bool>(level_behind(block, 0)));
    for (std::size_t k = 0; k < results; ++k) needed[k][block.results[k].index] = true;
    std::size_t level = level_behind(block, 0);
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
        level -= inst->types.size();
        std::optional<std::size_t> first;
        for (std::size_t k = 0; k < results; ++k) {
            bool is_needed = false;
            for (std::size_t i = 0; i < inst->types.size(); ++i) is_needed = is_needed || needed[k][level + i];
            if (!is_needed) continue;
            auto use = [&](Local local) {
                if (local.index < level) needed[k][local.index] = true;
            };
            std::for_each(inst->operands.begin(), inst->operands.end(), use);
            for (const Block& nested : inst->blocks) for_each_use(nested, use);
            if (inst->op == Op::constant) continue;
            if (first)
                std::replace(part.begin(), part.end(), part[k], part[*first]);
            else
                first = k;
        }
    }
    return part;
}

class SplitMaps final : public Rebuilder {
  public:
    explicit SplitMaps(const Readers& readers) : readers_(readers) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto* map = std::get_if<Map>(&binding.op);
        if (map == nullptr || binding.types.size() < 2 || binding.types[0].rank() == 0) return true;
        std::vector<std::size_t> part = parts_by_work(map->fn);
        const std::vector<ReadersOf>& readers = readers_.at(&binding);
        for (std::size_t k = 0; k < part.size(); ++k)
            for (std::size_t i = 0; i < k; ++i)
                if (part[i] != part[k] && readers[i] == readers[k]) std::replace(part.begin(), part.end(), part[k], part[i]);
        if (std::all_of(part.begin(), part.end(), [&](std::size_t p) { return p == part[0]; })) return true;
        split(binding, part);
        return false;
    }

    void split(const Binding& whole, const std::vector<std::size_t>& part) {
        std::vector<ValueId> names(part.size());
        for (std::size_t k = 0; k < part.size(); ++k) {
            if (names[k].valid()) continue;
            std::vector<bool> kept;
            for (std::size_t p : part) kept.push_back(p == part[k]);
            Binding one = whole;
            opt::trim(std::get<Map>(one.op), one.types[0].rank(), kept);
            rename(one.op);
            keep_results(one, kept, false);
            rename_types(one);
            ValueId next = append(std::move(one));
            for (std::size_t i = k; i < part.size(); ++i)
                if (kept[i]) names[i] = next, next = ValueId(next.index + 1);
        }
        define(names);
    }

    const Readers& readers_;
};

}  // namespace

Program split_maps(Program program) {
    const Readers readers = Collector().run(program);
    return SplitMaps(readers).run(std::move(program));
}

}  // namespace sinter::enable
