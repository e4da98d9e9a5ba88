// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that replace parts of their states.
#pragma once

#include "ir/program.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace sinter::ad {

/// A scatter in a loop's body that replaces a part of a state: one element, or a block that has fewer axes than the state,
/// as a row of a matrix, at a place that depends on nothing but the number of the iteration.
struct Update {
    std::size_t binding;  ///< its number in the body
    std::size_t dest;     ///< number of the destination
    ir::Shape shape;      ///< of the part
    bool read;            ///< the body reads the updated state, too
    /// The bindings of the body, in their order, that compute the indices, if they need nothing but the number of the
    /// iteration and variables from outside.
    std::optional<std::vector<std::size_t>> makers;
};

/// How the variables and types of a loop are called where its derivative is written.
struct Names {
    std::function<ir::Type(ir::ValueId)> outer;        ///< the type of a variable from outside the loop
    std::function<ir::Type(const ir::Type&)> renamed;  ///< a type in the body that depends on variables outside only
};

/// By state of a loop that keeps all extents: the updates that the state goes through in an iteration, from the first to the
/// last, if the next state differs from it by nothing else. None for other states: they may be anything.
/// `level`: the number of the body's first parameter.
std::vector<std::vector<Update>> updated_states(const ir::SizeTable& sizes, const ir::Loop& loop, std::size_t level,
                                                const Names& names);

}  // namespace sinter::ad
