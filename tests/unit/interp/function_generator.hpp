// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random scalar functions.
#pragma once

#include "ir/function.hpp"

#include <random>
#include <vector>

namespace sinter::test {

using ir::Scalar;

inline constexpr Scalar element_types[] = {Scalar::i64, Scalar::f32, Scalar::i32, Scalar::f64};

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }

  private:
    std::mt19937_64 engine_;
};

/// A function of these parameters that reads these arrays, of element types. Some fail at run time.
ir::Fn random_function(Random& random, std::vector<ir::ArrayParam> arrays, const std::vector<Scalar>& parameters,
                       const std::vector<Scalar>& results);

}  // namespace sinter::test
