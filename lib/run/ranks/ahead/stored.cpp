// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/stored.hpp"

#include "ir/rebuild.hpp"

#include <utility>
#include <vector>

namespace sinter::runtime {

using ir::Binding;
using ir::ValueId;

namespace {

class Storer : public ir::Rebuilder {
  public:
    explicit Storer(const std::set<StoredVariable>& stored) : stored_(stored) {}

  private:
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
            if (!stored_.contains({body, first + k})) continue;
            force.types.push_back(type(names.back()));
            std::get<ir::Force>(force.op).args.push_back(names.back());
        }
        if (force.types.empty()) return;
        ValueId next = append(std::move(force));
        for (std::size_t k = 0; k < count; ++k)
            if (stored_.contains({body, first + k})) names[k] = ValueId(next.index), next = ValueId(next.index + 1);
        undefine(first);
        define(names);
    }

    const std::set<StoredVariable>& stored_;
    std::vector<std::size_t> bodies_;  ///< the numbers of those that have been entered and not left
    std::size_t next_ = 0;
};

}  // namespace

ir::Program with_stored(ir::Program program, const std::set<StoredVariable>& stored) {
    return Storer(stored).run(std::move(program));
}

}  // namespace sinter::runtime
