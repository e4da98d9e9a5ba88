// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random scalar functions: bodies of maps, predicates, associative operators.
#pragma once

#include "random/pool.hpp"

#include <functional>

namespace random_programs {

/// A value computed from some of these.
Exp<Int> expression(Pool& pool, std::vector<Exp<Int>> values);
Exp<bool> predicate(Pool& pool, Exp<Int> value);
/// |x| mod n, for n > 0.
Exp<Long> position(Exp<Int> x, Exp<Long> n);

using IntOperator = std::function<Exp<Int>(Exp<Int>, Exp<Int>)>;
using PairOperator = std::function<Exp<Pair>(Exp<Pair>, Exp<Pair>)>;

/// Associative, with an initial value that need not be neutral.
struct IntMonoid {
    IntOperator op;
    Int init;
};
struct PairMonoid {
    PairOperator op;
    Pair init;
};
IntMonoid commutative_monoid(Pool& pool);
IntMonoid any_monoid(Pool& pool);
PairMonoid commutative_pair_monoid(Pool& pool);
PairMonoid any_pair_monoid(Pool& pool);

}  // namespace random_programs
