// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operator of a reduce or scan on values that may be absent. If it has neutral elements, these stand for absent values;
/// otherwise a flag follows the values, as the last of them.
#pragma once

#include "jit/emit/loop/combiner.hpp"

namespace sinter::gpu {

using emit::Few;
using emit::Values;

class Operator {
  public:
    Operator(emit::Code& code, emit::Blocks& blocks, const lower::Inst& inst) : c_(code), combiner_(blocks, inst) {}

    emit::Combiner& combiner() { return combiner_; }

    Few absent() {
        Few result = combiner_.pack(combiner_.nothing());
        if (flagged()) result.push_back(c_.ir.getFalse());
        return result;
    }

    Few present(const Values& values) {
        Few result = combiner_.pack(values);
        if (flagged()) result.push_back(c_.ir.getTrue());
        return result;
    }

    /// The values, or arbitrary ones if they are absent and there are no neutral elements.
    Values values(llvm::ArrayRef<llvm::Value*> maybe) { return combiner_.unpack(maybe.take_front(combiner_.count()), 1); }

    Few merge(const Few& left, const Few& right) {
        auto combined = [&] { return combiner_.pack(combiner_.combine(values(left), values(right))); };
        if (!flagged()) return combined();
        llvm::Value *has_left = left.back(), *has_right = right.back();
        auto first = [](const Few& maybe) { return Few(maybe.begin(), maybe.end() - 1); };
        Few result = c_.either(
            has_left, [&] { return c_.either(has_right, combined, [&] { return first(left); }); },
            [&] { return first(right); });
        result.push_back(c_.ir.CreateOr(has_left, has_right));
        return result;
    }

    /// init combined with values that may be present.
    Values after(const Values& init, const Few& maybe) {
        if (!flagged()) return combiner_.combine(init, values(maybe));
        const Few flat = c_.either(
            maybe.back(), [&] { return combiner_.pack(combiner_.combine(init, values(maybe))); },
            [&] { return combiner_.pack(init); });
        return combiner_.unpack(flat, 1);
    }

  private:
    bool flagged() const { return !combiner_.has_neutral(); }

    emit::Code& c_;
    emit::Combiner combiner_;
};

}  // namespace sinter::gpu
