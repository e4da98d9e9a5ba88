// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/filters/merge_filters.hpp"

#include "enable/merge/merge_alike.hpp"
#include "enable/tuning.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// True if the extent of all arrays is this variable, the number of elements that are kept.
bool has_extent(const SizeTable& sizes, const Binding& binding, ValueId count) {
    return std::all_of(binding.types.begin() + 1, binding.types.end(), [&](const Type& type) {
        const Size& size = sizes[type.shape[0]];
        return size.kind == Size::Kind::value && static_cast<std::size_t>(size.index) == count.index;
    });
}

class Rule final : public MergeRule {
  public:
    bool is_one(const Binding& binding) const override {
        return std::holds_alternative<Compact>(binding.op) && binding.types.size() > 1;
    }
    /// The extent of the other's arrays may be the first's already, of which a guard says that it is the same.
    bool can_merge(const SizeTable& sizes, const Placed& one, const Placed& other) const override {
        return std::get<Compact>(one.binding.op).mask == std::get<Compact>(other.binding.op).mask &&
               has_extent(sizes, one.binding, one.first) &&
               (has_extent(sizes, other.binding, other.first) || has_extent(sizes, other.binding, one.first));
    }
    void merge(Binding& into, const Binding& other) const override {
        std::vector<ValueId>& args = std::get<Compact>(into.op).args;
        const std::vector<ValueId>& more = std::get<Compact>(other.op).args;
        args.insert(args.end(), more.begin(), more.end());
    }
    std::size_t common() const override { return 1; }
    bool takes_extents() const override { return true; }
    std::size_t most_arrays() const override { return tuning::most_filtered; }
};

}  // namespace

Program merge_filters(Program program) { return merge_alike(std::move(program), Rule()); }

}  // namespace sinter::enable
