// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/copies/copies.hpp"

#include "ir/rebuild.hpp"

#include <algorithm>
#include <utility>

namespace sinter::fuse {

using ir::ValueId;

namespace {

void number(const ir::Body& body, std::map<const ir::Binding*, Place>& places) {
    for (const ir::Binding& binding : body.bindings) {
        places.emplace(&binding, places.size());
        if (const auto* bodies = ir::bodies_of(binding.op))
            for (const ir::Body& nested : *bodies) number(nested, places);
    }
}

/// Gives every reader of certain bindings a copy of its own.
class Copier : public ir::Rebuilder {
  public:
    Copier(const std::set<Place>& chosen, std::size_t most, const Groups& groups)
        : chosen_(chosen), most_(most), groups_(groups) {}

    std::vector<std::vector<Place>> take_origins() { return std::move(origins_); }
    bool complete() const { return made_ <= most_; }

  private:
    using Names = std::map<ValueId, ValueId>;  // by what is copied: the copy

    struct Original {
        std::size_t level;  ///< level of its first result
        ir::Binding binding;
        Place place;
        bool taken = false;  ///< a reader already uses it
    };

    void binding(ir::Binding&& binding) override {
        const Place place = next_++;
        Names* group = group_of(place);
        ir::Binding original = binding;
        if (!originals_.empty()) give_copies(binding.op, group);
        if (chosen_.count(place) > 0) {
            originals_.push_back({level(), std::move(original), place, group != nullptr});
            for (std::size_t r = 0; group && r < binding.types.size(); ++r)
                group->emplace(ValueId(level() + r), ValueId(level() + r));
        }
        keep(std::move(binding));
        note(place);
    }

    void open() override {
        bodies_.push_back(origins_.size());
        origins_.emplace_back();
    }

    void close() override {
        while (!originals_.empty() && originals_.back().level >= level()) originals_.pop_back();
        bodies_.pop_back();
    }

    /// Notes the origin of the binding just written.
    void note(Place place) { origins_[bodies_.back()].push_back(place); }

    Names* group_of(Place place) {
        const auto group = groups_.find(place);
        return group == groups_.end() ? nullptr : &shared_[group->second];
    }

    /// A reader, or a group of readers, gets one copy, however often it reads the result.
    void give_copies(ir::ArrayOp& op, Names* group) {
        Names alone;
        Names& own = group ? *group : alone;
        ir::for_each_operand(op, [&](ValueId& id) {
            auto known = own.find(id);
            id = known != own.end() ? known->second : copy_of(id, own, group);
        });
    }

    ValueId copy_of(ValueId id, Names& own, Names* group) {
        auto holds = [&](const Original& o) { return o.level <= id.index && id.index < o.level + o.binding.types.size(); };
        auto original = std::find_if(originals_.begin(), originals_.end(), holds);
        if (original == originals_.end()) return id;
        const std::size_t k = id.index - original->level, results = original->binding.types.size();
        ValueId first(original->level);
        if (std::exchange(original->taken, true)) {
            if (++made_ > most_) return id;
            ir::Binding copy = original->binding;
            const Place place = original->place;
            give_copies(copy.op, group);
            first = append(std::move(copy));
            note(place);
        }
        for (std::size_t r = 0; r < results; ++r) own.insert_or_assign(ValueId(id.index - k + r), ValueId(first.index + r));
        return ValueId(first.index + k);
    }

    const std::set<Place>& chosen_;
    const std::size_t most_;
    const Groups& groups_;
    std::map<std::size_t, Names> shared_;  ///< by group
    std::size_t made_ = 0;
    Place next_ = 0;
    std::vector<Original> originals_;  ///< in scope
    std::vector<std::size_t> bodies_;  ///< the open ones
    std::vector<std::vector<Place>> origins_;
};

}  // namespace

std::map<const ir::Binding*, Place> places(const ir::Program& program) {
    std::map<const ir::Binding*, Place> result;
    number(program.body, result);
    return result;
}

Copies with_copies(ir::Program program, const std::set<Place>& bindings, std::size_t most, const Groups& groups) {
    Copier pass(bindings, most, groups);
    ir::Program copied = pass.run(std::move(program));
    return {std::move(copied), pass.take_origins(), pass.complete()};
}

std::map<Place, std::size_t> times(const Copies& copies) {
    std::map<Place, std::size_t> result;
    for (const auto& body : copies.origins)
        for (Place place : body) ++result[place];
    return result;
}

}  // namespace sinter::fuse
