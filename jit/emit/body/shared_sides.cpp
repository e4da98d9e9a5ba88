// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/shared_sides.hpp"

#include "jit/emit/body/arithmetic.hpp"
#include "schedule/tuning.hpp"

#include <llvm/IR/Module.h>
#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

bool is_number(const std::vector<Scalar>& types) { return types.size() == 1 && types[0] != Scalar::boolean; }

/// Whether the instruction computes a number from numbers, and does no harm in lanes that do not execute it.
bool computes_only(const Inst& inst) {
    if (inst.op == Op::size || inst.types.size() != 1) return false;
    const bool is_quotient = (inst.op == Op::div || inst.op == Op::rem) && detail::is_float(inst.type());
    return inst.op == Op::constant || is_quotient || ir::is_pure(inst.op);
}

bool computes_only(const Block& b) {
    return b.params.empty() &&
           std::all_of(b.insts.begin(), b.insts.end(), [](const Inst& inst) { return computes_only(inst); });
}

void write(std::string& text, std::uint64_t number) { text += std::to_string(number) + ' '; }

void write(std::string& text, const Inst& inst) {
    write(text, static_cast<std::uint64_t>(inst.op));
    write(text, static_cast<std::uint64_t>(inst.type()));
    write(text, inst.bits);
}

llvm::Constant* constant_of(const Value& value) {
    return value.is_uniform() ? llvm::dyn_cast<llvm::Constant>(value.scalars[0]) : nullptr;
}

}  // namespace

std::optional<SharedSides::Outside> SharedSides::outside(const Block& b) const {
    const std::size_t base = scope_.size();
    Outside result;
    std::vector<Scalar> types;  // of the block's own locals
    bool all_numbers = true;
    write(result.text, static_cast<std::uint64_t>(code_.lanes.width));
    auto write_local = [&](ir::Local local) {
        if (local.index >= base) return write(result.text += 'o', local.index - base);
        const Value& value = scope_[local];
        write(result.text, static_cast<std::uint64_t>(value.type));
        if (llvm::Constant* constant = constant_of(value))
            return write(result.text += 'c', reinterpret_cast<std::uintptr_t>(constant));
        all_numbers = all_numbers && value.type != Scalar::boolean && !value.is_unknown();
        auto& known = result.parameters;
        const auto at = std::find(known.begin(), known.end(), local);
        write(result.text += 'p', static_cast<std::uint64_t>(at - known.begin()));
        write(result.text, static_cast<std::uint64_t>(value.bits));
        if (at == known.end()) known.push_back(local);
    };
    for (const Inst& inst : b.insts) {
        write(result.text, inst);
        for (ir::Local operand : inst.operands) write_local(operand);
        types.push_back(inst.type());
    }
    for (ir::Local local : b.results) {
        if (local.index < base || !is_number({types[local.index - base]})) return std::nullopt;
        write_local(local);
    }
    const bool few = result.parameters.size() <= schedule::tuning::most_side_parameters;
    return all_numbers && few ? std::optional(std::move(result)) : std::nullopt;
}

llvm::Function* SharedSides::declare(const Block& b, const Outside& outside) {
    std::vector<llvm::Type*> parameters, results;
    for (ir::Local local : outside.parameters) parameters.push_back(code_.vector_of(code_.type(scope_[local].type)));
    for (ir::Local local : b.results)
        results.push_back(code_.vector_of(code_.type(b.insts[local.index - scope_.size()].type())));
    llvm::LLVMContext& context = code_.ir.getContext();
    auto* type = llvm::FunctionType::get(llvm::StructType::get(context, results), parameters, false);
    llvm::Module& module = *code_.ir.GetInsertBlock()->getModule();
    auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, "side", module);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
    return function;
}

llvm::Function* SharedSides::function(const Block& b, const Outside& outside) {
    llvm::Function*& known = functions_[outside.text];
    if (known) return known;
    known = declare(b, outside);
    Code code(*known, code_.machine);
    code.lanes.width = code_.lanes.width;
    code.lanes.open = true;
    Arithmetic arithmetic(code);
    Scope scope;
    for (std::size_t level = 0; level < scope_.size(); ++level) {
        const Value& value = scope_[ir::Local(level)];
        if (!value.is_unknown() && constant_of(value))
            scope.add(value);
        else
            scope.add_unknown(1);
    }
    for (std::size_t k = 0; k < outside.parameters.size(); ++k) {
        const Value& value = scope_[outside.parameters[k]];
        scope.set(outside.parameters[k], Value::varying(value.type, {known->getArg(static_cast<unsigned>(k))}, value.bits));
    }
    for (const Inst& inst : b.insts)
        scope.add(inst.op == Op::constant ? arithmetic.constant(inst) : arithmetic.pure(inst, scope.operands(inst)));
    llvm::Value* results = llvm::PoisonValue::get(known->getReturnType());
    for (unsigned k = 0; k < b.results.size(); ++k)
        results = code.ir.CreateInsertValue(results, code.vector(scope[b.results[k]], 0), k);
    code.ir.CreateRet(results);
    code.leave()->eraseFromParent();
    return known;
}

std::optional<Values> SharedSides::call(const Block& b) {
    if (b.insts.size() < schedule::tuning::least_shared_side || !code_.lanes.vector() || !computes_only(b))
        return std::nullopt;
    const auto outside = this->outside(b);
    if (!outside) return std::nullopt;
    llvm::Function* function = this->function(b, *outside);
    std::vector<Few> parts(b.results.size());
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        Few arguments;
        for (ir::Local local : outside->parameters) arguments.push_back(code_.vector(scope_[local], p));
        llvm::Value* results = code_.ir.CreateCall(function, arguments);
        for (unsigned k = 0; k < parts.size(); ++k) parts[k].push_back(code_.ir.CreateExtractValue(results, k));
    }
    Values values;
    for (std::size_t k = 0; k < parts.size(); ++k)
        values.push_back(Value::varying(b.insts[b.results[k].index - scope_.size()].type(), std::move(parts[k])));
    return values;
}

}  // namespace sinter::emit
