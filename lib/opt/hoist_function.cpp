// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/hoist_function.hpp"

#include "ir/builder.hpp"
#include "opt/cost.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

namespace {

/// For each local of the outermost block.
struct Facts {
    std::vector<bool> invariant;  ///< it depends on captured scalars and constants only, through pure instructions
    std::vector<bool> expensive;  ///< it is invariant, and computing it needs an expensive instruction
};

Facts analyse(const Block& body, std::size_t captured) {
    Facts facts;
    facts.invariant.assign(body.params.size(), false);
    std::fill(facts.invariant.end() - static_cast<std::ptrdiff_t>(captured), facts.invariant.end(), true);
    facts.expensive.assign(body.params.size(), false);
    for (const Inst& inst : body.insts) {
        bool invariant = inst.blocks.empty() && is_pure(inst.op, inst.type()) && inst.op != Op::extent;
        bool expensive = is_expensive(inst.op, inst.types[0]);
        for (Local operand : inst.operands) {
            invariant = invariant && facts.invariant[operand.index];
            expensive = expensive || facts.expensive[operand.index];
        }
        facts.invariant.insert(facts.invariant.end(), inst.types.size(), invariant);
        facts.expensive.insert(facts.expensive.end(), inst.types.size(), invariant && expensive);
    }
    return facts;
}

/// The locals of the outermost block that variant instructions, nested blocks or results use, increasing.
class Uses {
  public:
    Uses(const Fn& fn, const Facts& facts) : used_(facts.invariant.size(), false) {
        std::size_t level = fn.body.params.size();
        for (const Inst& inst : fn.body.insts) {
            if (!facts.invariant[level]) instruction(inst);
            level += inst.types.size();
        }
        for (Local result : fn.body.results) used_[result.index] = true;
    }

    bool operator[](std::size_t level) const { return used_[level]; }

  private:
    void instruction(const Inst& inst) {
        // The locals of a nested block have levels from that of its instruction on, which later locals share. Marking those,
        // too, sometimes moves an instruction that only invariant ones need, which is harmless.
        auto use = [&](Local local) {
            if (local.index < used_.size()) used_[local.index] = true;
        };
        for (Local operand : inst.operands) use(operand);
        for (const Block& nested : inst.blocks) {
            for (const Inst& inner : nested.insts) instruction(inner);
            for (Local result : nested.results) use(result);
        }
    }

    std::vector<bool> used_;
};

/// The function that computes `roots` from the captured scalars.
Fn scalar_part(const Block& body, std::size_t captured, const Facts& facts, const std::vector<std::size_t>& roots) {
    BlockBuilder builder;
    std::size_t own = body.params.size() - captured;
    std::vector<Scalar> params(body.params.begin() + static_cast<std::ptrdiff_t>(own), body.params.end());
    Local next = builder.open(params);
    std::vector<Local> locals(own);
    for (std::size_t i = 0; i < captured; ++i) locals.push_back(Local(next.index + i));
    for (const Inst& inst : body.insts) {
        if (!facts.invariant[locals.size()]) {
            locals.resize(locals.size() + inst.types.size());
            continue;
        }
        Inst copy = inst;
        for (Local& operand : copy.operands) operand = locals[operand.index];
        locals.push_back(builder.emit(std::move(copy)));
    }
    std::vector<Local> results;
    for (std::size_t root : roots) results.push_back(locals[root]);
    return canonical({{}, builder.close(std::move(results))});
}

/// The function in which each root is a new parameter, after the others.
Fn rest(const Fn& fn, const std::vector<std::size_t>& roots) {
    constexpr Op marker = Op::size;  // does not occur in functions; stands for a root
    Block body = fn.body;
    std::vector<Scalar> params = body.params;
    std::size_t level = params.size(), root = 0;
    for (Inst& inst : body.insts) {
        bool is_root = root < roots.size() && roots[root] == level;
        level += inst.types.size();
        if (!is_root) continue;
        params.push_back(inst.type());
        inst = Inst{marker, inst.types, root++, {}, {}};
    }
    BlockBuilder builder;
    Local first = builder.open(params);
    std::vector<Local> substitution;
    for (std::size_t i = 0; i < body.params.size(); ++i) substitution.push_back(Local(first.index + i));
    auto parameter = [&](BlockBuilder&, const Inst& inst) -> std::optional<Local> {
        if (inst.op != marker) return std::nullopt;
        return Local(fn.body.params.size() + inst.bits);
    };
    std::vector<Local> results = inline_block(builder, body, std::move(substitution), parameter);
    return canonical({fn.arrays, builder.close(std::move(results))});
}

}  // namespace

std::optional<HoistedScalars> hoist_scalars(const Fn& fn, std::size_t captured) {
    Facts facts = analyse(fn.body, captured);
    Uses used(fn, facts);
    std::vector<std::size_t> roots;
    for (std::size_t level = fn.body.params.size(); level < facts.expensive.size(); ++level)
        if (facts.expensive[level] && used[level]) roots.push_back(level);
    if (roots.empty()) return std::nullopt;
    return HoistedScalars{scalar_part(fn.body, captured, facts, roots), rest(fn, roots)};
}

}  // namespace sinter::opt
