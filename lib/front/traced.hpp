// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions that end a trace have in common.
#pragma once

#include "front/frame.hpp"
#include "support/check.hpp"

namespace sinter::front {

/// The innermost frame, which is that of the function whose trace ends.
inline Frame& traced_function(std::uint64_t trace) {
    Frame& frame = *frames().back();
    check(frame.serial == trace, "the trace that ends is the innermost");
    return frame;
}

inline Captures take_captures(Frame& frame) { return std::move(std::get<FunctionFrame>(frame.body).captures); }

/// The types of results with these scalars, all of one shape.
inline std::vector<LeafType> typed(const std::vector<Scalar>& scalars, const std::vector<Extent>& shape) {
    std::vector<LeafType> types;
    for (Scalar scalar : scalars) types.push_back({scalar, shape});
    return types;
}

/// The types of results like `leaves`, but with this shape.
inline std::vector<LeafType> typed_like(const std::vector<Leaf>& leaves, const std::vector<Extent>& shape) {
    std::vector<LeafType> types;
    for (const Leaf& leaf : leaves) types.push_back({type_of(leaf).scalar, shape});
    return types;
}

}  // namespace sinter::front
