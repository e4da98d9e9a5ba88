// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/code.hpp"

#include "jit/emit/arch/instructions.hpp"
#include "jit/emit/llvm/metadata.hpp"
#include "support/check.hpp"

#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <utility>

namespace sinter::emit {

Code::Code(llvm::Function& function, const Machine& m) : ir(function.getContext()), machine(m), function_(function) {
    llvm::BasicBlock* entry = block();
    llvm::BasicBlock* start = block();
    loops_.emplace_back(entry);  // the whole function counts as a loop: its preheader takes whatever depends on nothing
    enter(entry);
    ir.CreateBr(start);
    leave_ = block_at(1);
    enter(leave_);
    ir.CreateRetVoid();
    depth_[start] = 1;
    enter(start);
}

llvm::Value* Code::slot(llvm::Type* type, std::int64_t count) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> at(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    auto* memory = at.CreateAlloca(count == 1 ? type : llvm::ArrayType::get(type, static_cast<std::uint64_t>(count)));
    if (count > 1) memory->setAlignment(llvm::Align(64));
    return memory;
}

llvm::Value* Code::slot_of(llvm::Constant* initial) {
    llvm::Value* memory = slot(initial->getType());
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<>(&entry, entry.getFirstNonPHIOrDbgOrAlloca()).CreateStore(initial, memory);
    return memory;
}

llvm::Type* Code::memory_type(Scalar s) { return s == Scalar::boolean ? ir.getInt8Ty() : type(s); }

// ---- blocks ----

llvm::BasicBlock* Code::block_at(std::size_t depth) {
    auto* result = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
    depth_[result] = static_cast<unsigned>(depth);
    return result;
}

llvm::BasicBlock* Code::block() { return block_at(loops_.size()); }

void Code::loop(llvm::Value* lo, llvm::Value* hi, std::int64_t step, Few& carried,
                llvm::function_ref<void(llvm::Value*)> body) {
    when(ir.CreateICmpSLT(lo, hi), carried, [&] {
        Few variables = carried;
        variables.push_back(lo);
        loop_while(variables, [&] {
            llvm::Value* i = variables.pop_back_val();
            carried = variables;
            body(i);
            variables = carried;
            llvm::Value* next = ir.CreateNSWAdd(i, i64(step));
            variables.push_back(next);
            return ir.CreateICmpSLT(next, hi);
        });
        variables.pop_back();
        carried = variables;
    });
}

llvm::SmallVector<llvm::PHINode*, 8> Code::open_loop(Few& carried) {
    llvm::BasicBlock* preheader = block();
    ir.CreateBr(preheader);
    enter(preheader);
    loops_.emplace_back(preheader);
    llvm::BasicBlock* header = block();
    ir.CreateBr(header);
    enter(header);
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (auto& value : carried) {
        phis.push_back(ir.CreatePHI(value->getType(), 2));
        phis.back()->addIncoming(value, preheader);
        value = phis.back();
    }
    return phis;
}

void Code::close_loop(llvm::ArrayRef<llvm::PHINode*> phis, const Few& next, llvm::BasicBlock* latch) {
    for (std::size_t k = 0; k < phis.size(); ++k) phis[k]->addIncoming(next[k], latch);
    loops_.pop_back();
}

void Code::loop_while(Few& carried, llvm::function_ref<llvm::Value*()> body) {
    const auto phis = open_loop(carried);
    llvm::BasicBlock* header = ir.GetInsertBlock();
    llvm::Value* again = body();
    llvm::BasicBlock* latch = ir.GetInsertBlock();
    close_loop(phis, carried, latch);
    llvm::BasicBlock* exit = block();
    ir.CreateCondBr(again, header, exit);
    enter(exit);
    for (auto& value : carried) {  // what follows the loop must not seem to depend on its inside
        auto* phi = ir.CreatePHI(value->getType(), 1);
        phi->addIncoming(value, latch);
        value = phi;
    }
}

void Code::loop_from_top(Few& carried, llvm::function_ref<llvm::Value*()> condition, llvm::function_ref<void()> body) {
    const auto phis = open_loop(carried);
    llvm::BasicBlock* header = ir.GetInsertBlock();
    const Few at_top = carried;
    llvm::Value* again = condition();
    llvm::BasicBlock *test = ir.GetInsertBlock(), *inside = block(), *exit = block_at(loops_.size() - 1);
    ir.CreateCondBr(again, inside, exit);
    enter(inside);
    body();
    close_loop(phis, carried, ir.GetInsertBlock());
    ir.CreateBr(header);
    enter(exit);
    for (std::size_t k = 0; k < carried.size(); ++k) {
        auto* phi = ir.CreatePHI(carried[k]->getType(), 1);
        phi->addIncoming(at_top[k], test);
        carried[k] = phi;
    }
}

void Code::when(llvm::Value* condition, Few& carried, llvm::function_ref<void()> then, bool likely) {
    llvm::BasicBlock* from = ir.GetInsertBlock();
    llvm::BasicBlock* inside = block();
    llvm::BasicBlock* join = block();
    auto* weights = likely ? nullptr : unlikely(ir.getContext());
    ir.CreateCondBr(condition, inside, join, weights);
    enter(inside);
    const Few before = carried;
    then();
    llvm::BasicBlock* to = ir.GetInsertBlock();
    ir.CreateBr(join);
    enter(join);
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (carried[k] == before[k]) continue;
        auto* phi = ir.CreatePHI(before[k]->getType(), 2);
        phi->addIncoming(before[k], from);
        phi->addIncoming(carried[k], to);
        carried[k] = phi;
    }
}

