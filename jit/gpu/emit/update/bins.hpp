// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The destinations of updates of which blocks have copies of their own.
///
/// If the order of updates does not show, atomic instructions change the copies (counted). Otherwise each warp has a copy to
/// itself; its threads note what they would update and apply their notes together: lanes with the same destination combine
/// their values in a tree, and the first of them updates. So the order is fixed by the extents alone.
#pragma once

#include "jit/emit/emitter.hpp"
#include "jit/gpu/emit/team/team.hpp"
#include "jit/gpu/emit/update/operator.hpp"
#include "schedule/ways/update_facts.hpp"

#include <vector>

namespace sinter::gpu {

using schedule::CapturedUpdate;

class Bins {
  public:
    /// `bins`: the number of destinations; `copies`: the number of copies of each. `counted`: atomic instructions update
    /// them.
    Bins(emit::Code& code, emit::Emitter& emitter, Builtins& builtins, Team& team, const CapturedUpdate& captured,
         llvm::Value* bins, llvm::Value* copies, bool counted);

    /// Executes the update of a point on a copy, or notes it.
    void update(emit::Emitter& emitter, const lower::Inst& inst);

    /// Sets all copies to the state in which nothing has been updated. To be called by all threads, like the functions
    /// below.
    void clear();
    void forget_note();
    void apply_note();
    /// Combines all copies and stores the results as the partial results of `chunk`.
    void store_partials(llvm::ArrayRef<llvm::Value*> arrays, llvm::Value* chunk);
    /// Adds the copies to the destinations atomically.
    void add_to_destinations();
    /// Combines the partial results of `chunks` chunks into destination `bin`, by one warp.
    void merge(llvm::ArrayRef<llvm::Value*> arrays, llvm::Value* chunks, llvm::Value* bin);

  private:
    void add(llvm::Value* pointer, llvm::Value* value);
    llvm::Type* kept_type(std::size_t k);
    llvm::Value* slot(std::size_t k, llvm::Value* copy, llvm::Value* bin);
    Few load(llvm::function_ref<llvm::Value*(std::size_t)> pointer);
    void store(const Few& values, llvm::function_ref<llvm::Value*(std::size_t)> pointer);
    Few all_copies(llvm::Value* bin);
    void each_bin(llvm::function_ref<void(llvm::Value*)> body);
    Few combine_peers(Few values, llvm::Value* peers);
    llvm::Value* lanes_below() { return ir.CreateSub(ir.CreateShl(ir.getInt32(1), team_.lane()), ir.getInt32(1)); }
    llvm::Value* lanes_through() { return ir.CreateSub(ir.CreateShl(ir.getInt32(2), team_.lane()), ir.getInt32(1)); }
    llvm::Value* count(llvm::Value* lanes) { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes); }
    llvm::Value* first_of(llvm::Value* lanes) {
        return ir.CreateIntrinsic(llvm::Intrinsic::cttz, {ir.getInt32Ty()}, {lanes, ir.getFalse()});
    }

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    emit::Emitter& e_;
    Builtins& builtins_;
    Team& team_;
    const CapturedUpdate& captured_;
    Operator op_;
    llvm::Value *bins_, *copies_, *copy_;
    const bool counted_;
    std::size_t values_;            ///< number of values of an element
    std::size_t kept_;              ///< the same, plus a flag if the operator has no neutral elements
    llvm::Value* noted_ = nullptr;  ///< memory of a thread: a flag that says if there is a note, its destination, its values
    llvm::Value* noted_bin_ = nullptr;
    std::vector<llvm::Value*> noted_values_;
};

}  // namespace sinter::gpu
