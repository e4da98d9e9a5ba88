// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map whose elements are the same along some axes, because all that it reads repeats along them, computes each of them
// once and repeats it: the twiddles of a Fourier transform belong to a row, not to its elements. Whether what is repeated is
// then stored, or computed where it is read, is decided by fusion. Cheap functions stay as they are, and so do those that
// may fail: along an axis without elements, nothing is computed.
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/walk.hpp"
#include "opt/cost.hpp"
#include "opt/passes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sinter::opt {

using namespace ir;

namespace {

class RepeatMaps : public Rebuilder {
    /// A broadcast: its argument, and the result's axes that the argument has.
    struct Repeated {
        ValueId of;
        std::vector<std::size_t> axes;
    };

    /// A map that repeats, too, but is cheap: its results, and the axes along which they differ.
    struct Cheap {
        Binding binding;
        std::vector<std::size_t> axes;
        std::size_t first = 0;
    };

    /// Forgets what was made in a body, also of what has been made before it.
    void close() override {
        std::erase_if(repeated_, [&](const auto& each) { return each.first >= level() || each.second.of.index >= level(); });
        cheap_.erase(cheap_.lower_bound(level()), cheap_.end());
    }

    void binding(Binding&& binding) override {
        if (const auto* map = std::get_if<Map>(&binding.op)) {
            const std::optional<std::vector<std::size_t>> axes = axes_of(*map, binding.types[0]);
            if (axes && is_expensive(map->fn.body)) return define(repeat(write(binding, *axes), binding, *axes));
            for (std::size_t k = 0; axes && k < binding.types.size(); ++k) cheap_[level() + k] = {binding, *axes, level()};
        }
        if (const auto* view = std::get_if<View>(&binding.op))
            if (const auto* broadcast = std::get_if<Broadcast>(&view->function))
                repeated_[level()] = {view->arg, broadcast->axes};
        keep(std::move(binding));
    }

    /// The axes along which elements differ, if they are not all, and if nothing fails.
    std::optional<std::vector<std::size_t>> axes_of(const Map& map, const Type& type) const {
        if (type.rank() == 0 || !is_speculative(map.fn.body)) return std::nullopt;
        std::set<std::size_t> axes;
        if (map.indexed)
            for_each_use(map.fn.body, [&](Local local) {
                if (local.index < type.rank()) axes.insert(local.index);
            });
        for (ValueId arg : map.args) {
            const std::vector<std::size_t>* of = axes_of(arg);
            if (!of) return std::nullopt;
            axes.insert(of->begin(), of->end());
        }
        if (axes.size() == type.rank()) return std::nullopt;
        return std::vector<std::size_t>(axes.begin(), axes.end());
    }

    const std::vector<std::size_t>* axes_of(ValueId id) const {
        if (const auto found = repeated_.find(id.index); found != repeated_.end()) return &found->second.axes;
        const auto found = cheap_.find(id.index);
        return found == cheap_.end() ? nullptr : &found->second.axes;
    }

    /// Writes the map with these axes only. Returns its first result.
    ValueId write(const Binding& binding, const std::vector<std::size_t>& axes) {
        const auto& map = std::get<Map>(binding.op);
        Map narrow{function(map, binding.types[0].rank(), axes), {}, map.captures, map.indexed && !axes.empty()};
        for (ValueId arg : map.args) narrow.args.push_back(argument(arg, axes, binding.site));
        std::vector<Type> types;
        for (const Type& type : binding.types) types.push_back(restricted(type, axes));
        return append({std::move(narrow), std::move(types), binding.site});
    }

    std::vector<ValueId> repeat(ValueId first, const Binding& binding, const std::vector<std::size_t>& axes) {
        std::vector<ValueId> names;
        for (std::size_t k = 0; k < binding.types.size(); ++k) {
            const ValueId one(first.index + k);
            repeated_[level()] = {one, axes};
            names.push_back(append({View{one, Broadcast{axes}}, {binding.types[k]}, binding.site}));
        }
        return names;
    }

    /// The function without the indices along other axes, which it does not use.
    static Fn function(const Map& map, std::size_t rank, const std::vector<std::size_t>& axes) {
        const Block& body = map.fn.body;
        if (!map.indexed) return map.fn;
        BlockBuilder builder(false);
        std::vector<Scalar> params(axes.size(), Scalar::i64);
        params.insert(params.end(), body.params.begin() + static_cast<std::ptrdiff_t>(rank), body.params.end());
        const Local first = builder.open(params);
        std::vector<Local> names(rank);
        for (std::size_t k = 0; k < axes.size(); ++k) names[axes[k]] = Local(first.index + k);
        for (std::size_t k = axes.size(); k < params.size(); ++k) names.emplace_back(first.index + k);
        return {map.fn.arrays, builder.close(inline_block(builder, body, std::move(names)))};
    }

    /// What is repeated, with these axes of what it is repeated to.
    ValueId argument(ValueId id, const std::vector<std::size_t>& axes, SiteId site) {
        const Repeated repeated = narrow(id);
        if (repeated.axes == axes) return repeated.of;
        Broadcast broadcast;
        for (std::size_t axis : repeated.axes)
            broadcast.axes.push_back(
                static_cast<std::size_t>(std::lower_bound(axes.begin(), axes.end(), axis) - axes.begin()));
        return append({View{repeated.of, std::move(broadcast)}, {restricted(type(id), axes)}, site});
    }

    Repeated narrow(ValueId id) {
        if (const auto found = repeated_.find(id.index); found != repeated_.end()) return found->second;
        const Cheap cheap = cheap_.at(id.index);
        const ValueId first = write(cheap.binding, cheap.axes);
        for (std::size_t k = 0; k < cheap.binding.types.size(); ++k)
            repeated_[cheap.first + k] = {ValueId(first.index + k), cheap.axes};
        return repeated_.at(id.index);
    }

    static Type restricted(const Type& type, const std::vector<std::size_t>& axes) {
        Type result{type.scalar, {}};
        for (std::size_t axis : axes) result.shape.push_back(type.shape[axis]);
        return result;
    }

    std::map<std::size_t, Repeated> repeated_;  ///< by new level
    std::map<std::size_t, Cheap> cheap_;        ///< likewise
};

}  // namespace

Program repeat_maps(Program program) { return RepeatMaps().run(std::move(program)); }

}  // namespace sinter::opt
