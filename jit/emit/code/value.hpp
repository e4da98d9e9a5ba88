// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values of a kernel in the lanes of vectors: SPMD on SIMD.
///
/// A lane loop works on `parts` vectors of `width` lanes at once; the parts form rows times columns. A value is
///   uniform   one scalar for all lanes (or one per row of parts),
///   affine    scalar + column * part_stride + lane * lane_stride, for i64,
///   varying   one vector per part.
/// Outside lane loops all values are uniform.
#pragma once

#include "ir/type.hpp"
#include "schedule/lanes.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace sinter::emit {

using ir::Scalar;
using Few = llvm::SmallVector<llvm::Value*, 4>;

struct Value {
    Scalar type = Scalar::i64;
    Few scalars;                         ///< 1, or one per row
    llvm::Value* lane_stride = nullptr;  ///< affine
    llvm::Value* part_stride = nullptr;  ///< affine: from column to column
    Few parts;                           ///< varying
    int bits = 64;                       ///< for i64: the magnitude is below 2^bits

    static Value uniform(Scalar type, llvm::Value* value, int bits = 64) {
        return {type, {value}, nullptr, nullptr, {}, bits};
    }
    /// Indices and sizes are below 2^47: the launcher ensures that.
    static constexpr int index_bits = 47;
    static Value index(llvm::Value* value) { return uniform(Scalar::i64, value, index_bits); }
    static Value varying(Scalar type, Few parts, int bits = 64) {
        return {type, {}, nullptr, nullptr, std::move(parts), bits};
    }

    bool is_varying() const { return !parts.empty(); }
    bool is_affine() const { return lane_stride != nullptr; }
    bool is_uniform() const { return !is_varying() && !is_affine() && scalars.size() == 1; }
    /// True if it is the same in all lanes of a part.
    bool is_lane_uniform() const { return !is_varying() && !is_affine(); }
    /// True for a local that is not known outside the lane loop.
    bool is_unknown() const { return parts.empty() && scalars.empty(); }
};

/// The stride from lane to lane of an affine value, if it is a known number.
inline std::optional<std::int64_t> known_stride(const Value& value) {
    auto* stride = llvm::dyn_cast_or_null<llvm::ConstantInt>(value.lane_stride);
    return stride ? std::optional(stride->getSExtValue()) : std::nullopt;
}

/// The lanes of the loop being emitted. If the width is 1 and there is one part, there is no lane loop, or a scalar one.
struct Lanes {
    int width = 1;
    int rows = 1;
    int columns = 1;
    Few mask;                      ///< one wide mask per part (Code::wide); empty if all lanes are active
    llvm::Value* fresh = nullptr;  ///< narrow mask: the lanes that have not been executed before; null: all of them
    llvm::Value* full = nullptr;   ///< i1: true if all lanes are active; used where the mask does nothing but end the loop
    bool covering = false;         ///< one masked loop covers all indices, without a main loop: a large body is emitted once
    bool open = false;             ///< inside a lane loop, though perhaps in a part of it that goes one by one
    bool in_turn = false;          ///< what a lane does may depend on earlier lanes: the loop is executed in order
    bool single_tail = false;      ///< what does not fill a vector goes one by one, not under a mask

    Lanes() = default;
    explicit Lanes(const schedule::Lanes& lanes)
        : width(lanes.width),
          columns(lanes.columns),
          covering(lanes.covering),
          open(lanes.vector()),
          in_turn(lanes.in_turn),
          single_tail(lanes.single_tail) {}

    int parts() const { return rows * columns; }
    bool vector() const { return width > 1; }
    bool masked() const { return !mask.empty(); }
};

}  // namespace sinter::emit
