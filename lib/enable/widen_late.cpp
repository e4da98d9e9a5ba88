// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/widen_late.hpp"

#include "ir/builder.hpp"
#include "ir/rebuild.hpp"

#include <map>
#include <optional>
#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

/// True if the map only casts halves to floats.
bool widens(const Binding& binding) {
    const auto* map = std::get_if<Map>(&binding.op);
    if (!map || map->indexed || map->args.size() != 1 || !map->captures.scalars.empty() || !map->captures.arrays.empty() ||
        binding.types.size() != 1)
        return false;
    const Block& body = map->fn.body;
    return body.params == std::vector{Scalar::f16} && body.insts.size() == 1 && body.insts[0].op == Op::cast &&
           body.insts[0].types == std::vector{Scalar::f32} && body.results == std::vector{Local(1)};
}

/// With parameters that are cast to what they were before, where `is_narrow`.
Fn with_casts(const Fn& fn, const std::vector<bool>& is_narrow) {
    std::vector<Scalar> params = fn.body.params;
    for (std::size_t k = 0; k < is_narrow.size(); ++k)
        if (is_narrow[k]) params[k] = Scalar::f16;
    BlockBuilder builder;
    const Local first = builder.open(params);
    std::vector<Local> values;
    for (std::size_t k = 0; k < params.size(); ++k) {
        const Local param(first.index + static_cast<std::uint32_t>(k));
        values.push_back(k < is_narrow.size() && is_narrow[k] ? builder.cast(Scalar::f32, param) : param);
    }
    std::vector<Local> results = inline_block(builder, fn.body, std::move(values));
    Fn result = fn;
    result.body = builder.close(std::move(results));
    return result;
}

class WidenLate final : public Rebuilder {
  private:
    void binding(Binding&& binding) override {
        if (auto* map = std::get_if<Map>(&binding.op); map && !map->indexed && !binding.types[0].shape.empty()) narrow(*map);
        const std::size_t first = level();
        const bool is_known = binding.types.size() == 1 && (std::holds_alternative<View>(binding.op) || widens(binding));
        std::optional<Binding> known;
        if (is_known) known = binding;
        keep(std::move(binding));
        if (known) makers_.insert_or_assign(first, std::move(*known));
    }

    void close() override {
        makers_.erase(makers_.lower_bound(level()), makers_.end());
        narrow_.erase(narrow_.lower_bound(level()), narrow_.end());
        std::erase_if(narrow_, [&](const auto& entry) { return entry.second.index >= level(); });
    }

    void narrow(Map& map) {
        std::vector<bool> is_narrow;
        bool any = false;
        for (ValueId& arg : map.args) {
            is_narrow.push_back(is_repeated_cast(arg));
            if (!is_narrow.back()) continue;
            arg = halves(arg);
            any = true;
        }
        if (any) map.fn = with_casts(map.fn, is_narrow);
    }

    const Binding* maker(ValueId id) const {
        const auto found = makers_.find(id.index);
        return found == makers_.end() ? nullptr : &found->second;
    }

    /// True for views, one of which repeats elements, of halves that are cast.
    bool is_repeated_cast(ValueId id) const {
        bool repeats = false;
        for (const Binding* binding = maker(id); binding; binding = maker(id)) {
            const auto* view = std::get_if<View>(&binding->op);
            if (!view) return repeats;
            if (view->fill) return false;
            repeats |= std::holds_alternative<Broadcast>(view->function);
            id = view->arg;
        }
        return false;
    }

    /// The same views of the halves.
    ValueId halves(ValueId id) {
        if (const auto found = narrow_.find(id.index); found != narrow_.end()) return found->second;
        Binding copy = *maker(id);
        if (const auto* cast = std::get_if<Map>(&copy.op)) return cast->args[0];
        auto& view = std::get<View>(copy.op);
        view.arg = halves(view.arg);
        copy.types[0].scalar = Scalar::f16;
        return narrow_[id.index] = append(std::move(copy));
    }

    std::map<std::size_t, Binding> makers_;  ///< of views and of casts, by new name
    std::map<std::size_t, ValueId> narrow_;  ///< by new name of a view: the same view of halves
};

}  // namespace

Program widen_late(Program program) { return WidenLate().run(std::move(program)); }

}  // namespace sinter::enable
