// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program's inputs: arrays, parameters of the program, lifted literals.
#pragma once

#include "convert/convert.hpp"
#include "convert/lift.hpp"
#include "convert/live.hpp"

#include <cstdint>
#include <vector>

namespace sinter::convert {

struct Inputs {
    static constexpr std::uint32_t none = ~0u;

    std::vector<ir::Scalar> scalars;       ///< one per input
    std::vector<std::uint32_t> variables;  ///< one per input: its variable; none for a literal taken out of a function
    std::vector<Argument> arguments;       ///< one per input
    std::vector<std::uint32_t> input_of;   ///< one per variable; none if it is bound
    std::vector<LiftedFn> lifted;          ///< functions with lifted literals
    std::vector<std::vector<ir::ValueId>> literals;  ///< one per lifted function: the inputs that its new parameters take
    std::vector<std::uint32_t> lifted_of;            ///< one per term: its function in `lifted`; none if it keeps its own
};

/// Numbers the inputs in the order of the live terms that first use them. Literals of one type and value are one input.
Inputs find_inputs(const Pruned& pruned, const Live& live, const Options& options);

}  // namespace sinter::convert
