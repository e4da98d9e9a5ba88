// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/trim.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <utility>

namespace sinter::opt {

using namespace ir;

namespace {

/// Marks from the results backwards: an instruction is needed if one of its results is. The blocks of a needed instruction
/// are needed as a whole.
class NeedMarker {
  public:
    explicit NeedMarker(Used& used) : used_(used) {}

    void block(const Block& block, const std::vector<Local>& results) {
        std::size_t base = needed_.size();
        std::size_t level = level_behind(block, base);
        needed_.resize(level, false);
        for (Local result : results) needed_[result.index] = true;
        for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
            bool needed = false;
            for (std::size_t i = 0; i < inst->types.size(); ++i) needed |= needed_[--level];
            if (needed) instruction(*inst, level);
        }
        if (base == 0)
            used_.params.assign(needed_.begin(), needed_.begin() + static_cast<std::ptrdiff_t>(block.params.size()));
        needed_.resize(base);
    }

  private:
    void instruction(const Inst& inst, std::size_t level) {
        for (Local operand : inst.operands) needed_[operand.index] = true;
        if (inst.op == Op::read) used_.arrays[inst.bits] = true;
        if (inst.op == Op::extent) used_.arrays[ir::extent_of(inst).slot] = true;
        if (inst.blocks.empty()) return;
        // The locals of blocks are numbered from the instruction's level on; the flags there belong to later instructions,
        // which are done.
        needed_.resize(level);
        for (const Block& nested : inst.blocks) block(nested, nested.results);
    }

    Used& used_;
    std::vector<bool> needed_;  ///< by level
};

}  // namespace

Rewrite renumber_arrays(std::vector<std::size_t> slots) {
    return [slots = std::move(slots)](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
        Inst read = inst;
        if (inst.op == Op::read)
            read.bits = slots[inst.bits];
        else if (inst.op == Op::extent)
            read.bits = ir::extent_bits({slots[ir::extent_of(inst).slot], ir::extent_of(inst).axis});
        else
            return std::nullopt;
        return to.emit(std::move(read));
    };
}

Used used(const Fn& fn, const std::vector<bool>& results) {
    Used used{{}, std::vector<bool>(fn.arrays.size(), false)};
    std::vector<Local> wanted = fn.body.results;
    if (!results.empty()) filter(wanted, results);
    NeedMarker(used).block(fn.body, wanted);
    return used;
}

Fn trim(const Fn& fn, const Used& keep, const std::vector<bool>& results) {
    Fn trimmed{fn.arrays, {}};
    filter(trimmed.arrays, keep.arrays);
    std::vector<Scalar> params = fn.body.params;
    filter(params, keep.params);
    BlockBuilder builder;
    Local next = builder.open(params);
    std::vector<Local> substitution;
    for (bool kept : keep.params) {
        substitution.push_back(kept ? next : Local(0));
        if (kept) next = Local(next.index + 1);
    }
    std::vector<std::size_t> slots;
    std::size_t next_slot = 0;
    for (bool kept : keep.arrays) {
        slots.push_back(next_slot);
        if (kept) ++next_slot;
    }
    Fn needed = fn;
    if (!results.empty()) filter(needed.body.results, results);
    needed = canonical(needed);
    trimmed.body = builder.close(inline_block(builder, needed.body, std::move(substitution), renumber_arrays(slots)));
    return canonical(trimmed);
}

void trim(Map& map, std::size_t rank, const std::vector<bool>& results) {
    Used keep = used(map.fn, results);
    const std::size_t first = map.indexed ? rank : 0;
    const auto end = keep.params.begin() + static_cast<std::ptrdiff_t>(first);
    const bool indexed = std::find(keep.params.begin(), end, true) != end;
    map.indexed = indexed;
    for (std::size_t i = 0; i < first; ++i) keep.params[i] = indexed;
    const std::size_t args = map.args.size();
    filter(map.args, keep.params, first);
    filter(map.captures.scalars, keep.params, first + args);
    filter(map.captures.arrays, keep.arrays);
    map.fn = trim(map.fn, keep, results);
}

}  // namespace sinter::opt
