// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/index/gathered_folds.hpp"

#include "enable/slices/lift_function.hpp"
#include "ir/rebuild.hpp"
#include "opt/uses.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::enable {

using namespace ir;

namespace {

class GatheredFolds : public Rebuilder {
  public:
    /// Moves gathers where one of `holding` says so.
    GatheredFolds(const Program& program, std::span<const Wish> holding)
        : uses_(opt::use_counts(program)), holding_(holding) {}

    std::vector<Wish> take() { return std::move(wishes_); }

  private:
    struct Made {
        std::size_t level;  ///< of its first result
        std::size_t depth;  ///< of its body
        Fold fold;
        Shape shape;
    };

    void open() override { ++depth_; }
    void close() override {
        --depth_;
        while (!folds_.empty() && folds_.back().depth > depth_) folds_.pop_back();
    }

    bool before_renaming(Binding& binding) override {
        const std::vector<std::size_t>& uses = uses_[&binding];
        used_once_ = std::all_of(uses.begin(), uses.end(), [](std::size_t count) { return count == 1; });
        return true;
    }

    void binding(Binding&& binding) override {
        if (auto* gather = std::get_if<Gather>(&binding.op))
            if (const Made* made = source_of(*gather)) {
                wishes_.push_back({{}, binding.types[0].shape, made->shape});
                const bool holds = std::find(holding_.begin(), holding_.end(), wishes_.back()) != holding_.end();
                if (holds) binding.op = ArrayOp(fold_of_gather(*made, *gather, binding));
            }
        const std::size_t at = level();
        if (auto* fold = std::get_if<Fold>(&binding.op); fold && used_once_ && has_rank_0(*fold))
            folds_.push_back({at, depth_, *fold, binding.types[0].shape});
        keep(std::move(binding));
    }

    /// True if everything that its operator needs from outside is the same for all results.
    bool has_rank_0(const Fold& fold) const {
        auto scalar = [&](ValueId id) { return type(id).rank() == 0; };
        return std::all_of(fold.inits.begin(), fold.inits.end(), scalar) &&
               std::all_of(fold.captures.scalars.begin(), fold.captures.scalars.end(), scalar);
    }

    /// The fold whose results are the gather's sources, if it is executed as often as the gather.
    const Made* source_of(const Gather& gather) const {
        for (const Made& made : folds_) {
            bool same = made.depth == depth_ && !made.shape.empty() && gather.sources.size() == made.fold.args.size();
            for (std::size_t k = 0; same && k < gather.sources.size(); ++k) same = gather.sources[k].index == made.level + k;
            if (same) return &made;
        }
        return nullptr;
    }

    /// The elements of the new fold are indexed like the gather's results, then by the reduced axes.
    Fold fold_of_gather(const Made& made, const Gather& gather, const Binding& binding) {
        Shape shape = binding.types[0].shape;
        const std::size_t outer = shape.size();
        const Shape elements = type(made.fold.args[0]).shape;
        for (std::size_t axis : made.fold.axes) shape.push_back(elements[axis]);
        Gather rows;
        std::size_t kept = 0, reduced = outer;
        for (std::size_t axis = 0; axis < elements.size(); ++axis) {
            const bool is_reduced = std::binary_search(made.fold.axes.begin(), made.fold.axes.end(), axis);
            rows.indices.push_back(is_reduced ? position(shape, reduced++, binding.site)
                                              : spread(gather.indices[kept++], shape, outer, binding.site));
        }
        rows.sources = made.fold.args;
        std::vector<Type> types;
        for (ValueId source : rows.sources) types.push_back({type(source).scalar, shape});
        Fold fold = made.fold;
        const ValueId first = append({std::move(rows), std::move(types), binding.site});
        for (std::size_t k = 0; k < fold.args.size(); ++k) fold.args[k] = ValueId(first.index + k);
        for (std::size_t k = 0; k < fold.axes.size(); ++k) fold.axes[k] = outer + k;
        return fold;
    }

    ValueId position(const Shape& shape, std::size_t axis, SiteId site) {
        return append({Map{index_fn(shape.size(), axis), {}, {}, true}, {{Scalar::i64, shape}}, site});
    }

    ValueId spread(ValueId indices, const Shape& shape, std::size_t axes, SiteId site) {
        Broadcast broadcast;
        broadcast.axes.resize(axes);
        std::iota(broadcast.axes.begin(), broadcast.axes.end(), std::size_t{0});
        return append({View{indices, std::move(broadcast), {}}, {{Scalar::i64, shape}}, site});
    }

    opt::UseCounts uses_;
    std::span<const Wish> holding_;
    std::vector<Wish> wishes_;
    std::size_t depth_ = 0;
    std::vector<Made> folds_;  ///< folds in scope whose results are used once
    bool used_once_ = false;   ///< true for the results of the binding being rebuilt
};

}  // namespace

std::vector<Wish> wishes_of_gathered_folds(const Program& program) {
    Program copy = program;
    GatheredFolds pass(copy, {});
    pass.run(std::move(copy));
    return pass.take();
}

Program gathered_folds(Program program, std::span<const Wish> holding) {
    return GatheredFolds(program, holding).run(std::move(program));
}

}  // namespace sinter::enable
