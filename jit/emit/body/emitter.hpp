// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the instructions of a kernel for the lanes that are open.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/emit/code/code.hpp"
#include "jit/emit/code/variables.hpp"
#include "schedule/schedule.hpp"
#include "schedule/strips.hpp"

#include <llvm/ADT/SmallPtrSet.h>

#include <optional>
#include <vector>

namespace sinter::emit {

using lower::Block;
using lower::Inst;
using schedule::Pattern;
using schedule::RegisterTile;
using schedule::RowBlocks;
using schedule::Squares;
using schedule::StatePatterns;
using schedule::TileLoop;

/// Results of the instructions of a block that were emitted before its lane loop because no lane matters to them.
using Prepared = std::vector<std::optional<Values>>;

/// What an entry does.
enum class Part : std::uint8_t {
    tile,    ///< executes a tile
    finish,  ///< combines partial results instead of reducing, and executes what follows
    chain,   ///< of a scan: combines what comes before a chunk with the chunk's total
};

/// A reduce, scan or compact that tiles may execute in parts: the only loop of the body, its extents depend on sizes alone.
struct Chunked {
    const Inst* reduce = nullptr;
    Part part = Part::tile;
    bool lanes_on_points = false;
    Value row;                               ///< row-major index of the row's first point (lanes on points) or of the point
    llvm::BasicBlock* point_done = nullptr;  ///< where a tile goes after storing its partial results
};

/// The register tile being emitted.
struct InTile {
    const RegisterTile* plan = nullptr;
    std::vector<llvm::Value*> of_columns, of_rows;  ///< by loop: where its values are kept
    llvm::Value* sums = nullptr;                    ///< where the accumulators of the columns are, by row of the tile
    Value place;                                    ///< of the rows among those of the tile
};

/// A loop of a block over its last parameter, [lo, hi). `params` are the others.
struct LaneLoop {
    const Block& block;
    Values params;
    llvm::Value *lo, *hi;
};

/// A comparison of an index that grows by one from lane to lane with a number that does not change.
struct Turn {
    std::size_t inst;  ///< its position in the block
    Value index;       ///< for lane 0
    Value bound;
    bool index_first;  ///< of the operands
};

/// Where in a lane loop no index reaches a border: instructions that clamp or check an index which grows by one from lane
/// to lane do nothing for indices in [lo, hi).
struct Interior {
    llvm::Value *lo, *hi;
    llvm::SmallPtrSet<const Inst*, 8> idle = {};  ///< these, whose result is their first affine operand, or true
    llvm::SmallVector<Turn, 4> turns = {};        ///< comparisons, `inside` too: what turns over at few indices
};

/// The parts of a lane loop: unrolled, then for the rest either whole vectors and one under a mask, or one by one.
enum class Stage : std::uint8_t { main, whole, masked, single };

/// Instructions that a target executes its own way.
class Special {
  public:
    virtual ~Special() = default;
    /// The results of `inst`; nothing if it is emitted as everywhere.
    virtual std::optional<Values> emit(const Inst& inst) = 0;
};

class Emitter {
  public:
    Emitter(Code& code, const lower::Kernel& kernel, llvm::Value* arguments, llvm::Value* tile)
        : code_(code), ir(code.ir), kernel_(kernel), arguments_(arguments), tile_(tile) {}

    Chunked chunked;
    InTile in_tile;
    Special* special = nullptr;                       ///< asked first
    const schedule::LoopLanes* loop_lanes = nullptr;  ///< null: no loop has lanes

    /// The results of a block with these parameters.
    Values block(const Block& b, const Values& params, const Prepared* prepared = nullptr);

    using Use = llvm::function_ref<void(Stage stage, const Values& results)>;
    /// Executes the loop `lanes` wide. `use` gets the results of each execution of the block and may change the
    /// variables `carried`, which have one set of values through all stages.
    void lane_loop(const LaneLoop& loop, const Lanes& lanes, Few& carried, Use use);
    /// The loop for its effects.
    void for_lanes(const LaneLoop& loop, const schedule::Lanes& lanes);
    /// Maps that read against the grain; both ranges are at least as long as a square.
    void in_squares(const Values& outer, llvm::Value* begin, llvm::Value* end, llvm::Value* lo, llvm::Value* hi,
                    const Squares& squares);
    /// The loop, over at least as many rows as there are lanes, for its effects; loops inside in blocks (row_blocks.hpp).
    void row_groups(const LaneLoop& loop, const RowBlocks& blocks);
    /// How a loop of the kernel that no lanes surround runs.
    const schedule::Lanes& lanes_of(const Inst& loop) const;

    // Fields of the argument blocks and the kernel's tables, loaded once.
    llvm::Value* argument(std::size_t offset, llvm::Type* type);
    llvm::Value* tile(std::size_t offset);
    llvm::Value* size(std::size_t index);
    llvm::Value* size(ir::SizeId id) { return size(id.index); }

