// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group takes the place of its first member; whatever the others need and stands between them moves before it.
#include "enable/merge/merge_alike.hpp"

#include "ir/rebuild.hpp"
#include "ir/sizes/size_parts.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sinter::enable {

using namespace ir;

namespace {

struct Group {
    std::vector<Binding*> others;               ///< members other than the first
    std::unordered_set<const Binding*> needed;  ///< bindings between the first and the last that the others need
    Binding* last = nullptr;
};
using Groups = std::unordered_map<const Binding*, Group>;

/// Finds the groups of all bodies.
class Finder {
  public:
    Finder(const SizeTable& sizes, const MergeRule& rule) : sizes_(sizes), rule_(rule) {}

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
        if (!rule_.is_one(one)) return;
        Group group;
        std::size_t arrays = one.types.size() - rule_.common();
        for (std::size_t j = i + 1; j < body.bindings.size(); ++j) {
            Binding& other = body.bindings[j];
            if (!rule_.is_one(other) || taken.contains(&other)) continue;
            if (!rule_.can_merge(sizes_, {one, ValueId(first[i])}, {other, ValueId(first[j])})) continue;
            const std::size_t more = other.types.size() - rule_.common();
            if (arrays + more > rule_.most_arrays() || !add_needs(body, first, i, j, group)) continue;
            arrays += more;
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
            const bool member = &binding == &body.bindings[j];  // whose results get the extents of the first
            bool moves = true;
            for_each_variable(binding, member && rule_.takes_extents(), [&](ValueId id) {
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

    bool may_move(const Binding& binding) const {
        return !bodies_of(binding.op) && !binds_sizes(binding.op) && !rule_.is_one(binding);
    }

    template <class Visit>
    void for_each_variable(const Binding& binding, bool operands_only, Visit visit) const {
        for (ValueId id : operands(binding.op)) visit(id);
        if (operands_only) return;
        for (const Type& type : binding.types)
            for (SizeId size : type.shape) for_each_value(sizes_, size, visit);
        for_each_size(binding.op, [&](SizeId start) { for_each_value(sizes_, start, visit); });
    }

    const SizeTable& sizes_;
    const MergeRule& rule_;
    Groups groups_;
};

class Merger : public Rebuilder {
  public:
    Merger(Groups groups, const MergeRule& rule) : groups_(std::move(groups)), rule_(rule) {}

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
        std::vector<Binding*> members{&one};
        for (Binding* next = &one + 1; next <= group.last; ++next) {
            std::vector<ValueId> names(next->types.size());
            if (std::find(group.others.begin(), group.others.end(), next) != group.others.end()) {
                Binding other = *next;
                rename(other.op);
                rule_.merge(merged, other);
                for (std::size_t k = rule_.common(); k < other.types.size(); ++k)
                    merged.types.push_back({other.types[k].scalar, merged.types.back().shape});
                members.push_back(next);
            } else if (group.needed.contains(next)) {
                names_[next] = names = numbered(append(renamed(*next)), names.size());
            }
            define(names);
        }
        undefine(outside);
        const ValueId common = append(std::move(merged));
        ValueId first(common.index + rule_.common());
        for (Binding* member : members) {
            names_[member] = numbered(common, rule_.common());
            for (std::size_t k = rule_.common(); k < member->types.size(); ++k, first = ValueId(first.index + 1))
                names_[member].push_back(first);
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
    const MergeRule& rule_;
    std::unordered_map<const Binding*, std::vector<ValueId>> names_;  ///< names of what has been written early
};

}  // namespace

Program merge_alike(Program program, const MergeRule& rule) {
    Groups groups = Finder(program.sizes, rule).run(program.body);
    if (groups.empty()) return program;
    return Merger(std::move(groups), rule).run(std::move(program));
}

}  // namespace sinter::enable
