// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/updated_states.hpp"

#include "ad/variables.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

namespace {

/// What computes the variables of a body, and their types.
class Definitions {
  public:
    Definitions(const SizeTable& sizes, const Body& body, std::size_t level, const std::function<Type(ValueId)>& outer)
        : sizes_(sizes), body_(body), level_(level), outer_(outer) {
        for (std::size_t i = 0; i < body.bindings.size(); ++i)
            for (std::size_t k = 0; k < body.bindings[i].types.size(); ++k) made_.push_back({i, k});
        uses_.resize(made_.size());
        auto use = [&](ValueId id) {
            const std::size_t first = level + body.params.size();
            if (id.index >= first && id.index < first + uses_.size()) ++uses_[id.index - first];
        };
        for (const Binding& binding : body.bindings) for_each_variable(binding.op, use);
        std::for_each(body.results.begin(), body.results.end(), use);
    }

    /// The updates between a parameter and a result; none if there is anything else.
    std::vector<Update> between(ValueId parameter, ValueId result) const {
        std::vector<Update> updates;
        while (result.index >= level_ + body_.params.size()) {
            const std::size_t made = result.index - level_ - body_.params.size();
            const auto [binding, dest] = made_[made];
            const auto* scatter = std::get_if<Scatter>(&body_.bindings[binding].op);
            if (scatter == nullptr || scatter->op || scatter->drops) return {};
            const Type element = type(scatter->values[dest]);
            if (!is_one(element)) return {};
            updates.push_back({binding, dest, element.rank(), uses_[made] > 1});
            result = scatter->dests[dest];
        }
        if (result != parameter) return {};
        std::reverse(updates.begin(), updates.end());
        return updates;
    }

  private:
    Type type(ValueId id) const {
        if (id.index < level_) return outer_(id);
        const std::size_t local = id.index - level_;
        if (local < body_.params.size()) return body_.params[local];
        const auto [binding, result] = made_[local - body_.params.size()];
        return body_.bindings[binding].types[result];
    }
    bool is_one(const Type& type) const {
        return type.rank() > 0 && std::all_of(type.shape.begin(), type.shape.end(),
                                              [&](SizeId extent) { return sizes_.is_constant(extent, 1); });
    }

    struct Result {
        std::size_t binding, number;
    };
    const SizeTable& sizes_;
    const Body& body_;
    std::size_t level_;
    const std::function<Type(ValueId)>& outer_;
    std::vector<Result> made_;       ///< by variable
    std::vector<std::size_t> uses_;  ///< by variable
};

}  // namespace

std::vector<std::vector<Update>> updated_states(const SizeTable& sizes, const Loop& loop, std::size_t level,
                                                const std::function<Type(ValueId)>& outer) {
    std::vector<std::vector<Update>> updates(loop.inits.size());
    if (!loop.changing.empty()) return updates;
    const Body& body = loop.bodies.back();
    const Definitions definitions(sizes, body, level, outer);
    for (std::size_t k = 0; k < updates.size(); ++k)
        updates[k] = definitions.between(ValueId(level + loop.indices() + k), body.results[k]);
    return updates;
}

}  // namespace sinter::ad
