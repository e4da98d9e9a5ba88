// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of scatters takes the place of its first one; whatever the others need and stands between them moves before it.
#include "enable/merge_scatters.hpp"

#include "enable/tuning.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/size_parts.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace sinter::enable {

using namespace ir;

namespace {

struct Group {
    std::vector<Binding*> others;               ///< scatters other than the first
    std::unordered_set<const Binding*> needed;  ///< bindings between the first and the last that the others need
    Binding* last = nullptr;
};
using Groups = std::unordered_map<const Binding*, Group>;

bool can_be_merged(const Scatter& a, const Binding& one, const Scatter& b, const Binding& other) {
    return a.op && b.op && a.indices == b.indices && a.drops == b.drops && one.types[0].shape == other.types[0].shape;
}

/// Finds the groups of all bodies.
class Finder {
  public:
    explicit Finder(const SizeTable& sizes) : sizes_(sizes) {}

    Groups run(Body& body) {
        look_at(body, 0);
        return std::move(groups_);
    }

  private:
    void look_at(Body& body, std::size_t level) {
        level += body.params.size();
        std::vector<std::size_t> first{level};
        for (const Binding& binding : body.bindings) first.push_back(first.back() + binding.types.size());
        std::unordered_set<const Binding*> taken;
        for (std::size_t i = 0; i < body.bindings.size(); ++i) {
            if (auto* bodies = bodies_of(body.bindings[i].op))
                for (Body& nested : *bodies) look_at(nested, first[i]);
            if (!taken.contains(&body.bindings[i])) group_from(body, first, i, taken);
        }
    }

    void group_from(Body& body, const std::vector<std::size_t>& first, std::size_t i,
                    std::unordered_set<const Binding*>& taken) {
        Binding& one = body.bindings[i];
        const auto* scatter = std::get_if<Scatter>(&one.op);
        if (!scatter) return;
        Group group;
        std::size_t arrays = one.types.size();
        for (std::size_t j = i + 1; j < body.bindings.size(); ++j) {
            Binding& other = body.bindings[j];
            const auto* next = std::get_if<Scatter>(&other.op);
            if (!next || taken.contains(&other) || !can_be_merged(*scatter, one, *next, other)) continue;
            if (arrays + other.types.size() > tuning::most_scattered || !add_needs(body, first, i, j, group)) continue;
            arrays += other.types.size();
            group.others.push_back(&other), group.last = &other;
            taken.insert(&other);
        }
        if (!group.others.empty()) groups_.emplace(&one, std::move(group));
    }

    /// Adds what binding `j` needs and that stands after binding `i`; returns false if it cannot move before that.
    bool add_needs(Body& body, const std::vector<std::size_t>& first, std::size_t i, std::size_t j, Group& group) {
        std::unordered_set<const Binding*> found;
        std::vector<std::size_t> open{j};
        while (!open.empty()) {
            const Binding& binding = body.bindings[open.back()];
            open.pop_back();
            bool moves = true;
            for_each_variable(binding, [&](ValueId id) {
                if (id.index < first[i]) return;
                const auto behind = std::upper_bound(first.begin(), first.end(), std::size_t{id.index});
                const auto k = static_cast<std::size_t>(behind - first.begin()) - 1;
                const Binding& made_by = body.bindings[k];
                moves = moves && may_move(made_by) && k != i;
                if (found.insert(&made_by).second) open.push_back(k);
            });
            if (!moves) return false;
        }
        group.needed.insert(found.begin(), found.end());
        return true;
    }

    static bool may_move(const Binding& binding) {
        return !bodies_of(binding.op) && !binds_sizes(binding.op) && !std::holds_alternative<Scatter>(binding.op);
    }

    template <class Visit>
    void for_each_variable(const Binding& binding, Visit visit) const {
        for (ValueId id : operands(binding.op)) visit(id);
        for (const Type& type : binding.types)
            for (SizeId size : type.shape) for_each_value(sizes_, size, visit);
        for_each_size(binding.op, [&](SizeId start) { for_each_value(sizes_, start, visit); });
    }

