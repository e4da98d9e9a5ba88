// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps that change a box of a matrix element by element, each with an element of a row and one of a column that are known
/// by then: those of eliminations.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/linear.hpp"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sinter::enable {

/// A step k of a counted loop whose only state is a matrix:
///     a(i, j) := f(k, i, j, a(i, j), column(i), row(j), scalar)   for all i >= k + first[0], j >= k + first[1].
/// Whatever else the body reads or overwrites of the matrix is in row k or column k. Names are those of the body.
struct BoxStep {
    /// An array with the box's shape that has nothing to do with other elements of the box.
    struct Leaf {
        enum class Kind : std::uint8_t { own, column, row, scalar } kind;
        std::size_t index = 0;  ///< of `vectors` or `scalars`
    };
    /// A rank-1 array along an axis of the box.
    struct Vector {
        ir::ValueId array;
        std::size_t axis;
        ir::Scalar type;
        bool operator==(const Vector&) const = default;
    };
    /// A rank-0 variable of the body, other than the counter.
    struct Variable {
        ir::ValueId id;
        ir::Scalar type;
        bool operator==(const Variable&) const = default;
    };
    /// Which result of which binding an array is.
    struct Maker {
        std::size_t binding, result;
    };

    std::array<std::int64_t, 2> first{};  ///< 0 or 1
    bool if_square = false;               ///< the box reaches the end of the matrix only if that is square
    std::array<bool, 2> if_long{};        ///< all steps are in the box only if there are no more than the axis is long
    std::size_t update = 0;               ///< the binding that overwrites the box: the last of the matrix's updates
    std::vector<bool> is_element;         ///< by binding: makes arrays of the box's shape for the update's values
    std::unordered_map<ir::ValueId, Leaf> leaves;
    std::unordered_map<ir::ValueId, Maker> makers;  ///< of such arrays that are computed
    std::vector<Vector> vectors;                    ///< what elements need; not empty
    std::vector<Variable> scalars;
    std::vector<ir::ValueId> outside;               ///< rank-0 variables from outside of the body
    bool uses_counter = false, uses_place = false;  ///< `uses_place`: the element's place in the box
};

/// `types`: by level, with those of the body's bindings. `base`: the level of the body's first parameter. `forms` knows the
/// body's scalars and arrays of indices.
std::optional<BoxStep> box_step(ir::SizeTable& sizes, const ir::Loop& loop, std::size_t base,
                                const std::vector<ir::Type>& types, ir::LinearForms& forms);

}  // namespace sinter::enable
