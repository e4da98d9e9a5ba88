// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/facts.hpp"

#include "ir/neutral.hpp"
#include "ir/walk.hpp"
#include "lower/as_reduce.hpp"
#include "lower/loops.hpp"
#include "schedule/facts/shifts.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

bool is_loop(const Inst& inst) { return lower::is_loop(inst.op); }
bool is_update(const Inst& inst) { return inst.op == Op::update; }

class Examine {
  public:
    explicit Examine(const lower::Kernel& kernel) : kernel_(kernel) {}

    Facts operator()() {
        facts_.control = control_flow(kernel_);
        definitions_.assign(kernel_.space.size(), nullptr);
        environment_.resize(kernel_.space.size());
        for (const Inst& inst : kernel_.body.insts) {
            if (lower::is_loop(inst.op))
                loop(inst);
            else
                for (const lower::Block& inner : inst.blocks)
                    facts_.nested_loops = facts_.nested_loops || ir::any_inst(inner, is_loop);
            if (inst.op == Op::for_loop || inst.op == Op::while_loop) sequential(inst);
            add_steps(inst, {}, facts_.steps);
            define(inst);
        }
        facts_.updates = update_facts(kernel_);
        find_chunked();
        if (!facts_.loops.empty() || sequential_ != 1) facts_.ordered.reset();
        if (facts_.loops.empty() && !facts_.nested_loops && !kernel_.space.empty())
            facts_.captured = captured_update(kernel_, facts_.updates);
        facts_.has_local_buffers =
            std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(), [](auto& buffer) { return buffer.local; });
        std::vector<Pattern> params(kernel_.space.size());
        if (!params.empty()) params.back() = Pattern::lane();
        facts_.points = profile(kernel_, facts_.control, kernel_.body, {}, params);
        facts_.sides = sides_of(kernel_);
        facts_.borders = borders_of(kernel_, facts_.control, kernel_.body, {}, params, facts_.sides);
        facts_.reads_shifted = reads_shifted(kernel_.body);
        facts_.row_borders = row_borders(kernel_);
        return std::move(facts_);
    }

  private:
    void define(const Inst& inst) {
        for (ir::Scalar type : inst.types) {
            definitions_.push_back(&inst);
            environment_.emplace_back().type = type;
        }
    }

    void loop(const Inst& inst) {
        std::vector<Pattern> params(lower::loop_rank(inst));
        params.back() = Pattern::lane();
        Facts::Loop loop{&inst, extents(inst), profile(kernel_, facts_.control, inst.blocks[0], environment_, params), {}};
        for (const Inst& inner : inst.blocks[0].insts) add_steps(inner, {}, loop.steps);
        if (inst.op == Op::reduce) {
            const std::size_t level = definitions_.size();
            loop.commutative =
                lower::is_commutative(inst) || ir::neutral_elements(inst.blocks[1], inst.types.size(), level).has_value();
        }
        if (inst.op == Op::reduce || inst.op == Op::scan) {
            const std::vector<Pattern> varying(inst.blocks[1].params.size(), Pattern::varying());
            loop.combine = profile(kernel_, facts_.control, inst.blocks[1], environment_, varying);
        }
        facts_.loops.push_back(std::move(loop));
    }

    void sequential(const Inst& inst) {
        ++sequential_;
        auto reduce = lower::as_reduce(inst, definitions_.size());
        if (!reduce) return;
        const auto fold = std::make_shared<const Inst>(std::move(*reduce));
        if (auto known = extents(*fold))
            facts_.ordered = Facts::OrderedFold{&inst, fold, {fold.get(), std::move(known), {}, {}}};
    }

    std::optional<std::vector<Extent>> extents(const Inst& inst) const {
        std::vector<Extent> result;
        for (std::size_t axis = 0; axis < lower::loop_rank(inst); ++axis) {
            const auto known = extent(inst.operands[axis]);
            if (!known) return std::nullopt;
            result.push_back(*known);
        }
        return result;
    }

    /// For the instruction, or those in it, inside loops of so many steps.
    void add_steps(const Inst& inst, std::vector<Extent> around, Steps& to) const {
        if (inst.op != Op::for_loop) return;
        if (const auto known = extent(inst.operands[0])) around.push_back(*known);
        if (!around.empty()) to.push_back(around);
        for (const Inst& inner : inst.blocks[0].insts) add_steps(inner, around, to);
    }

    std::optional<Extent> extent(ir::Local local) const {
        if (local.index >= definitions_.size()) return std::nullopt;
        const Inst* definition = definitions_[local.index];
        if (!definition || (definition->op != Op::size && definition->op != Op::constant)) return std::nullopt;
        return Extent{definition->op == Op::constant, static_cast<std::int64_t>(definition->bits)};
    }

    void find_chunked() {
        if (facts_.loops.size() != 1 || facts_.nested_loops) return;
        const Facts::Loop& loop = facts_.loops[0];
        if (loop.inst->op == Op::for_each || !loop.extents) return;
        const bool shows = loop.inst->op == Op::scan && ir::any_inst(loop.inst->blocks[2], is_update);
        if (!facts_.updates.empty() && !shows) return;
        facts_.chunked = loop.inst;
        for (ir::Scalar type : loop.inst->types)
            facts_.state_bytes.push_back(static_cast<std::size_t>(detail::size_of(type)));
    }

    const lower::Kernel& kernel_;
    Facts facts_;
    int sequential_ = 0;                    ///< number of sequential loops of the body
    std::vector<const Inst*> definitions_;  ///< by local; null for a parameter
    std::vector<Pattern> environment_;      ///< by local, if points go one by one
};

}  // namespace

Facts facts_of(const lower::Kernel& kernel) { return Examine(kernel)(); }

}  // namespace sinter::schedule