    const SizeTable& sizes_;
    Groups groups_;
};

/// The operators side by side: the accumulators of both, the values of both, the scalars of both.
Fn side_by_side(const Scatter& a, const Scatter& b) {
    const std::size_t n = a.dests.size(), m = b.dests.size(), s = a.captures.scalars.size(), t = b.captures.scalars.size();
    const std::vector<Scalar>&x = a.op->body.params, &y = b.op->body.params;
    std::vector<Scalar> params;
    std::vector<Local> of_a(x.size()), of_b(y.size());
    auto add = [&](const std::vector<Scalar>& from, std::vector<Local>& to, std::size_t first, std::size_t count) {
        for (std::size_t k = first; k < first + count; ++k) to[k] = Local(params.size()), params.push_back(from[k]);
    };
    add(x, of_a, 0, n), add(y, of_b, 0, m);
    add(x, of_a, n, n), add(y, of_b, m, m);
    add(x, of_a, 2 * n, s), add(y, of_b, 2 * m, t);
    Fn fn{a.op->arrays, {}};
    fn.arrays.insert(fn.arrays.end(), b.op->arrays.begin(), b.op->arrays.end());
    std::vector<std::size_t> slots(b.op->arrays.size());
    std::iota(slots.begin(), slots.end(), a.op->arrays.size());
    BlockBuilder builder;
    builder.open(params);
    std::vector<Local> results = inline_block(builder, a.op->body, std::move(of_a));
    const std::vector<Local> more =
        inline_block(builder, b.op->body, std::move(of_b), opt::renumber_arrays(std::move(slots)));
    results.insert(results.end(), more.begin(), more.end());
    fn.body = builder.close(std::move(results));
    return fn;
}

void append_all(std::vector<ValueId>& to, const std::vector<ValueId>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void merge(Scatter& into, const Scatter& other) {
    into.op = side_by_side(into, other);
    append_all(into.dests, other.dests);
    append_all(into.values, other.values);
    append_all(into.captures.scalars, other.captures.scalars);
    append_all(into.captures.arrays, other.captures.arrays);
}

class Merger : public Rebuilder {
  public:
    explicit Merger(Groups groups) : groups_(std::move(groups)) {}

  private:
    bool before_renaming(Binding& binding) override {
        if (const auto known = names_.find(&binding); known != names_.end()) return define(known->second), false;
        const auto group = groups_.find(&binding);
        if (group == groups_.end()) return true;
        write(binding, group->second);
        define(names_[&binding]);
        return false;
    }

    /// The bindings from `one` to the last of the group are adjacent in memory.
    void write(Binding& one, Group& group) {
        const std::size_t outside = old_level();
        Binding merged = renamed(one);
        define(std::vector<ValueId>(one.types.size()));
        std::vector<Binding*> scatters{&one};
        for (Binding* next = &one + 1; next <= group.last; ++next) {
            std::vector<ValueId> names(next->types.size());
            if (std::find(group.others.begin(), group.others.end(), next) != group.others.end()) {
                const Binding other = renamed(*next);
                merge(std::get<Scatter>(merged.op), std::get<Scatter>(other.op));
                merged.types.insert(merged.types.end(), other.types.begin(), other.types.end());
                scatters.push_back(next);
            } else if (group.needed.contains(next)) {
                names_[next] = names = numbered(append(renamed(*next)), names.size());
            }
            define(names);
        }
        undefine(outside);
        ValueId first = append(std::move(merged));
        for (Binding* scatter : scatters) {
            names_[scatter] = numbered(first, scatter->types.size());
            first = ValueId(first.index + scatter->types.size());
        }
    }

    Binding renamed(const Binding& old) {
        Binding binding = old;
        rename(binding.op);
        rename_types(binding);
        return binding;
    }

    static std::vector<ValueId> numbered(ValueId first, std::size_t count) {
        std::vector<ValueId> names;
        for (std::size_t k = 0; k < count; ++k) names.emplace_back(first.index + k);
        return names;
    }

    Groups groups_;
    std::unordered_map<const Binding*, std::vector<ValueId>> names_;  ///< names of what has been written early
};

}  // namespace

Program merge_scatters(Program program) {
    Groups groups = Finder(program.sizes).run(program.body);
    if (groups.empty()) return program;
    return Merger(std::move(groups)).run(std::move(program));
}

}  // namespace sinter::enable
