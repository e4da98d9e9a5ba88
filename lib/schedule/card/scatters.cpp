// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/scatters.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <map>

namespace sinter::schedule::card {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

/// How a local of the body changes from point to point, where there is one axis.
enum class Change : std::uint8_t {
    none,
    step,   ///< by the same amount, which is not 0, unless an extent is
    other,  ///< in another way
};

/// The changes of all locals of the body.
class Changes {
  public:
    explicit Changes(const lower::Kernel& kernel) : known_(kernel.space.size(), Change::step), scales_(kernel.space.size()) {
        for (const Inst& inst : kernel.body.insts) {
            const Change change = inst.blocks.empty() ? of(inst) : Change::other;
            known_.insert(known_.end(), inst.types.size(), change);
            const bool scales = inst.op == Op::size || (inst.op == Op::constant && inst.bits != 0);
            scales_.insert(scales_.end(), inst.types.size(), scales);
        }
    }

    bool steps(ir::Local local) const { return at(local) == Change::step; }

  private:
    Change at(ir::Local local) const { return local.index < known_.size() ? known_[local.index] : Change::other; }

    Change of(const Inst& inst) const {
        auto is = [&](std::size_t k, Change change) { return at(inst.operands[k]) == change; };
        const auto& operands = inst.operands;
        if (std::all_of(operands.begin(), operands.end(), [&](ir::Local l) { return at(l) == Change::none; }))
            return Change::none;
        if (inst.op == Op::check_index && is(0, Change::step)) return Change::step;
        for (const std::size_t k : {0, 1}) {
            if (operands.size() != 2 || !is(k, Change::step)) continue;
            if ((inst.op == Op::add || inst.op == Op::sub) && is(1 - k, Change::none)) return Change::step;
            if (inst.op == Op::mul && scales_[operands[1 - k].index]) return Change::step;
        }
        return Change::other;
    }

    std::vector<Change> known_;
    std::vector<bool> scales_;  ///< a factor that is not 0
};

class Find {
  public:
    explicit Find(const lower::Kernel& kernel) : kernel_(kernel), changes_(kernel) {}

    Scatters operator()() {
        block(kernel_.body, !kernel_.space.empty(), true);
        return std::move(found_);
    }

  private:
    /// `many`: threads execute the block at once. `claims`: each of its stores stores an element once.
    void block(const Block& block, bool many, bool claims) {
        std::map<std::size_t, std::vector<const Inst*>> by_offset;
        for (const Inst& inst : block.insts) {
            const bool repeats = inst.op == Op::for_loop || inst.op == Op::while_loop;
            for (const Block& inner : inst.blocks) this->block(inner, many || lower::is_loop(inst.op), claims && !repeats);
            if (inst.op == Op::store && many && may_meet(inst)) by_offset[inst.operands[0].index].push_back(&inst);
        }
        for (const auto& [offset, stores] : by_offset) {
            const bool together = claims && stores.size() > 1;
            const auto number = together ? std::optional(claim(*stores[0])) : std::nullopt;
            for (const Inst* store : stores) found_.meetings.push_back({store, number, store == stores[0]});
        }
    }

    bool may_meet(const Inst& store) const {
        const bool is_body = std::any_of(kernel_.body.insts.begin(), kernel_.body.insts.end(),
                                         [&](const Inst& inst) { return &inst == &store; });
        const bool is_apart = is_body && kernel_.space.size() == 1 && changes_.steps(store.operands[0]);
        return kernel_.buffers[store.bits].dest && !is_apart;
    }

    /// Stores to the same array, as both sides of a branch may contain, share their bits.
    std::size_t claim(const Inst& first) {
        const auto [place, is_new] = numbers_.try_emplace(first.bits, found_.claimed.size());
        if (is_new) found_.claimed.push_back(kernel_.buffers[first.bits].elements);
        return place->second;
    }

    const lower::Kernel& kernel_;
    Changes changes_;
    Scatters found_;
    std::map<std::uint64_t, std::size_t> numbers_;  ///< of arrays of bits, by buffer
};

}  // namespace

Scatters scatters_of(const lower::Kernel& kernel) { return Find(kernel)(); }

}  // namespace sinter::schedule::card
