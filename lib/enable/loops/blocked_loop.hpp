// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes a loop over blocks of steps (blocked_steps.hpp) in place of one over steps.
#pragma once

#include "enable/loops/box_step.hpp"
#include "enable/loops/decided.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"

namespace sinter::enable {

class BlockedLoop : public ir::Rebuilder {
  protected:
    /// `binding`: the loop, with old names. Returns the matrix after the loop.
    ir::ValueId write_blocked(ir::Binding& binding, const BoxStep& step);
    ir::SizeId size_of(ir::ValueId number) override;

  private:
    using Ids = std::vector<ir::ValueId>;
    using Locals = std::vector<ir::Local>;
    /// Where a part of the matrix begins along an axis.
    struct Start {
        ir::ValueId behind;  ///< the counter, or the end of the block of steps
        std::int64_t more = 0;
    };
    /// A part of a step's box, up to the end of the panel or of the matrix, or its first column alone.
    struct Part {
        std::array<Start, 2> start;
        std::array<ir::SizeId, 2> shape;
        bool is_column = false;
    };
    /// The iterations of a block.
    struct Block {
        ir::ValueId first, end;
    };
    /// What the function of an element is given: `row` and `column` are its place in the step's box, where that is used.
    struct Given {
        ir::Local counter, own, row, column;
        Locals vectors, scalars, outside;
    };

    std::vector<ir::Type> states(const ir::Type& matrix);
    ir::Body block(ir::Loop& loop, const std::vector<ir::Type>& types, ir::ValueId count);
    ir::Body panel_step(ir::Loop& loop, const std::vector<ir::Type>& types, const Block& block);
    void write_known(ir::Body& body);
    Ids keep_known(const Ids& states, ir::ValueId step, ir::ValueId counter);
    ir::ValueId update(ir::ValueId matrix, const Part& part, const Block& block, ir::ValueId step, ir::ValueId counter,
                       const Ids& kept);
    ir::Fn element_of_part(const Part& part, ir::Scalar type);
    ir::ValueId rest(const Ids& states, const Block& block, ir::ValueId steps);
    ir::Fn element_of_rest(ir::Scalar type);
    static ir::Local loop_under_condition(ir::BlockBuilder& to, ir::Block step, ir::Local count, ir::Local own);
    void decide(const Given& given);
    std::vector<Part> parts_of_step(const ir::Type& matrix, ir::ValueId counter, ir::ValueId end);
    ir::Local element(ir::BlockBuilder& to, ir::ValueId id, const Given& given);
    ir::Local scalar(ir::ValueId id, const Given& given) const;

    ir::ValueId overwrite(ir::ValueId matrix, const std::array<Start, 2>& start, ir::ValueId values);
    ir::ValueId slice(ir::ValueId array, ir::Shape start, ir::Shape shape);
    ir::SizeId size(const Start& start);
    Ids parameters(Nest& nest, const std::vector<ir::Type>& types);
    ir::ValueId emit(ir::ArrayOp op, ir::Type type) { return append({std::move(op), {std::move(type)}, site_}); }
    ir::ValueId of_scalars(ir::Op op, ir::ValueId a, ir::ValueId b);
    ir::ValueId of_scalar(ir::Op op, ir::ValueId a, std::int64_t b);
    bool needs_steps() const { return step_->uses_counter || step_->uses_place; }

    /// The counter of a step of a panel, and what it is the sum of, so that sizes tell their bounds.
    struct Counter {
        ir::ValueId id, first, step;
    };

    const BoxStep* step_ = nullptr;
    const ir::Body* body_ = nullptr;
    std::optional<Counter> counter_;  ///< in a panel
    std::size_t base_ = 0;            ///< the old level of the body's first parameter
    ir::SiteId site_;
    std::unordered_map<ir::ValueId, ir::Local> made_;  ///< in the function that is being written
    Decided decided_;                                  ///< the same
};

}  // namespace sinter::enable
