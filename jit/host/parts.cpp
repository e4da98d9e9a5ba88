// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/parts.hpp"

#include "jit/host/launch.hpp"
#include "schedule/tuning.hpp"

#include <utility>
#include <variant>

namespace sinter::host {

namespace {

class Parts final : public runtime::PartKernel {
  public:
    explicit Parts(Binding binding) : binding_(std::move(binding)), tile_(tile_of(binding_.tasks(), 0)) {
        const lower::Kernel& kernel = binding_.code->kernel();
        const std::int64_t extent = kernel.space.empty() ? 1 : binding_.sizes[kernel.space[0].index];
        const bool lanes = schedule::has_lanes_on_points(binding_.code->way(binding_.decision.choice.way));
        tile_.begin = 0, tile_.end = binding_.tasks().inner;
        columns_ = lanes && kernel.space.size() == 1;
        rows_ = columns_ ? 1 : binding_.tasks().row_count / extent;
        work_each_ = binding_.tasks().work / static_cast<double>(extent);
    }

    double work() const override { return binding_.tasks().work; }

    void launch(void* const* buffers, std::int64_t begin, std::int64_t end, bool kept,
                runtime::ErrorSlot& error) const override {
        const WayCode::Working working(*binding_.way_code, work_each_ * static_cast<double>(end - begin));
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, 1};
        emit::Arguments arguments = arguments_of(launch, binding_.tasks(), binding_.code->kernel());
        arguments.ordinary_stores = binding_.tasks().bypass && !kept ? 0 : -1;
        emit::Tile tile = tile_;
        (columns_ ? tile.begin : tile.row_begin) = begin * rows_;
        (columns_ ? tile.end : tile.row_end) = end * rows_;
        if (columns_) return binding_.way_code->kernel()(&arguments, &tile);
        // In strips: what the row before has loaded is still in the nearest cache.
        for (tile.begin = 0; tile.begin < tile_.end; tile.begin = tile.end) {
            const bool last = tile_.end - tile.begin < 2 * schedule::tuning::part_columns;
            tile.end = last ? tile_.end : tile.begin + schedule::tuning::part_columns;
            binding_.way_code->kernel()(&arguments, &tile);
        }
    }

  private:
    const Binding binding_;
    emit::Tile tile_;
    bool columns_;       ///< lanes go along the outermost axis itself
    std::int64_t rows_;  ///< per outermost index
    double work_each_;   ///< of an outermost index
};

}  // namespace

bool has_parts(const Binding& binding) {
    const schedule::Tasks& tasks = binding.tasks();
    const schedule::Way& way = binding.code->way(binding.decision.choice.way);
    const bool simple = std::holds_alternative<schedule::Points>(way) || std::holds_alternative<schedule::Squares>(way) ||
                        std::holds_alternative<schedule::RowsTogether>(way) ||
                        std::holds_alternative<schedule::Inner>(way) ||
                        (std::holds_alternative<schedule::RowBlocks>(way) && binding.code->kernel().space.size() > 1);
    return binding.has_parts && simple && tasks.points > 0 && !tasks.partial() && tasks.step == 0 &&
           tasks.task_bytes() == 0 && binding.code->facts().updates.empty();
}

std::unique_ptr<const runtime::PartKernel> make_parts(Binding binding) {
    return std::make_unique<const Parts>(std::move(binding));
}

}  // namespace sinter::host
