// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/branches.hpp"

#include "ir/builder.hpp"
#include "ir/walk.hpp"
#include "lower/tuning.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace sinter::lower {

using ir::BlockBuilder;
using ir::Op;

namespace {

std::size_t skipped_division(Scalar type) {
    return type == Scalar::f64 ? tuning::skipped_wide_division : tuning::skipped_division;
}

/// Costs in floating-point instructions.
std::size_t cost(const Inst& inst) {
    std::size_t all = 0;
    const bool is_float = !inst.types.empty() && detail::is_float(inst.type());
    if (is_float && inst.op != Op::load && inst.op != Op::constant && inst.op != Op::select)
        all = inst.op == Op::div || inst.op == Op::rem || inst.op == Op::sqrt ? skipped_division(inst.type()) : 1;
    for (const Block& block : inst.blocks)
        for (const Inst& inner : block.insts) all += cost(inner);
    return all;
}

/// True if it has no effect, so that it need not be executed where its value is not wanted.
bool is_movable(const Inst& inst) {
    if (inst.types.empty()) return false;
    if (inst.op != Op::cond && inst.op != Op::load && !ir::is_pure(inst.op, inst.type())) return false;
    return std::all_of(inst.blocks.begin(), inst.blocks.end(),
                       [](const Block& block) { return std::all_of(block.insts.begin(), block.insts.end(), is_movable); });
}

class Branches {
  public:
    Block run(const Block& body) { return block(body); }

  private:
    /// A select that becomes a branch: the instructions that move into each of its blocks.
    using Sides = std::array<std::set<std::size_t>, 2>;

    Block block(const Block& old) {
        const std::size_t outside = names_.size();
        const Local first = to_.open(old.params);
        for (std::size_t k = 0; k < old.params.size(); ++k) {
            names_.emplace_back(first.index + k);
            of_indices_.push_back(old.params[k] == Scalar::i64);
        }
        const std::vector<std::size_t> levels = levels_of(old);
        const std::map<std::size_t, Sides> found = find(old, levels);
        std::set<std::size_t> moved;
        for (const auto& [at, sides] : found)
            for (const auto& side : sides) moved.insert(side.begin(), side.end());
        for (std::size_t i = 0; i < old.insts.size(); ++i) {
            if (moved.contains(i)) {
                skip(old.insts[i]);
            } else if (const auto sides = found.find(i); sides != found.end()) {
                branch(old, i, sides->second, levels);
            } else {
                copy(old.insts[i]);
            }
        }
        std::vector<Local> results = renamed(old.results);
        names_.resize(outside), of_indices_.resize(outside);
        return to_.close(std::move(results));
    }

    /// By instruction: the level of its first result.
    std::vector<std::size_t> levels_of(const Block& block) const {
        std::vector<std::size_t> levels{names_.size()};
        for (const Inst& inst : block.insts) levels.push_back(levels.back() + inst.types.size());
        return levels;
    }

    // What moves.

    std::map<std::size_t, Sides> find(const Block& block, const std::vector<std::size_t>& levels) const {
        const std::vector<std::vector<std::size_t>> users = users_of(block, levels);
        std::vector<bool> of_indices = of_indices_;
        for (const Inst& inst : block.insts)
            of_indices.resize(of_indices.size() + inst.types.size(), is_of_indices(inst, of_indices));
        std::map<std::size_t, Sides> found;
        std::set<std::size_t> taken;
        for (std::size_t at = block.insts.size(); at-- > 0;) {
            const Inst& inst = block.insts[at];
            if (inst.op != Op::select || !of_indices[inst.operands[0].index] || taken.contains(at)) continue;
            Sides sides;
            for (std::size_t side = 0; side < 2; ++side) {
                std::set<std::size_t> needed = needed_only(block, at, 1 + side, users, levels, taken);
                std::size_t price = 0;
                for (std::size_t i : needed) price += cost(block.insts[i]);
                if (price < tuning::worth_a_branch) continue;
                taken.insert(needed.begin(), needed.end());
                sides[side] = std::move(needed);
            }
            if (!sides[0].empty() || !sides[1].empty()) found.emplace(at, std::move(sides));
        }
        return found;
    }

