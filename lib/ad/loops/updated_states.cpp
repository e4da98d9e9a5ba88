// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/updated_states.hpp"

#include "ad/variables.hpp"
#include "ir/free_variables.hpp"
#include "ir/sizes/size_parts.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sinter::ad {

using namespace ir;

namespace {

/// What computes the variables of a body, and their types.
class Definitions {
  public:
    Definitions(const SizeTable& sizes, const Loop& loop, std::size_t level, const Names& names)
        : sizes_(sizes), body_(loop.bodies.back()), level_(level), varying_(level + loop.indices()), names_(names) {
        for (std::size_t i = 0; i < body_.bindings.size(); ++i)
            for (std::size_t k = 0; k < body_.bindings[i].types.size(); ++k) made_.push_back({i, k});
        uses_.resize(made_.size());
        auto use = [&](ValueId id) {
            if (id.index >= first() && id.index < first() + uses_.size()) ++uses_[id.index - first()];
        };
        for (const Binding& binding : body_.bindings) for_each_variable(binding.op, use);
        std::for_each(body_.results.begin(), body_.results.end(), use);
    }

    /// The updates between a parameter and a result; none if there is anything else.
    std::vector<Update> between(ValueId parameter, ValueId result) const {
        std::vector<Update> updates;
        while (result.index >= first()) {
            const std::size_t made = result.index - first();
            const auto [binding, dest] = made_[made];
            const auto* scatter = std::get_if<Scatter>(&body_.bindings[binding].op);
            if (scatter == nullptr || scatter->op || scatter->drops) return {};
            const std::optional<Shape> shape = shape_outside(scatter->values[dest]);
            if (!shape) return {};
            auto makers = makers_of(scatter->indices);
            const std::size_t axes = long_axes(*shape), of_state = long_axes(body_.bindings[binding].types[dest].shape);
            if (shape->empty() || (axes > 0 && (!makers || axes >= of_state))) return {};
            updates.push_back({binding, dest, *shape, uses_[made] > 1, std::move(makers)});
            result = scatter->dests[dest];
        }
        if (result != parameter) return {};
        std::reverse(updates.begin(), updates.end());
        return updates;
    }

  private:
    /// The number of the first variable that a binding makes.
    std::size_t first() const { return level_ + body_.params.size(); }

    std::size_t long_axes(const Shape& shape) const {
        return static_cast<std::size_t>(
            std::count_if(shape.begin(), shape.end(), [&](SizeId extent) { return !sizes_.is_constant(extent, 1); }));
    }

    /// The shape of a variable as it is called outside of the loop; nothing if it depends on what is inside.
    std::optional<Shape> shape_outside(ValueId id) const {
        if (id.index < level_) return names_.outer(id).shape;
        const std::size_t local = id.index - level_;
        const Type& type = local < body_.params.size() ? body_.params[local] : type_of(made_[id.index - first()]);
        bool inside = false;
        for (SizeId extent : type.shape)
            for_each_value(sizes_, extent, [&](ValueId value) { inside = inside || value.index >= level_; });
        if (inside) return std::nullopt;
        return names_.renamed(type).shape;
    }

    /// See Update::makers.
    std::optional<std::vector<std::size_t>> makers_of(std::vector<ValueId> open) const {
        std::set<std::size_t> makers;
        while (!open.empty()) {
            const ValueId id = open.back();
            open.pop_back();
            if (id.index < varying_) continue;
            if (id.index < first()) return std::nullopt;
            const std::size_t binding = made_[id.index - first()].binding;
            const ArrayOp& op = body_.bindings[binding].op;
            if (!std::holds_alternative<Map>(op) && !std::holds_alternative<View>(op)) return std::nullopt;
            if (!makers.insert(binding).second) continue;
            const std::vector<ValueId> used = free_variables(sizes_, body_.bindings[binding], first() + made_.size());
            open.insert(open.end(), used.begin(), used.end());
        }
        return std::vector<std::size_t>(makers.begin(), makers.end());
    }

    struct Result {
        std::size_t binding, number;
    };
    const Type& type_of(Result result) const { return body_.bindings[result.binding].types[result.number]; }

    const SizeTable& sizes_;
    const Body& body_;
    std::size_t level_;
    std::size_t varying_;  ///< the number of the first parameter that depends on former iterations
    const Names& names_;
    std::vector<Result> made_;       ///< by variable
    std::vector<std::size_t> uses_;  ///< by variable
};

}  // namespace

std::vector<std::vector<Update>> updated_states(const SizeTable& sizes, const Loop& loop, std::size_t level,
                                                const Names& names) {
    std::vector<std::vector<Update>> updates(loop.inits.size());
    if (!loop.changing.empty()) return updates;
    const Definitions definitions(sizes, loop, level, names);
    for (std::size_t k = 0; k < updates.size(); ++k)
        updates[k] = definitions.between(ValueId(level + loop.indices() + k), loop.bodies.back().results[k]);
    return updates;
}

}  // namespace sinter::ad
