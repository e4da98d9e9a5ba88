// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/emitter.hpp"
#include "jit/host/schedule.hpp"

#include <algorithm>

namespace sinter::host {

using emit::Pattern;
using emit::Profile;
using ir::Op;
using lower::Inst;

namespace {

constexpr double expensive = 12;  ///< instructions in the time of a root or a quotient

bool is_loop(const Inst& inst) {
    return inst.op == Op::reduce || inst.op == Op::for_each || inst.op == Op::scan || inst.op == Op::compact;
}

bool contains_loop(const lower::Block& block) {
    for (const Inst& inst : block.insts) {
        if (is_loop(inst)) return true;
        for (const lower::Block& inner : inst.blocks)
            if (contains_loop(inner)) return true;
    }
    return false;
}

bool contains_update(const lower::Block& block) {
    for (const Inst& inst : block.insts) {
        if (inst.op == Op::update) return true;
        for (const lower::Block& inner : inst.blocks)
            if (contains_update(inner)) return true;
    }
    return false;
}

class Examine {
  public:
    Examine(const lower::Kernel& kernel, const emit::Machine& machine) : kernel_(kernel), machine_(machine) {}

    Traits operator()() {
        definitions_.assign(kernel_.space.size(), nullptr);
        environment_.resize(kernel_.space.size());
        int loops = 0;
        const Inst* last = nullptr;
        for (const Inst& inst : kernel_.body.insts) {
            if (is_loop(inst)) {
                ++loops;
                last = &inst;
                loop(inst);
            } else {
                for (const lower::Block& inner : inst.blocks) loops += contains_loop(inner) ? 2 : 0;
            }
            for (ir::Scalar type : inst.types) {
                definitions_.push_back(&inst);
                environment_.push_back({});
                environment_.back().type = type;
            }
        }
        if (loops == 1 && last->op != Op::for_each && !traits_.loop_extents[0].empty()) {
            traits_.chunked = last;
            for (ir::Scalar type : last->types)
                traits_.state_bytes.push_back(static_cast<std::size_t>(detail::size_of(type)));
        }
        traits_.in_order = contains_update(kernel_.body);
        std::vector<Pattern> params(kernel_.space.size());
        if (!params.empty()) params.back() = Pattern::lane();
        traits_.points = emit::profile(kernel_, kernel_.body, {}, params);
        traits_.point_cost = cost(traits_.points);
        traits_.tile = emit::register_tile(machine_, kernel_);
        traits_.tile_time = time_;
        traits_.rows = emit::row_blocks(machine_, kernel_);
        traits_.squares = emit::squares(machine_, kernel_).has_value();
        return std::move(traits_);
    }

  private:
    /// Gathers and scatters count for every lane.
    Traits::Cost cost(const Profile& p) const {
        const double lanes = std::max(1, emit::choose_lanes(machine_, p, 1).width);
        const double vectors = p.instructions() + expensive * p.expensive + p.uniform_loads + 1;
        return {lanes, time_ * vectors + (p.gathers + 2 * p.scatters + p.in_turn) * lanes,
                time_ * (p.once + expensive * p.expensive_once)};
    }

    /// Instructions that combining an element with others takes.
    double combining(const lower::Block& block) const {
        const std::vector<Pattern> params(block.params.size(), Pattern::varying());
        const Profile p = emit::profile(kernel_, block, environment_, params);
        return time_ * (p.instructions() + expensive * p.expensive);
    }

    void loop(const Inst& inst) {
        const std::size_t rank = inst.op == Op::compact ? 1 : inst.bits & 0xff;
        std::vector<Pattern> params(rank);
        params.back() = Pattern::lane();
        traits_.loop_insts.push_back(&inst);
        traits_.loops.push_back(cost(emit::profile(kernel_, inst.blocks[0], environment_, params)));
        if (inst.op == Op::reduce) traits_.loops.back().instructions += combining(inst.blocks[1]);
        std::vector<Traits::Extent> extents;
        for (std::size_t k = 0; k < rank; ++k) {
            const Inst* definition = definitions_[inst.operands[k].index];
            if (!definition || (definition->op != Op::size && definition->op != Op::constant)) break;
            extents.push_back({definition->op == Op::constant, static_cast<std::int64_t>(definition->bits)});
        }
        if (extents.size() < rank) extents.clear();
        traits_.loop_extents.push_back(std::move(extents));
    }

    const lower::Kernel& kernel_;
    const emit::Machine& machine_;
    const double time_ = machine_.instruction_time();
    Traits traits_;
    std::vector<const Inst*> definitions_;
    std::vector<Pattern> environment_;
};

}  // namespace

Traits traits_of(const lower::Kernel& kernel, const emit::Machine& machine) { return Examine(kernel, machine)(); }

}  // namespace sinter::host
