// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/scatters.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "schedule/facts/collisions.hpp"

#include <algorithm>
#include <map>

namespace sinter::schedule::card {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

class Find {
  public:
    explicit Find(const lower::Kernel& kernel) : kernel_(kernel), meeting_(stores_that_may_meet(kernel)) {}

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

    bool may_meet(const Inst& store) const { return std::find(meeting_.begin(), meeting_.end(), &store) != meeting_.end(); }

    /// Stores to the same array, as both sides of a branch may contain, share their bits.
    std::size_t claim(const Inst& first) {
        const auto [place, is_new] = numbers_.try_emplace(first.bits, found_.claimed.size());
        if (is_new) found_.claimed.push_back(kernel_.buffers[first.bits].elements);
        return place->second;
    }

    const lower::Kernel& kernel_;
    std::vector<const Inst*> meeting_;
    Scatters found_;
    std::map<std::uint64_t, std::size_t> numbers_;  ///< of arrays of bits, by buffer
};

}  // namespace

Scatters scatters_of(const lower::Kernel& kernel) { return Find(kernel)(); }

}  // namespace sinter::schedule::card
