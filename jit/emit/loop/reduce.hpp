// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits one reduce instruction.
#pragma once

#include "jit/emit/body/emitter.hpp"
#include "jit/emit/code/scalar_ops.hpp"

namespace sinter::emit {

class Reduction {
  public:
    Reduction(Emitter& emitter, const Inst& inst);
    Values emit();
    /// In the register tile being emitted.
    Values tiled(const TileLoop& loop);
    std::vector<Few> kept_rows(const TileLoop& loop, llvm::Value* memory);

    Values init();
    Values combine(const Values& a, const Values& b);
    Values varying(const Values& values);
    Few pack(const Values& values);
    Values unpack(llvm::ArrayRef<llvm::Value*> flat, int parts);

    bool has_neutral() const { return neutral_.has_value(); }
    bool commutative() const { return commutative_; }
    std::size_t count() const { return inst_.types.size(); }
    llvm::Value* extent(std::size_t axis);
    /// The neutral elements, or anything where there are none.
    Values nothing();

  private:
    friend class Scan;
    friend class Tiles;
    struct Maybe {
        Values values;
        Value there;  ///< boolean; not used with neutral elements
    };
    bool is_chunked() const;
    llvm::Value* lo(std::size_t axis);
    llvm::Value* hi(std::size_t axis);
    Values one_lane(Values loaded, const Values& like);
    Values append(llvm::Value* has, const Values& a, const Values& b);
    void outer_loops(std::size_t axes, Values& indices, Few& carried, llvm::function_ref<void()> inner);
    Values complete(const Values& total, llvm::Value* has);

    Few tiled_start();
    void keep_sums(const Few& sums);
    Few sum_pointers();
    Prepared kept(const TileLoop& loop, llvm::Value* record, const std::vector<Few>& rows, const Values& indices);

    Values sequential();
    Few start(const std::vector<Pattern>& states, llvm::Value* has);
    Values as(Values values, const std::vector<Pattern>& states);

    struct Accumulators;
    Values interleaved(const Lanes& lanes);
    Accumulators accumulators(const Lanes& lanes);
    void accumulate(Accumulators& a, Stage stage, const Values& element);
    Maybe total(const Accumulators& a);
    Maybe merge(const Maybe& a, const Maybe& b);
    Value lanes_of(const Value& v, int from, int step);
    Maybe combine_lanes(Maybe all, int width);
    Maybe combine_parts(const Values& accumulators);

    Values in_blocks();
    Values combine_columns(Values all);

    Values ordered(Lanes lanes);
    void ordered_row(const Lanes& lanes, const Values& indices, Few& carried);
    Values fold_blocks(const Lanes& lanes, const Values& indices, const Prepared& prepared, llvm::Value* first,
                       llvm::Value* length);
    Values combine_all_lanes(Values all, int width);

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    std::size_t rank_;
    std::optional<std::vector<std::uint64_t>> neutral_;
    bool commutative_;
};

}  // namespace sinter::emit
