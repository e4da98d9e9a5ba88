// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operator of a reduce or scan, applied to the values of all its results at once.
#pragma once

#include "jit/emit/body/blocks.hpp"

namespace sinter::emit {

class Combiner {
  public:
    Combiner(Blocks& blocks, const Inst& inst);

    std::size_t count() const { return inst_.types.size(); }
    bool has_neutral() const { return neutral_.has_value(); }
    bool commutative() const { return commutative_; }

    Values init() const;
    /// The neutral elements, or arbitrary values where there are none.
    Values nothing();
    Values combine(const Values& a, const Values& b);
    /// has ? combine(a, b) : b, where `has` is a single scalar.
    Values append(llvm::Value* has, const Values& a, const Values& b);

    /// The values as vectors, if lanes are open.
    Values varying(const Values& values);
    Few pack(const Values& values) { return flatten(c_, values); }
    Values unpack(llvm::ArrayRef<llvm::Value*> flat, int parts);
    /// Lanes [from, from + step, ..) of a value with twice the current width.
    Value lanes_of(const Value& v, int from, int step);

  private:
    Blocks& blocks_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    std::size_t rank_;
    std::optional<std::vector<std::uint64_t>> neutral_;
    bool commutative_;
};

}  // namespace sinter::emit
