// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/stored.hpp"

#include "ir/rebuild.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter::runtime {

using ir::Binding;
using ir::ValueId;

namespace {

class Storer : public ir::Rebuilder {
  public:
    /// Null: all that have a rank above 0.
    explicit Storer(const std::set<StoredVariable>* stored) : stored_(stored) {}

    std::map<StoredVariable, StoredVariable> before;  ///< what was which variable, of those that are stored

  private:
    bool is_stored(const StoredVariable& variable, ValueId name) const {
        return stored_ ? stored_->contains(variable) : type(name).rank() > 0;
    }

    void open() override { bodies_.push_back(next_++); }
    void close() override { bodies_.pop_back(); }

    void binding(Binding&& binding) override {
        const std::size_t first = old_level(), count = binding.types.size(), body = bodies_.back();
        const ir::SiteId site = binding.site;
        keep(std::move(binding));
        std::vector<ValueId> names;
        Binding force{ir::Force{}, {}, site};
        for (std::size_t k = 0; k < count; ++k) {
            names.push_back(rename(ValueId(first + k)));
            if (!is_stored({body, first + k}, names.back())) continue;
            before.emplace(StoredVariable{body, names.back().index}, StoredVariable{body, first + k});
            force.types.push_back(type(names.back()));
            std::get<ir::Force>(force.op).args.push_back(names.back());
        }
        if (force.types.empty()) return;
        const std::vector<ValueId> args = std::get<ir::Force>(force.op).args;
        ValueId next = append(std::move(force));
        for (ValueId& name : names)
            if (std::find(args.begin(), args.end(), name) != args.end()) name = std::exchange(next, ValueId(next.index + 1));
        undefine(first);
        define(names);
    }

    const std::set<StoredVariable>* stored_;
    std::vector<std::size_t> bodies_;  ///< the numbers of those that have been entered and not left
    std::size_t next_ = 0;
};

}  // namespace

ir::Program with_stored(ir::Program program, const std::set<StoredVariable>& stored) {
    return Storer(&stored).run(std::move(program));
}

AllStored with_all_stored(ir::Program program) {
    Storer storer(nullptr);
    AllStored result{storer.run(std::move(program)), {}};
    result.before = std::move(storer.before);
    return result;
}

}  // namespace sinter::runtime
