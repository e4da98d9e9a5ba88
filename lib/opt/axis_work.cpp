// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the function of a map, what is expensive and the same for all rows is separated: it becomes a map of its own, over the
// axes with which it varies, whose results are repeated along the others. (What is the same for all elements of a row needs
// no such care: kernels compute it once for the row.) A part is known by the set of axes with which it varies; only sets
// with the innermost axis count. Fusion decides whether the results are stored or computed again.
#include "ir/rebuild.hpp"
#include "opt/hoist_function.hpp"
#include "opt/passes.hpp"
#include "opt/trim.hpp"
#include "opt/tuning.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

using Axes = std::vector<std::size_t>;

Axes axes_in(Variation set) {
    Axes axes;
    for (; set != 0; set &= set - 1) axes.push_back(static_cast<std::size_t>(std::countr_zero(set)));
    return axes;
}

Variation set_of(const Axes& axes) {
    Variation set = 0;
    for (std::size_t axis : axes) set |= Variation{1} << axis;
    return set;
}

class AxisWork final : public Rebuilder {
  public:
    bool changed = false;

  private:
    /// A broadcast: its argument, and the axes that it has.
    struct Repeated {
        ValueId of;
        Axes axes;
    };
    /// A map that has been made, so that equal ones are made once.
    struct Made {
        Map map;
        Type type;
        ValueId first;
    };

    void open() override { outside_.push_back(level()); }
    void close() override {
        outside_.pop_back();
        std::erase_if(repeated_, [&](const auto& each) { return each.first.index >= level(); });
        std::erase_if(made_, [&](const Made& each) { return each.first.index >= level(); });
    }

    void binding(Binding&& binding) override {
        if (const auto* view = std::get_if<View>(&binding.op))
            if (const auto* broadcast = std::get_if<Broadcast>(&view->function))
                repeated_[ValueId(level())] = {view->arg, broadcast->axes};
        const std::size_t rank = binding.types[0].rank();
        if (auto* map = std::get_if<Map>(&binding.op); map != nullptr && rank > 1 && rank < 60) separate(*map, binding);
        keep(std::move(binding));
    }

    /// In bodies of loops and branches, which may be executed often, a further map has to be worth more, and to move out.
    bool is_nested() const { return outside_.size() > 1; }
    Worth worth() const { return is_nested() ? Worth::expensive : Worth::divisions; }
    bool is_outside(ValueId id) const { return !is_nested() || id.index < outside_.back(); }

    void separate(Map& map, const Binding& binding) {
        const Shape& shape = binding.types[0].shape;
        const Variation all = (Variation{1} << shape.size()) - 1, innermost = (all + 1) >> 1;
        for (Variation set : worthwhile(map.fn, variations(map, shape.size()), worth()))
            if (set < all && (set & innermost) != 0 && is_shared_by_many(all & ~set, shape)) separate(map, binding, set);
    }

    /// What each parameter of the map's function varies with.
    std::vector<Variation> variations(const Map& map, std::size_t rank) const {
        const Variation all = (Variation{1} << rank) - 1, inside = Variation{1} << 62;
        std::vector<Variation> result;
        for (std::size_t axis = 0; map.indexed && axis < rank; ++axis) result.push_back(Variation{1} << axis);
        for (ValueId arg : map.args) {
            const auto found = repeated_.find(arg);
            const bool narrow = found != repeated_.end() && is_outside(found->second.of);
            result.push_back(narrow ? set_of(found->second.axes) : all);
        }
        for (ValueId scalar : map.captures.scalars) result.push_back(is_outside(scalar) ? 0 : inside);
        return result;
    }

    /// True unless the other axes are known to be so short that little is saved.
    bool is_shared_by_many(Variation others, const Shape& shape) {
        std::int64_t rows = 1;
        for (std::size_t axis : axes_in(others)) {
            const Size& size = sizes()[shape[axis]];
            if (size.kind != Size::Kind::constant) return true;
            rows *= std::min<std::int64_t>(size.index, tuning::least_rows_of_axis_work);
            if (rows >= tuning::least_rows_of_axis_work) return true;
        }
        return false;
    }

    void separate(Map& map, const Binding& binding, Variation set) {
        const Shape& shape = binding.types[0].shape;
        const std::vector<Variation> params = variations(map, shape.size());
        auto hoisted = hoist_known(map.fn, params, set, worth());
        if (!hoisted) return;
        const std::size_t results = hoisted->known.body.results.size(), behind = params.size() - map.captures.scalars.size();
        const Axes axes = axes_in(set);
        Shape narrow;
        for (std::size_t axis : axes) narrow.push_back(shape[axis]);
        Map part{std::move(hoisted->known), {}, {map.captures.scalars, {}}, map.indexed};
        std::erase_if(part.captures.scalars, [&](ValueId id) { return !is_outside(id); });
        for (std::size_t k = behind - map.args.size(), arg = 0; k < behind; ++k, ++arg)
            if ((params[k] & ~set) == 0) part.args.push_back(restricted(map.args[arg], axes, narrow, binding.site));
        const ValueId first = results_of(std::move(part), narrow, binding.site);
        for (std::size_t k = 0; k < results; ++k) {
            const ValueId one(first.index + k);
            const ValueId repeated = append({View{one, Broadcast{axes}}, {{type(one).scalar, shape}}, binding.site});
            repeated_[repeated] = {one, axes};
            map.args.push_back(repeated);
        }
        map.fn = with_last_moved(hoisted->fn, results, behind);
        changed = true;
    }

    /// What is repeated, with these axes of what it is repeated to.
    ValueId restricted(ValueId id, const Axes& axes, const Shape& shape, SiteId site) {
        const Repeated repeated = repeated_.at(id);
        if (repeated.axes == axes) return repeated.of;
        Broadcast broadcast;
        for (std::size_t axis : repeated.axes)
            broadcast.axes.push_back(static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin()));
        return append({View{repeated.of, std::move(broadcast)}, {{type(id).scalar, shape}}, site});
    }

    ValueId results_of(Map map, const Shape& shape, SiteId site) {
        trim(map, shape.size(), {});
        const Type of{Scalar::i64, shape};
        const auto known =
            std::find_if(made_.begin(), made_.end(), [&](const Made& made) { return made.map == map && made.type == of; });
        if (known != made_.end()) return known->first;
        std::vector<Type> types;
        for (Scalar scalar : result_types(map.fn)) types.push_back({scalar, shape});
        made_.push_back({map, of, {}});
        return made_.back().first = append({std::move(map), std::move(types), site});
    }

    std::vector<std::size_t> outside_;                ///< the levels of the bodies around
    std::unordered_map<ValueId, Repeated> repeated_;  ///< by new name
    std::vector<Made> made_;
};

}  // namespace

Program axis_work(Program program) {
    AxisWork pass;
    program = pass.run(std::move(program));
    return pass.changed ? hoist(std::move(program)) : program;
}

}  // namespace sinter::opt
