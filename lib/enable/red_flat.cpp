// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/red_flat.hpp"

#include "ir/neutral.hpp"
#include "ir/rebuild.hpp"
#include "opt/algebra/constants.hpp"
#include "opt/uses.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

class RedFlat : public Rebuilder {
  public:
    explicit RedFlat(const Program& program) : uses_(opt::use_counts(program)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const std::vector<std::size_t>& uses = uses_[&binding];
        used_once_ = std::all_of(uses.begin(), uses.end(), [](std::size_t count) { return count == 1; });
        return true;
    }

    void binding(Binding&& binding) override {
        const std::size_t at = level();
        auto* fold = std::get_if<Fold>(&binding.op);
        if (fold != nullptr) {
            if (const Fold* inner = inner_fold(*fold)) *fold = merged(*inner, std::move(*fold));
            if (used_once_) folds_.push_back({at, *fold});
        }
        keep(std::move(binding));
        constants_.note(written().back(), level());
    }

    void close() override {
        constants_.forget_from(level());
        while (!folds_.empty() && folds_.back().level >= level()) folds_.pop_back();
    }

    /// The fold whose results are exactly the arguments of this one, if the two can be merged.
    const Fold* inner_fold(const Fold& outer) const {
        for (const Made& made : folds_) {
            bool feeds = made.fold.args.size() == outer.args.size();
            for (std::size_t k = 0; feeds && k < outer.args.size(); ++k) feeds = outer.args[k].index == made.level + k;
            if (feeds && can_merge(made.fold, outer)) return &made.fold;
        }
        return nullptr;
    }

    bool can_merge(const Fold& inner, const Fold& outer) const {
        if (inner.op != outer.op || inner.captures != outer.captures || !starts_neutral(inner)) return false;
        return (inner.commutative && outer.commutative) || inner.axes.front() > outer_axes(inner, outer).back();
    }

    bool starts_neutral(const Fold& fold) const {
        const auto neutral = neutral_elements(fold.op.body, fold.args.size());
        if (!neutral) return false;
        for (std::size_t k = 0; k < fold.inits.size(); ++k)
            if (constants_.find(fold.inits[k]) != (*neutral)[k]) return false;
        return true;
    }

    /// The axes of `outer`, as axes of the inner fold's arguments.
    std::vector<std::size_t> outer_axes(const Fold& inner, const Fold& outer) const {
        std::vector<std::size_t> kept, axes;
        for (std::size_t axis = 0; axis < type(inner.args[0]).rank(); ++axis)
            if (!std::binary_search(inner.axes.begin(), inner.axes.end(), axis)) kept.push_back(axis);
        for (std::size_t axis : outer.axes) axes.push_back(kept[axis]);
        return axes;
    }

    Fold merged(const Fold& inner, Fold outer) const {
        std::vector<std::size_t> axes = outer_axes(inner, outer);
        axes.insert(axes.end(), inner.axes.begin(), inner.axes.end());
        std::sort(axes.begin(), axes.end());
        outer.axes = std::move(axes);
        outer.args = inner.args;
        return outer;
    }

    struct Made {
        std::size_t level;  ///< of its first result
        Fold fold;
    };
    opt::UseCounts uses_;
    opt::Constants constants_;
    std::vector<Made> folds_;  ///< folds in scope whose results are used once
    bool used_once_ = false;   ///< true for the results of the binding being rebuilt
};

}  // namespace

Program red_flat(Program program) {
    RedFlat pass(program);
    return pass.run(std::move(program));
}

}  // namespace sinter::enable
