// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/split_maps.hpp"

#include "enable/tuning.hpp"
#include "ir/rebuild.hpp"
#include "ir/walk.hpp"
#include "opt/cost.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <numeric>
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

/// What an instruction counts where several maps execute it.
std::size_t work(const Inst& inst) {
    if (inst.op == Op::constant) return 0;
    const bool light =
        inst.blocks.empty() && inst.op != Op::read && inst.types.size() == 1 && !opt::is_expensive(inst.op, inst.type());
    return light ? 1 : tuning::most_shared + 1;
}

/// Numbers for the results of a function: equal ones where much of what is needed for one is needed for the other.
class Parts {
  public:
    explicit Parts(const Fn& fn) : block_(fn.body), needed_(fn.body.results.size()) {
        for (std::size_t k = 0; k < needed_.size(); ++k) {
            needed_[k].resize(level_behind(block_, 0));
            needed_[k][block_.results[k].index] = true;
        }
    }

    std::vector<std::size_t> run() {
        const std::size_t count = needed_.size();
        std::vector<std::size_t> shared(count * count), part(count);
        std::iota(part.begin(), part.end(), std::size_t{0});
        std::size_t level = level_behind(block_, 0);
        for (auto inst = block_.insts.rbegin(); inst != block_.insts.rend(); ++inst) {
            level -= inst->types.size();
            const std::vector<std::size_t> users = mark_operands(*inst, level);
            for (std::size_t i : users)
                for (std::size_t k : users) shared[i * count + k] += work(*inst);
        }
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (shared[i * count + k] > tuning::most_shared) std::replace(part.begin(), part.end(), part[i], part[k]);
        return part;
    }

  private:
    /// The results for which the instruction, whose own results begin at `level`, is needed.
    std::vector<std::size_t> mark_operands(const Inst& inst, std::size_t level) {
        std::vector<std::size_t> users;
        for (std::size_t k = 0; k < needed_.size(); ++k) {
            std::vector<bool>& needed = needed_[k];
            const auto first = needed.begin() + static_cast<std::ptrdiff_t>(level);
            const auto last = first + static_cast<std::ptrdiff_t>(inst.types.size());
            if (std::find(first, last, true) == last) continue;
            users.push_back(k);
            auto use = [&](Local local) {
                if (local.index < level) needed[local.index] = true;
            };
            std::for_each(inst.operands.begin(), inst.operands.end(), use);
            for (const Block& nested : inst.blocks) for_each_use(nested, use);
        }
        return users;
    }

    const Block& block_;
    std::vector<std::vector<bool>> needed_;  ///< by result and local
};

class SplitMaps final : public Rebuilder {
  public:
    explicit SplitMaps(const Readers& readers) : readers_(readers) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto* map = std::get_if<Map>(&binding.op);
        const std::size_t results = binding.types.size();
        if (map == nullptr || results < 2 || results > tuning::most_split_results || binding.types[0].rank() == 0)
            return true;
        std::vector<std::size_t> part = Parts(map->fn).run();
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
