// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/linear.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace sinter::enable {

using namespace ir;

namespace {

constexpr int most_steps = 64;                        ///< operations that are looked at
constexpr std::int64_t most = std::int64_t{1} << 31;  ///< constants and factors below it do not overflow when slices,
                                                      ///< which are no more, are counted with them
using Result = std::optional<Linear>;

bool is_small(const Linear& l) {
    const auto small = [](std::int64_t number) { return -most < number && number < most; };
    return small(l.constant) && small(l.stride) &&
           std::all_of(l.scalars.begin(), l.scalars.end(), [&](const auto& s) { return small(s.second); });
}

Linear times(Linear l, std::int64_t factor) {
    l.constant *= factor;
    l.stride *= factor;
    for (auto& [scalar, each] : l.scalars) each *= factor;
    return l;
}

Linear plus(Linear a, const Linear& b) {
    a.constant += b.constant;
    a.stride += b.stride;
    a.scalars.insert(a.scalars.end(), b.scalars.begin(), b.scalars.end());
    return a;
}

/// The result of arithmetic.
Result apply(Op op, const Result& a, const Result& b) {
    switch (op) {
        case Op::negate:
            return a ? Result(times(*a, -1)) : std::nullopt;
        case Op::add:
            return a && b ? Result(plus(*a, *b)) : std::nullopt;
        case Op::sub:
            return a && b ? Result(plus(*a, times(*b, -1))) : std::nullopt;
        case Op::mul:
            if (!a || !b) return std::nullopt;
            if (b->is_constant()) return times(*a, b->constant);
            return a->is_constant() ? Result(times(*b, a->constant)) : std::nullopt;
        default:
            return std::nullopt;
    }
}

class Search {
  public:
    Search(const std::vector<Binding>& written, std::size_t level) : written_(written), level_(level) {}

    Result value(ValueId id) {
        if (--steps_ < 0) return std::nullopt;
        std::size_t level = level_;
        for (auto binding = written_.rbegin(); binding != written_.rend(); ++binding) {
            level -= binding->types.size();
            if (id.index >= level) return result(*binding, id.index - level, id);
        }
        return std::nullopt;
    }

  private:
    Result result(const Binding& binding, std::size_t k, ValueId id) {
        const Type& type = binding.types[k];
        if (type.scalar != Scalar::i64 || type.rank() > 1) return std::nullopt;
        const auto* map = std::get_if<Map>(&binding.op);
        Result found = map ? of_map(*map, k, type.rank()) : std::nullopt;
        if (type.rank() == 0) return found && found->is_constant() ? found : Linear{0, 0, {{id, 1}}};
        const auto* view = std::get_if<View>(&binding.op);
        if (view && std::holds_alternative<Broadcast>(view->function)) found = value(view->arg);
        return found;
    }

    Result of_map(const Map& map, std::size_t k, std::size_t rank) {
        std::vector<Result> locals;
        if (map.indexed) locals.resize(rank, Linear{0, 1});
        for (ValueId arg : map.args) locals.push_back(value(arg));
        for (ValueId scalar : map.captures.scalars) locals.push_back(value(scalar));
        for (const Inst& inst : map.fn.body.insts) {
            Result result = instruction(inst, locals);
            if (result && !is_small(*result)) result.reset();
            locals.resize(locals.size() + inst.types.size());
            if (!inst.types.empty()) locals[locals.size() - inst.types.size()] = std::move(result);
        }
        return locals[map.fn.body.results[k].index];
    }

    static Result instruction(const Inst& inst, const std::vector<Result>& locals) {
        if (inst.types.size() != 1 || inst.type() != Scalar::i64 || !inst.blocks.empty()) return std::nullopt;
        if (inst.op == Op::constant) return Linear{static_cast<std::int64_t>(inst.bits)};
        if (inst.operands.empty() || inst.operands.size() > 2) return std::nullopt;
        return apply(inst.op, locals[inst.operands[0].index], locals[inst.operands.back().index]);
    }

    const std::vector<Binding>& written_;
    const std::size_t level_;
    int steps_ = most_steps;
};

}  // namespace

std::optional<Linear> linear_in_slice(const std::vector<Binding>& written, std::size_t level, ValueId id) {
    return Search(written, level).value(id);
}

}  // namespace sinter::enable
