// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Forward mode of scalar functions.
#pragma once

#include "ir/derivative/terms.hpp"

#include <vector>

namespace sinter::ir::derivative {

/// Where the parameters and arrays of a function are in the function that also computes tangents.
struct DualPlaces {
    std::vector<Scalar> params;                     ///< of the dual function
    std::vector<Local> primal;                      ///< by parameter of the function
    std::vector<Term> tangents;                     ///< by parameter of the function; nothing if there is none
    std::vector<ArrayParam> arrays;                 ///< of the dual function: those of the original function come first
    std::vector<std::optional<std::size_t>> slots;  ///< by array of the function: the slot of its tangent

    Local add(Scalar scalar) {
        params.push_back(scalar);
        return Local(params.size() - 1);
    }
};

struct Dual {
    Fn fn;                     ///< its results are those of the original function, followed by tangents of the `varied` ones
    std::vector<bool> varied;  ///< by result
};

/// With `all`, every floating-point result has a tangent, even if it is zero.
Dual dual_function(const Fn& fn, const DualPlaces& places, bool all = false);

}  // namespace sinter::ir::derivative