    /// Known without the argument block.
    void bind_size(std::size_t index, llvm::Value* value) { fields_[index | 1u << 17] = value; }
    void bind_buffers(std::vector<llvm::Value*> pointers) { buffers_ = std::move(pointers); }

    const Value& operand(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }
    llvm::Value* element_pointer(std::size_t buffer, llvm::Value* offset);
    Value load_element(std::size_t buffer, llvm::Value* offset);
    void store_element(std::size_t buffer, llvm::Value* offset, llvm::Value* value);

    Value index(llvm::Value* i) { return Value::uniform(Scalar::i64, i, index_bits); }
    /// Indices and sizes are below 2^47: the launcher sees to it.
    static constexpr int index_bits = 47;

  private:
    friend class Reduction;
    friend class Partials;
    friend class Scan;
    friend class Tiles;
    friend class WithColumns;
    using Operands = llvm::SmallVector<const Value*, 4>;

    Values emit(const Inst& inst);
    std::vector<Pattern> patterns() const;
    /// `value` as a variable of pattern `p`: scalars (one a row if there are rows) or vectors.
    Value as(const Value& value, const Pattern& p);

    // arithmetic.cpp
    Value constant(const Inst& inst);
    Value pure(const Inst& inst);
    Value affine_sum(const Value& a, const Value& b, bool subtract);
    std::optional<Value> affine_product(const Value& a, const Value& b);
    std::optional<Value> affine_cast(const Inst& inst, const Value& x);
    std::optional<Value> affine_division(const Inst& inst, const Value& a, const Value& b);
    std::optional<Value> affine_comparison(const Inst& inst, const Value& a, const Value& b);
    std::optional<Value> affine_inside(const Inst& inst, const Value& index, const Value& extent);
    std::optional<Value> index_arithmetic(const Inst& inst);
    std::optional<Value> affine_form(const Inst& inst);

    // quotient.cpp
    std::optional<Value> quotient(const Inst& inst);
    std::optional<Value> long_division(const Inst& inst, const ScalarOp& op);

    // memory.cpp
    Value load(const Inst& inst);
    void store(const Inst& inst) { store(inst, operand(inst, 0), operand(inst, 1)); }
    void store(const Inst& inst, const Value& offset, const Value& value);
    llvm::Value* buffer(std::size_t index);
    llvm::Value* local_buffer(std::size_t index);
    llvm::Value* row_stride(llvm::Value* length, Scalar type);
    llvm::Value* pointer_of_sum(std::size_t index, llvm::BinaryOperator* sum);
    llvm::LoadInst* unchanging(const Inst& inst, llvm::LoadInst* load);
    llvm::Value* load_contiguous(const Inst& inst, const Value& offset, int p);
    llvm::Value* load_gathered(const Inst& inst, const Value& offset, int p);
    llvm::Value* local_pointer(std::size_t buffer, const Value& offset, int p);
    Value load_local(const Inst& inst, const Value& offset);
    llvm::Value* load_scalar(const Inst& inst, llvm::Value* offset);
    llvm::Value* lane_of(llvm::Value* vector, int lane);
    bool store_nontemporal(const Inst& inst, const Value& offset, const Few& parts);
    void store_part(std::size_t buffer, const Value& offset, llvm::Value* value, int p);
    Few where_full(llvm::function_ref<Few()> emit_lanes);
    void store_scattered(std::size_t buffer, const Value& offset, llvm::Value* value, int p);
    llvm::Value* part_pointer(std::size_t buffer, const Value& offset, int p, std::int64_t lane_shift);

    // checks.cpp
    Value check_index(const Inst& inst);
    bool in_line(const Value& index) const;
    void check_lanes(const Inst& inst, const Value& index, const Value& extent);
    llvm::Value* suspicious(const Value& index, llvm::Value* extent);
    Value check_divisor(const Inst& inst);
    Value expect(const Inst& inst);
    Value print(const Inst& inst);
    void call_print(const Inst& inst, llvm::ArrayRef<llvm::Value*> values);
    void fail_if(llvm::Value* bad, llvm::function_ref<void()> report);
    void report(const Inst& inst, llvm::Value* first, llvm::Value* stride, llvm::Value* count, llvm::Value* extent);
    void report_lanes(const Inst& inst, llvm::ArrayRef<llvm::Value*> bad, const Value* index, const Value* extent);

    // control.cpp
    Values cond(const Inst& inst);
    Values uniform_cond(const Inst& inst, const StatePatterns& patterns);
    Values flat_cond(const Inst& inst);
    Values divergent_cond(const Inst& inst);
    void effects_where(const Inst& inst);
    Values masked_side(const Block& b, const Few& mask);
    Few all_lanes();
    Few mask_and(const Few& mask, const Value& condition, bool negated);

