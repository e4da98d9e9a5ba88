// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/hoist_function.hpp"

#include "ir/builder.hpp"
#include "opt/cost.hpp"

#include <algorithm>
#include <bit>

namespace sinter::opt {

using namespace ir;

namespace {

/// What an instruction varies with that cannot be moved.
constexpr Variation unmovable = Variation{1} << 63;

/// For each local of the outermost block.
struct Facts {
    std::vector<Variation> varies;
    std::vector<bool> worthwhile;  ///< computing it needs an instruction that is worth being separated
};

class Analysis {
  public:
    Analysis(const std::vector<Variation>& params, Worth worth)
        : facts_{params, std::vector<bool>(params.size())}, numbers_(params.size()), worth_(worth) {}

    Facts run(const Block& body) {
        for (const Inst& inst : body.insts) {
            Variation varies = inst.blocks.empty() && can_move(inst) ? 0 : unmovable;
            bool worthwhile = is_worthwhile(inst);
            for (Local operand : inst.operands) {
                varies |= facts_.varies[operand.index];
                worthwhile = worthwhile || facts_.worthwhile[operand.index];
            }
            facts_.varies.insert(facts_.varies.end(), inst.types.size(), varies);
            facts_.worthwhile.insert(facts_.worthwhile.end(), inst.types.size(), worthwhile && varies < unmovable);
            numbers_.insert(numbers_.end(), inst.types.size(), inst.op == Op::constant ? inst.bits : 0);
        }
        return std::move(facts_);
    }

  private:
    static bool is_integer_division(const Inst& inst) {
        return (inst.op == Op::div || inst.op == Op::rem) && !detail::is_float(inst.type());
    }
    /// Of a division of integers: the divisor as far as it is a number other than 0.
    std::uint64_t divisor(const Inst& inst) const { return numbers_[inst.operands[1].index]; }

    bool can_move(const Inst& inst) const {
        if (inst.op == Op::extent) return false;
        return is_pure(inst.op, inst.type()) || (is_integer_division(inst) && divisor(inst) != 0);
    }
    bool is_worthwhile(const Inst& inst) const {
        if (is_expensive(inst.op, inst.types[0])) return true;
        return worth_ == Worth::divisions && is_integer_division(inst) && !std::has_single_bit(divisor(inst));
    }

    Facts facts_;
    std::vector<std::uint64_t> numbers_;  ///< the constants among the locals, as bits; otherwise 0
    Worth worth_;
};

/// The locals of the outermost block that variant instructions, nested blocks or results use, increasing.
class Uses {
  public:
    Uses(const Fn& fn, const std::vector<bool>& known) : used_(known.size(), false) {
        std::size_t level = fn.body.params.size();
        for (const Inst& inst : fn.body.insts) {
            if (!known[level]) instruction(inst);
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

/// The function that computes `roots` from the known parameters.
Fn known_part(const Block& body, const std::vector<bool>& known, const std::vector<std::size_t>& roots) {
    BlockBuilder builder;
    std::vector<Scalar> params;
    for (std::size_t i = 0; i < body.params.size(); ++i)
        if (known[i]) params.push_back(body.params[i]);
    std::size_t next = builder.open(params).index;
    std::vector<Local> locals(body.params.size());
    for (std::size_t i = 0; i < locals.size(); ++i)
        if (known[i]) locals[i] = Local(next++);
    for (const Inst& inst : body.insts) {
        if (!known[locals.size()]) {
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

std::optional<Hoisted> hoist_known(const Fn& fn, const std::vector<Variation>& params, Variation known, Worth worth) {
    const Facts facts = Analysis(params, worth).run(fn.body);
    std::vector<bool> is_known;
    for (Variation each : facts.varies) is_known.push_back((each & ~known) == 0);
    Uses used(fn, is_known);
    std::vector<std::size_t> roots;
    for (std::size_t level = fn.body.params.size(); level < is_known.size(); ++level)
        if (is_known[level] && facts.worthwhile[level] && used[level]) roots.push_back(level);
    if (roots.empty()) return std::nullopt;
    return Hoisted{known_part(fn.body, is_known, roots), rest(fn, roots)};
}

Fn with_last_moved(const Fn& fn, std::size_t count, std::size_t to) {
    std::vector<Scalar> params = fn.body.params;
    const std::size_t first = params.size() - count;
    std::rotate(params.begin() + static_cast<std::ptrdiff_t>(to), params.begin() + static_cast<std::ptrdiff_t>(first),
                params.end());
    BlockBuilder builder;
    builder.open(params);
    std::vector<Local> names;
    for (std::size_t k = 0; k < params.size(); ++k) names.emplace_back(k < to ? k : k < first ? k + count : to + k - first);
    return canonical({fn.arrays, builder.close(inline_block(builder, fn.body, std::move(names)))});
}

std::set<Variation> worthwhile(const Fn& fn, const std::vector<Variation>& params, Worth worth) {
    const Facts facts = Analysis(params, worth).run(fn.body);
    std::set<Variation> result;
    for (std::size_t level = fn.body.params.size(); level < facts.varies.size(); ++level)
        if (facts.worthwhile[level]) result.insert(facts.varies[level]);
    return result;
}

std::optional<Hoisted> hoist_scalars(const Fn& fn, std::size_t captured) {
    std::vector<Variation> params(fn.body.params.size(), 1);
    std::fill(params.end() - static_cast<std::ptrdiff_t>(captured), params.end(), 0);
    return hoist_known(fn, params, 0, Worth::expensive);
}

}  // namespace sinter::opt
