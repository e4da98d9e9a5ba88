// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that replace single elements of their states.
#pragma once

#include "ir/program.hpp"

#include <functional>
#include <vector>

namespace sinter::ad {

/// A scatter in a loop's body that replaces one element of a state.
struct Update {
    std::size_t binding;  ///< its number in the body
    std::size_t dest;     ///< number of the destination
    std::size_t rank;     ///< of the element, all of whose extents are 1
    bool read;            ///< the body reads the updated state, too
};

/// By state of a loop that keeps all extents: the updates that the state goes through in an iteration, from the first to the
/// last, if the next state differs from it by nothing else. None for other states: they may be anything.
/// `level`: the number of the body's first parameter. `outer`: the types of variables from outside the loop.
std::vector<std::vector<Update>> updated_states(const ir::SizeTable& sizes, const ir::Loop& loop, std::size_t level,
                                                const std::function<ir::Type(ir::ValueId)>& outer);

}  // namespace sinter::ad