    // loops.cpp
    class Kept;
    class DivergentLoop;
    Values while_loop(const Inst& inst);
    Values for_loop(const Inst& inst);
    Values uniform_while(const Inst& inst, const StatePatterns& patterns);
    Values uniform_for(const Inst& inst, const StatePatterns& patterns);
    Values divergent_loop(const Inst& inst, const StatePatterns& patterns);

    // strips.cpp
    class StripLoop;
    Values strips_for(const Inst& inst, const StatePatterns& patterns, const schedule::Strips& strips);

    // lanes.cpp
    void one_by_one(const LaneLoop& loop, std::int64_t together);
    /// `behind`: parameters of the block that follow the lane's index, and are not known before the loop.
    Prepared prepare(const Block& b, const Values& params, Interior* interior = nullptr, std::size_t behind = 0);
    std::optional<Value> at_lane_zero(const Inst& inst, Interior& interior);
    void vectors(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use);
    llvm::Value* main_vectors(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi,
                              const Prepared& prepared, Few& carried, Use use);
    llvm::Value* whole_vectors(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, const Prepared& prepared,
                               Few& carried, Use use);
    void rest_of_loop(const LaneLoop& loop, const Lanes& lanes, bool single, llvm::Value* lo, llvm::Value* hi,
                      const Prepared& prepared, Few& carried, Use use);
    bool is_known(const Inst& inst) const;
    void point(const LaneLoop& loop, const Value& index, const Prepared& prepared, Stage stage, Use use);
    Few tail_mask(llvm::Value* remaining);

    // borders.cpp
    bool is_repeatable(const Block& b) const;
    void between_borders(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);
    /// `vector` for lo, lo + width, ..., in order, [lo, hi) being whole vectors; those in the interior without what is idle.
    void ordered_vectors(llvm::Value* lo, llvm::Value* hi, std::int64_t width, const Interior& interior, Few& carried,
                         llvm::function_ref<void(llvm::Value*)> vector);

    // pieces.cpp
    void note_turn(const Inst& inst, std::size_t position, Interior& interior);
    bool is_piecewise(const Block& b, const Interior& interior) const;
    void piece_by_piece(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);
    Few turning_points(const Block& b, const Interior& interior);
    Value turned(const Inst& inst, const Turn& turn, llvm::Value* index);

    // scan.cpp, compact.cpp, update.cpp
    Values scan(const Inst& inst);
    Values compact(const Inst& inst);
    void update(const Inst& inst);
    void update_neighbours(const Inst& inst);
    void update_elements(const Inst& inst, const Few& offsets, const Values& right);
    void update_in_turn(const Inst& inst);
    llvm::Value* in_memory(const Value& value);
    Value or_spare(std::size_t buffer, const Value& offset);
    Value load_neighbours(std::size_t buffer, const Value& offset);
    llvm::Value* compact_range(const Inst& inst, llvm::Value* lo, llvm::Value* hi);

    // transpose.cpp
    int square_side(const Value& offset, int bytes) const;
    Few lane_pointers(std::size_t buffer, const Value& offset, int column);
    Value load_transposed(const Inst& inst, const Value& offset);
    Value load_rows_transposed(const Inst& inst, const Value& offset);
    Few squares_of_lanes(const Inst& inst, const Few& pointers, int side);
    bool store_transposed(const Inst& inst, const Value& offset, const Few& parts);

    // squares.cpp
    void square(const Values& outer, llvm::Value* row, llvm::Value* column, const Squares& squares);

    // row_blocks.cpp
    void blocks(const Inst& inst, const Values& outer, Few& carried, llvm::function_ref<void(const Values&)> use);

    // reduce.cpp
    Values reduce(const Inst& inst);
    void for_each(const Inst& inst);
    Values finish(const Inst& inst);

    Code& code_;
    llvm::IRBuilder<>& ir;
    const lower::Kernel& kernel_;
    llvm::Value *arguments_, *tile_;
    std::vector<Value> env_;
    llvm::SmallPtrSet<const Inst*, 8> idle_;           ///< instructions known to return their affine operand
    llvm::SmallPtrSet<const Inst*, 4> against_grain_;  ///< loads of one square
    std::vector<bool> used_;                           ///< which results of the instruction being emitted are used
    llvm::DenseMap<std::uint64_t, llvm::Value*> fields_;
    std::vector<llvm::Value*> buffers_;
    int local_lanes_ = 1;                              ///< rows that share the memory of local buffers
    bool in_rows_ = false;                             ///< loops take blocks
    const schedule::StripsOfLoops* strips_ = nullptr;  ///< of the loops that rows go through together
};

/// Lanes of one column become lanes of as many columns, and every value known before is the same in all of them.
class WithColumns {
  public:
    WithColumns(Emitter& emitter, int columns);
    ~WithColumns();
    WithColumns(const WithColumns&) = delete;
    WithColumns& operator=(const WithColumns&) = delete;

  private:
    Emitter& e_;
    std::vector<Value> saved_;
};

}  // namespace sinter::emit
