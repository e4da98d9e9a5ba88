// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/combiner.hpp"

#include "ir/neutral.hpp"
#include "jit/emit/code/scalar_ops.hpp"
#include "lower/loops.hpp"

namespace sinter::emit {

Combiner::Combiner(Blocks& blocks, const Inst& inst)
    : blocks_(blocks),
      c_(blocks.code),
      ir(blocks.code.ir),
      inst_(inst),
      rank_(lower::loop_rank(inst)),
      neutral_(ir::neutral_elements(inst.blocks[1], inst.types.size(), blocks.scope.size())) {
    commutative_ = neutral_ || lower::is_commutative(inst);
}

Values Combiner::init() const {
    Values result;
    for (std::size_t k = rank_; k < inst_.operands.size(); ++k) result.push_back(blocks_.scope.operand(inst_, k));
    return result;
}

Values Combiner::nothing() {
    Values result;
    for (std::size_t k = 0; k < count(); ++k) {
        llvm::Type* type = c_.type(inst_.types[k]);
        const std::uint64_t bits = neutral_ ? (*neutral_)[k] : 0;
        result.push_back(Value::uniform(inst_.types[k], emit_constant(ir, type, bits)));
    }
    return result;
}

Values Combiner::combine(const Values& a, const Values& b) {
    Values params = a;
    params.append(b.begin(), b.end());
    return blocks_.block(inst_.blocks[1], params);
}

Values Combiner::append(llvm::Value* has, const Values& a, const Values& b) {
    if (neutral_) return combine(a, b);
    Values like = varying(b);
    const Few flat = c_.either(has, [&] { return pack(varying(combine(a, b))); }, [&] { return pack(like); });
    return unpack(flat, c_.lanes.vector() ? c_.lanes.parts() : 1);
}

Values Combiner::varying(const Values& values) {
    Values result;
    for (const Value& v : values) result.push_back(c_.lanes.vector() ? c_.make_varying(v) : v);
    return result;
}

Values Combiner::unpack(llvm::ArrayRef<llvm::Value*> flat, int parts) {
    Values result;
    const auto n = static_cast<std::size_t>(parts);
    for (std::size_t k = 0; k < count(); ++k) result.push_back(c_.from_phi(inst_.types[k], flat.slice(k * n, n)));
    return result;
}

Value Combiner::lanes_of(const Value& v, int from, int step) {
    if (!v.is_varying()) return v;
    if (!c_.lanes.vector())
        return Value::uniform(v.type, ir.CreateExtractElement(v.parts[0], static_cast<std::uint64_t>(from)));
    llvm::SmallVector<int, 64> picked;
    for (int k = 0; k < c_.lanes.width; ++k) picked.push_back(from + k * step);
    return Value::varying(v.type, {ir.CreateShuffleVector(v.parts[0], picked)});
}

}  // namespace sinter::emit
