// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The bodies of a program, and the bindings of a body that something is made of: for passes that rewrite all of these
/// together.
#pragma once

#include "opt/uses.hpp"

#include <vector>

namespace sinter::opt {

/// Calls f(body, base) of a body and of all bodies in it, outer ones first; `base`: the number of variables around it.
template <class F>
void for_each_body(const ir::Body& body, const F& f, std::size_t base = 0) {
    f(body, base);
    std::size_t level = base + body.params.size();
    for (const ir::Binding& binding : body.bindings) {
        if (const std::vector<ir::Body>* nested = ir::bodies_of(binding.op))
            for (const ir::Body& each : *nested) for_each_body(each, f, level);
        level += binding.types.size();
    }
}

/// A binding and the old name of its first result.
struct Part {
    ir::ValueId first;
    const ir::Binding* binding;
};

/// The bindings of a body by what they define.
class Makers {
  public:
    /// `base`: the number of variables around the body.
    Makers(const ir::Body& body, std::size_t base) : start_(base + body.params.size()) {
        for (const ir::Binding& binding : body.bindings)
            parts_.insert(parts_.end(), binding.types.size(), {ir::ValueId(start_ + parts_.size()), &binding});
    }
    /// The binding of the body that defines `id`; null if none does.
    const Part* find(ir::ValueId id) const {
        return id.index >= start_ && id.index < start_ + parts_.size() ? &parts_[id.index - start_] : nullptr;
    }

  private:
    std::size_t start_;
    std::vector<Part> parts_;  ///< by level from start_ on
};

/// True if nothing but `parts`, and what uses each of `others` once, needs what the parts compute. Views may be needed
/// elsewhere, because they compute nothing.
bool are_needed_by(const std::vector<Part>& parts, const std::vector<ir::ValueId>& others, const UseCounts& uses);

}  // namespace sinter::opt
