// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/emitter.hpp"

#include "jit/emit/llvm/metadata.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

/// Marks the locals below `level` that `b`, a block that starts at `level`, uses.
void mark_uses(const Block& b, std::size_t level, std::vector<bool>& used) {
    auto mark = [&](ir::Local l) {
        if (l.index < level) used[l.index] = true;
    };
    for (const Inst& inst : b.insts) {
        for (ir::Local l : inst.operands) mark(l);
        for (const Block& inner : inst.blocks) mark_uses(inner, level, used);
    }
    for (ir::Local l : b.results) mark(l);
}

/// Which locals of `b`, a block that starts at level `base`, something in it uses, by level.
std::vector<bool> uses(const Block& b, std::size_t base) {
    std::size_t level = base + b.params.size();
    std::size_t end = level;
    for (const Inst& inst : b.insts) end += inst.types.size();
    std::vector<bool> used(end, false);
    for (const Inst& inst : b.insts) {
        for (ir::Local l : inst.operands) used[l.index] = true;
        for (const Block& inner : inst.blocks) mark_uses(inner, level, used);
        level += inst.types.size();
    }
    for (ir::Local l : b.results) used[l.index] = true;
    return used;
}

}  // namespace

Values Emitter::block(const Block& b, const Values& params, const Prepared* prepared) {
    const std::size_t base = env_.size();
    env_.insert(env_.end(), params.begin(), params.end());
    const std::vector<bool> used = uses(b, base);
    for (std::size_t k = 0; k < b.insts.size(); ++k) {
        const auto first = used.begin() + static_cast<std::ptrdiff_t>(env_.size());
        used_.assign(first, first + static_cast<std::ptrdiff_t>(b.insts[k].types.size()));
        const Values results = prepared && (*prepared)[k] ? *(*prepared)[k] : emit(b.insts[k]);
        env_.insert(env_.end(), results.begin(), results.end());
    }
    Values results;
    for (ir::Local r : b.results) results.push_back(env_[r.index]);
    env_.resize(base);
    return results;
}

Values Emitter::emit(const Inst& inst) {
    if (idle_.contains(&inst) && inst.op == Op::inside) return {Value::uniform(Scalar::boolean, ir.getTrue())};
    if (idle_.contains(&inst)) return {operand(inst, operand(inst, 0).is_affine() ? 0 : 1)};
    if (special)
        if (auto results = special->emit(inst)) return *results;
    switch (inst.op) {
        case Op::constant:
            return {constant(inst)};
        case Op::size:
            return {index(size(inst.bits))};
        case Op::load:
            return {load(inst)};
        case Op::store:
            return store(inst), Values{};
        case Op::check_index:
            return {check_index(inst)};
        case Op::check_divisor:
            return {check_divisor(inst)};
        case Op::expect:
            return {expect(inst)};
        case Op::print:
            return {print(inst)};
        case Op::cond:
            return cond(inst);
        case Op::while_loop:
            return while_loop(inst);
        case Op::for_loop:
            return for_loop(inst);
        case Op::reduce:
            return reduce(inst);
        case Op::for_each:
            return for_each(inst), Values{};
        case Op::scan:
            return scan(inst);
        case Op::compact:
            return compact(inst);
        case Op::update:
            return update(inst), Values{};
        default:
            return {pure(inst)};
    }
}

std::vector<Pattern> Emitter::patterns() const {
    std::vector<Pattern> result;
    for (const Value& v : env_) {
        Pattern p;
        p.type = v.type;
        p.kind = v.is_varying() || v.is_unknown() || v.scalars.size() > 1 ? Pattern::Kind::varying
                 : v.is_affine()                                          ? Pattern::Kind::affine
                                                                          : Pattern::Kind::uniform;
        if (p.kind == Pattern::Kind::affine) p.number = known_stride(v);
        result.push_back(p);
    }
    return result;
}

Value Emitter::as(const Value& value, const Pattern& p) { return p.is_uniform() ? value : code_.make_varying(value); }

llvm::Value* Emitter::argument(std::size_t offset, llvm::Type* type) {
    auto& field = fields_[offset];
    if (!field)
        field = code_.pure(
            {}, [&] { return invariant(ir.CreateLoad(type, ir.CreateConstGEP1_64(ir.getInt8Ty(), arguments_, offset))); });
    return field;
}

llvm::Value* Emitter::tile(std::size_t offset) {
    auto& field = fields_[offset | 1u << 16];
    if (!field)
        field = code_.pure({}, [&] {
            return invariant(ir.CreateLoad(ir.getInt64Ty(), ir.CreateConstGEP1_64(ir.getInt8Ty(), tile_, offset)));
        });
    return field;
}

llvm::Value* Emitter::size(std::size_t index) {
    auto& field = fields_[index | 1u << 17];
    if (!field) {
        llvm::Value* sizes = argument(offsetof(Arguments, sizes), ir.getPtrTy());
        field = code_.pure({}, [&] {
            return invariant(ir.CreateLoad(ir.getInt64Ty(), ir.CreateConstGEP1_64(ir.getInt64Ty(), sizes, index)));
        });
    }
    return field;
}

}  // namespace sinter::emit
