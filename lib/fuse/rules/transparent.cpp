// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/transparent.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <optional>

namespace sinter::fuse {

namespace {

constexpr int too_much = tuning::scalar_limit + 1;

int weight_of(const ir::Inst& inst) {
    if (inst.op == ir::Op::constant) return 0;
    if (!inst.blocks.empty() || inst.types.size() != 1 || !ir::is_pure(inst.op, inst.type())) return too_much;
    return ir::info(inst.op).traits == ir::Traits::math ? tuning::math_weight : 1;
}

int weight_of(const ir::Fn& fn) {
    int weight = 0;
    for (const ir::Inst& inst : fn.body.insts) weight = std::min(weight + weight_of(inst), too_much);
    return weight;
}

bool is_slow(const ir::Inst& inst) { return inst.op == ir::Op::div || inst.op == ir::Op::rem || inst.op == ir::Op::sqrt; }

bool is_fast(const ir::Map& map, int limit) {
    return map.captures.arrays.empty() && weight_of(map.fn) <= limit &&
           std::none_of(map.fn.body.insts.begin(), map.fn.body.insts.end(), is_slow);
}

bool is_cheap_generate(const ir::Map& map) { return map.args.empty() && is_fast(map, tuning::generate_limit); }

/// Weights of transparent rank-0 maps by level, so that a chain of them does not grow without limit.
class Scalars {
  public:
    explicit Scalars(std::size_t base) : base_(base) {}

    /// The weight of `map` with what it reads through.
    int weight(const ir::Map& map) const {
        int weight = weight_of(map.fn);
        for (const auto* list : {&map.args, &map.captures.scalars})
            for (ir::ValueId id : *list)
                if (id.index >= base_) weight = std::min(weight + by_level_[id.index - base_], too_much);
        return weight;
    }
    void push(std::size_t count, int weight) { by_level_.insert(by_level_.end(), count, weight); }

  private:
    std::size_t base_;
    std::vector<int> by_level_;
};

}  // namespace

bool is_cheap_to_repeat(const ir::Map& map) { return is_fast(map, tuning::repeat_limit); }

double arithmetic_of(const ir::Map& map) {
    double total = 0;
    for (const ir::Inst& inst : map.fn.body.insts) {
        if (inst.op == ir::Op::constant) continue;
        const bool is_math = ir::info(inst.op).traits == ir::Traits::math;
        const double price = is_math ? tuning::price_of_math : tuning::price_of_instruction;
        for (const ir::Scalar type : inst.types) total += price * static_cast<double>(detail::size_of(type));
    }
    return total;
}

int instructions_of(const ir::Map& map) { return weight_of(map.fn); }

bool is_cheap_to_repeat(double looks, double loads, double instructions) {
    return looks == 1 || (looks * loads <= loads + 1 + looks && looks * instructions <= tuning::looks_limit);
}

bool is_cheap_beside_memory(double looks, double loads, double instructions) {
    return looks * loads <= tuning::far_loads && looks * instructions <= tuning::far_instructions;
}

std::vector<bool> transparent_operations(const ir::Body& body, std::size_t base) {
    Scalars scalars(base);
    scalars.push(body.params.size(), 0);
    std::vector<bool> transparent;
    transparent.reserve(body.bindings.size());
    for (const ir::Binding& binding : body.bindings) {
        int weight = 0;
        bool is = std::holds_alternative<ir::View>(binding.op);
        if (const auto* map = std::get_if<ir::Map>(&binding.op)) {
            if (binding.types[0].rank() == 0)
                is = (weight = scalars.weight(*map)) <= tuning::scalar_limit;
            else
                is = is_cheap_generate(*map);
        }
        scalars.push(binding.types.size(), is ? weight : 0);
        transparent.push_back(is);
    }
    return transparent;
}

}  // namespace sinter::fuse
