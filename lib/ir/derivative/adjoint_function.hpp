// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reverse mode of scalar functions.
#pragma once

#include "ir/derivative/terms.hpp"

#include <vector>

namespace sinter::ir::derivative {

/// Where the parameters of a function are in the function that computes its contributions to adjoints, and which
/// contributions are wanted.
struct AdjointPlaces {
    std::vector<Scalar> params;    ///< of the adjoint function
    std::vector<Local> primal;     ///< by parameter of the function
    std::vector<bool> wanted;      ///< by parameter of the function: true if its adjoint is wanted
    std::vector<bool> slots;       ///< by array of the function: true if its adjoint is wanted
    std::vector<Term> cotangents;  ///< by result of the function: a parameter; nothing means zero
    std::vector<Local> recorded;   ///< what recorded_function() has computed; nothing: loops are executed again
    /// By parameter and by array of the function: true if it may be infinite where a result that it goes into is not used.
    /// Where an adjoint is 0, its product by such a value is 0. What is missing is finite. Without any, all results are used
    /// everywhere, and products are plain ones.
    std::vector<bool> infinite, infinite_slots;

    Local add(Scalar scalar) {
        params.push_back(scalar);
        return Local(params.size() - 1);
    }
};

/// An element of an array that the function has read: results `first` and following of the adjoint function are its index
/// (all -1 if it was not read), followed by the contribution to it. `always`: it was read, whatever the arguments are.
struct ReadAdjoint {
    std::size_t slot, first;
    bool always;
};

struct Adjoint {
    Fn fn;
    std::vector<std::optional<std::size_t>> params;  ///< by parameter of the function: the result that contributes to it
    std::vector<ReadAdjoint> reads;
};

/// Loops that something wanted goes into have to be such that can_carry_jacobian() (loop_jacobian.hpp).
Adjoint adjoint_function(const Fn& fn, const AdjointPlaces& places);

/// The function, whose results are followed by what adjoint_function() needs of those of its loops that are between what is
/// wanted and its results, and not in a branch: their states and Jacobians. Nothing if there is no such loop.
std::optional<Fn> recorded_function(const Fn& fn, const std::vector<bool>& params, const std::vector<bool>& slots);

}  // namespace sinter::ir::derivative