    /// By instruction: the positions of the instructions that use it; the end of its block counts as one.
    static std::vector<std::vector<std::size_t>> users_of(const Block& block, const std::vector<std::size_t>& levels) {
        std::vector<std::vector<std::size_t>> users(block.insts.size());
        auto use = [&](Local local, std::size_t by) {
            if (local.index < levels[0] || local.index >= levels[std::min(by, block.insts.size())])
                return;  // used in a nested block
            const auto after = std::upper_bound(levels.begin(), levels.end(), local.index);
            users[static_cast<std::size_t>(after - levels.begin() - 1)].push_back(by);
        };
        for (std::size_t i = 0; i < block.insts.size(); ++i) {
            for (Local local : block.insts[i].operands) use(local, i);
            for (const Block& nested : block.insts[i].blocks) ir::for_each_use(nested, [&](Local local) { use(local, i); });
        }
        for (Local local : block.results) use(local, block.insts.size());
        return users;
    }

    /// Everything from which operand `operand` of instruction `at`, and nothing else, is computed.
    std::set<std::size_t> needed_only(const Block& block, std::size_t at, std::size_t operand,
                                      const std::vector<std::vector<std::size_t>>& users,
                                      const std::vector<std::size_t>& levels, const std::set<std::size_t>& taken) const {
        const Inst& select = block.insts[at];
        const Local value = select.operands[operand];
        if (std::count(select.operands.begin(), select.operands.end(), value) > 1) return {};
        std::set<std::size_t> needed;
        for (std::size_t i = at; i-- > 0;) {
            if (users[i].empty() || taken.contains(i) || !is_movable(block.insts[i])) continue;
            const bool is_value = value.index >= levels[i] && value.index < levels[i + 1];
            const bool is_needed = std::all_of(users[i].begin(), users[i].end(), [&](std::size_t by) {
                return needed.contains(by) || (by == at && is_value);
            });
            if (is_needed) needed.insert(i);
        }
        return needed;
    }

    // The new block.

    std::vector<Local> renamed(const std::vector<Local>& old) const {
        std::vector<Local> names;
        for (Local local : old) names.push_back(names_[local.index]);
        return names;
    }

    void copy(const Inst& old) {
        Inst inst{old.op, old.types, old.bits, renamed(old.operands), {}};
        for (const Block& inner : old.blocks) inst.blocks.push_back(block(inner));
        const Local first = to_.emit(std::move(inst));
        for (std::size_t k = 0; k < old.types.size(); ++k) names_.emplace_back(first.index + k);
        of_indices_.resize(names_.size(), is_of_indices(old, of_indices_));
    }

    void skip(const Inst& old) {
        names_.resize(names_.size() + old.types.size());
        of_indices_.resize(names_.size(), false);
    }

    static bool is_of_indices(const Inst& inst, const std::vector<bool>& known) {
        if (inst.op == Op::constant || inst.op == Op::size) return true;
        if (inst.types.size() != 1 || !inst.blocks.empty() || !ir::is_pure(inst.op, inst.type())) return false;
        return std::all_of(inst.operands.begin(), inst.operands.end(), [&](Local x) { return known[x.index]; });
    }

    void branch(const Block& old, std::size_t at, const Sides& sides, const std::vector<std::size_t>& levels) {
        const Inst& select = old.insts[at];
        Inst cond{Op::cond, select.types, 0, {names_[select.operands[0].index]}, {}};
        for (std::size_t side = 0; side < 2; ++side) {
            const std::vector<Local> outside = names_;
            to_.open({});
            for (std::size_t i : sides[side]) move(old.insts[i], levels[i]);
            const Local result = names_[select.operands[1 + side].index];
            cond.blocks.push_back(to_.close({result}));
            names_ = outside;  // what has been moved is known in the branch only
        }
        names_.push_back(to_.emit(std::move(cond)));
        of_indices_.push_back(false);
    }

    void move(const Inst& old, std::size_t level) {
        Inst inst{old.op, old.types, old.bits, renamed(old.operands), {}};
        const std::vector<Local> names = names_;
        const std::vector<bool> of_indices = of_indices_;
        names_.resize(level), of_indices_.resize(level);  // nested blocks continue from here
        for (const Block& inner : old.blocks) inst.blocks.push_back(block(inner));
        names_ = names, of_indices_ = of_indices;
        const Local first = to_.emit(std::move(inst));
        for (std::size_t k = 0; k < old.types.size(); ++k) names_[level + k] = Local(first.index + k);
    }

    BlockBuilder to_{false};
    std::vector<Local> names_;      ///< by old level
    std::vector<bool> of_indices_;  ///< by old level: computed from indices and sizes only
};

}  // namespace

Kernel branches(Kernel kernel) {
    kernel.body = Branches().run(kernel.body);
    return kernel;
}

}  // namespace sinter::lower
