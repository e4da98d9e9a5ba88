// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reverse mode of scalar functions.
#pragma once

#include "ir/derivative/terms.hpp"

#include <vector>

namespace sinter::ir::derivative {

/// Where the parameters of a function are in that which computes its contributions to adjoints, and which are wanted.
struct AdjointPlaces {
    std::vector<Scalar> params;    ///< of the adjoint function
    std::vector<Local> primal;     ///< by parameter of the function
    std::vector<bool> wanted;      ///< likewise: whether there is somebody to contribute to
    std::vector<bool> slots;       ///< likewise, by array
    std::vector<Term> cotangents;  ///< by result of the function: a parameter; nothing: zero

    Local add(Scalar scalar) {
        params.push_back(scalar);
        return Local(params.size() - 1);
    }
};

/// An element of an array that the function has read: results `first` and following of the adjoint function are its index
/// (all -1: it was not read), then the contribution to it.
struct ReadAdjoint {
    std::size_t slot, first;
};

struct Adjoint {
    Fn fn;
    std::vector<std::optional<std::size_t>> params;  ///< by parameter of the function: the result that contributes to it
    std::vector<ReadAdjoint> reads;
};

Adjoint adjoint_function(const Fn& fn, const AdjointPlaces& places);

/// Whether a loop of the function stands between what is wanted and its results: adjoint_function has no rule for it.
bool has_varied_loop(const Fn& fn, const std::vector<bool>& params, const std::vector<bool>& slots);

}  // namespace sinter::ir::derivative