Few Code::either(llvm::Value* condition, llvm::function_ref<Few()> then, llvm::function_ref<Few()> otherwise) {
    llvm::BasicBlock *inside = block(), *other = block(), *join = block();
    ir.CreateCondBr(condition, inside, other);
    enter(inside);
    Few a = then();
    llvm::BasicBlock* from_a = ir.GetInsertBlock();
    ir.CreateBr(join);
    enter(other);
    const Few b = otherwise();
    llvm::BasicBlock* from_b = ir.GetInsertBlock();
    ir.CreateBr(join);
    enter(join);
    for (std::size_t k = 0; k < a.size(); ++k) {
        auto* phi = ir.CreatePHI(a[k]->getType(), 2);
        phi->addIncoming(a[k], from_a);
        phi->addIncoming(b[k], from_b);
        a[k] = phi;
    }
    return a;
}

void Code::fence_on_leaving(llvm::Value* ordinary) {
    if (std::exchange(fenced_, true)) return;
    const auto here = ir.saveIP();
    llvm::Instruction* end = leave_->getTerminator();
    end->eraseFromParent();
    enter(leave_);
    Few none;
    when(ir.CreateIsNull(ordinary), none, [&] { store_fence(ir); });
    ir.CreateRetVoid();
    ir.restoreIP(here);
}

// ---- pure instructions ----

int Code::depth_of(llvm::Value* value) const {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction ? static_cast<int>(depth_.lookup(instruction->getParent())) : 0;
}

llvm::Value* Code::pure(llvm::ArrayRef<llvm::Value*> operands, llvm::function_ref<llvm::Value*()> make) {
    std::size_t depth = 0;
    for (llvm::Value* v : operands) depth = std::max(depth, static_cast<std::size_t>(depth_of(v)));
    if (depth >= loops_.size()) return make();
    const auto here = ir.saveIP();
    ir.SetInsertPoint(loops_[depth].preheader->getTerminator());
    llvm::Value* result = make();
    ir.restoreIP(here);
    return result;
}

Value Code::apply(Scalar result, llvm::ArrayRef<const Value*> args,
                  llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> make) {
    std::size_t rows = 1;
    bool uniform = true;
    for (const Value* v : args) {
        uniform = uniform && v->is_lane_uniform();
        rows = std::max(rows, v->scalars.size());
    }
    const bool stays = !uniform && result == Scalar::boolean && !machine.mask_registers;
    Few results, operands(args.size());
    for (int p = 0; p < (uniform ? static_cast<int>(rows) : lanes.parts()); ++p) {
        const auto row = static_cast<std::size_t>(p);
        for (std::size_t k = 0; k < args.size(); ++k)
            operands[k] = !uniform ? vector(*args[k], p) : args[k]->scalars[args[k]->scalars.size() == 1 ? 0 : row];
        results.push_back(stays ? make(operands) : pure(operands, [&] { return make(operands); }));
    }
    return uniform ? Value{result, results, nullptr, nullptr, {}, 64} : Value::varying(result, results);
}

namespace {

bool is_number(llvm::Value* v, std::uint64_t number) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v);
    return constant && constant->getZExtValue() == number;
}

}  // namespace

llvm::Value* Code::add(llvm::Value* a, llvm::Value* b) {
    if (is_number(b, 0)) return a;
    if (is_number(a, 0)) return b;
    return pure({a, b}, [&] { return ir.CreateAdd(a, b); });
}
llvm::Value* Code::sub(llvm::Value* a, llvm::Value* b) {
    return pure({a, b}, [&] { return ir.CreateSub(a, b); });
}
llvm::Value* Code::mul(llvm::Value* a, llvm::Value* b) {
    if (is_number(a, 0) || is_number(b, 1)) return a;
    if (is_number(b, 0) || is_number(a, 1)) return b;
    return pure({a, b}, [&] { return ir.CreateMul(a, b); });
}

