// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/free_variables.hpp"

#include "ir/sizes/size_parts.hpp"

namespace sinter::ir {

namespace {

class Collector {
  public:
    Collector(const SizeTable& sizes, std::vector<ValueId>& to) : sizes_(sizes), to_(to) {}

    void add(const Binding& binding) {
        for (ValueId id : operands(binding.op)) to_.push_back(id);
        for (const Type& type : binding.types) add(type);
        for_each_size(binding.op, [&](SizeId start) { add(start); });
        if (const std::vector<Body>* bodies = bodies_of(binding.op))
            for (const Body& body : *bodies) add(body);
    }

    void add(SizeId size) {
        for_each_value(sizes_, size, [&](ValueId value) { to_.push_back(value); });
    }

  private:
    void add(const Type& type) {
        for (SizeId size : type.shape) add(size);
    }
    void add(const Body& body) {
        for (const Type& param : body.params) add(param);
        for (const Binding& inner : body.bindings) add(inner);
        for (const Guard& guard : body.guards) add(guard.left), add(guard.right);
        to_.insert(to_.end(), body.results.begin(), body.results.end());
    }

    const SizeTable& sizes_;
    std::vector<ValueId>& to_;
};

}  // namespace

std::vector<ValueId> free_variables(const SizeTable& sizes, const Binding& binding, std::size_t level) {
    std::vector<ValueId> ids;
    Collector(sizes, ids).add(binding);
    std::erase_if(ids, [&](ValueId id) { return id.index >= level; });
    return ids;
}

void values_of(const SizeTable& sizes, const Guard& guard, std::vector<ValueId>& to) {
    Collector collector(sizes, to);
    collector.add(guard.left), collector.add(guard.right);
}

}  // namespace sinter::ir