// ---- lanes ----

llvm::Constant* Code::lane_numbers(llvm::Type* element, std::int64_t factor) {
    llvm::SmallVector<llvm::Constant*, 32> numbers;
    for (int lane = 0; lane < lanes.width; ++lane)
        numbers.push_back(llvm::ConstantInt::get(element, lane * static_cast<std::uint64_t>(factor), true));
    return llvm::ConstantVector::get(numbers);
}

llvm::Value* Code::splat(llvm::Value* s) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(s))
        return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(static_cast<unsigned>(lanes.width)), constant);
    const auto width = static_cast<unsigned>(lanes.width);
    const auto depth = static_cast<std::size_t>(depth_of(s));
    if (depth >= loops_.size()) return ir.CreateVectorSplat(width, s);
    auto& cached = loops_[depth].splats[llvm::Log2_32(width)][s];
    if (!cached) cached = pure({s}, [&] { return ir.CreateVectorSplat(width, s); });
    return cached;
}

llvm::Value* Code::scalar(const Value& value, int p) {
    const int row = p / lanes.columns, column = p % lanes.columns;
    llvm::Value* base = value.scalars[value.scalars.size() == 1 ? 0 : static_cast<std::size_t>(row)];
    if (!value.is_affine() || column == 0) return base;
    return add(base, mul(value.part_stride, i64(column)));
}

llvm::Value* Code::vector(const Value& value, int p) {
    if (value.is_varying()) return value.parts[static_cast<std::size_t>(p)];
    llvm::Value* base = scalar(value, p);
    if (value.type == Scalar::boolean && !machine.mask_registers && !llvm::isa<llvm::Constant>(base)) {
        auto* lane = ir.getIntNTy(static_cast<unsigned>(lane_bits()));
        return narrow(splat(pure({base}, [&] { return ir.CreateSExt(base, lane); })));
    }
    if (!value.is_affine()) return splat(base);
    llvm::Value* steps = nullptr;
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value.lane_stride)) {
        steps = lane_numbers(ir.getInt64Ty(), constant->getSExtValue());
    } else {
        steps = mul(splat(value.lane_stride), lane_numbers(ir.getInt64Ty()));
    }
    return add(splat(base), steps);
}

Value Code::make_varying(const Value& value) {
    if (value.is_varying()) return value;
    Few parts;
    for (int p = 0; p < lanes.parts(); ++p) parts.push_back(vector(value, p));
    return Value::varying(value.type, parts, value.bits);
}

Value Code::lane_index(llvm::Value* first) {
    Value index = Value::index(first);
    index.lane_stride = i64(1);
    index.part_stride = i64(lanes.width);
    return index;
}

// ---- masks ----

llvm::Type* Code::wide_type() {
    if (machine.mask_registers) return vector_of(ir.getInt1Ty());
    return vector_of(ir.getIntNTy(static_cast<unsigned>(lane_bits())));
}

llvm::Value* Code::wide(llvm::Value* narrow) {
    if (machine.mask_registers) return narrow;
    // Frozen, so that the i1 vector is not recognised behind it in another block.
    llvm::Value* lanes_wide = ir.CreateSExt(narrow, wide_type());
    return llvm::isa<llvm::Constant>(lanes_wide) ? lanes_wide : ir.CreateFreeze(lanes_wide);
}

llvm::Value* Code::narrow(llvm::Value* wide) {
    if (machine.mask_registers) return wide;
    return ir.CreateICmpSLT(wide, llvm::Constant::getNullValue(wide->getType()));
}

llvm::Value* Code::any(llvm::ArrayRef<llvm::Value*> masks) {
    llvm::Value* all = masks[0];
    for (llvm::Value* m : masks.drop_front()) all = ir.CreateOr(all, m);
    if (!all->getType()->isVectorTy()) return all;
    const unsigned width = llvm::cast<llvm::FixedVectorType>(all->getType())->getNumElements();
    llvm::Value* bits = ir.CreateBitCast(all, ir.getIntNTy(width));
    return ir.CreateIsNotNull(bits);
}

Few Code::to_phi(const Value& value) {
    if (!value.is_varying()) return value.scalars;
    Few result = value.parts;
    if (value.type == Scalar::boolean)
        for (auto& part : result) part = wide(part);
    return result;
}

Value Code::from_phi(Scalar type, llvm::ArrayRef<llvm::Value*> values, int bits) {
    Few parts(values.begin(), values.end());
    if (!parts[0]->getType()->isVectorTy()) return {type, parts, nullptr, nullptr, {}, bits};
    if (type == Scalar::boolean)
        for (auto& part : parts) part = narrow(part);
    return Value::varying(type, parts, bits);
}

}  // namespace sinter::emit
