// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes and array types. Sizes are symbolic: a program is the same for all extents with which it is run.
#pragma once

#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include "support/id.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::ir {

using detail::Scalar;

/// An entry in a program's size table.
using SizeId = Id<struct SizeTag>;
/// A variable of a program: the position of its definition counted from the outermost body, i.e. a de Bruijn level.
using ValueId = Id<struct ValueTag>;
/// A position in Program::sites.
using SiteId = Id<struct SiteTag>;

/// The call in the user's program from which an operation came.
struct Site {
    location where;
    const char* called = nullptr;  ///< the combinator, in static storage; null if it has the operation's name
};

/// A symbolic int64 expression, hash-consed in a SizeTable: sizes with equal ids are equal.
struct Size {
    enum class Kind : std::uint8_t {
        input_extent,  ///< extent `axis` of program input `index`
        argument,      ///< the program's size argument `index`: a literal of the user's program that is kept out of the text
        value,         ///< the value of the rank-0 i64 variable `index`
        constant,      ///< `index` itself
        add,
        sub,
        mul,       ///< of left and right
        ceil_div,  ///< (left + right - 1) / right, right > 0
        minimum,
        maximum,
    };
    Kind kind;
    std::int64_t index = 0;
    std::int64_t axis = 0;
    SizeId left, right;
    bool operator==(const Size&) const = default;
};

/// All sizes of a program. Expressions are normalised on entry (constants folded, neutral elements dropped, operands of
/// commutative operations ordered), so that syntactic differences do not hide equality.
class SizeTable {
  public:
    SizeId constant(std::int64_t value);
    SizeId input_extent(std::size_t input, std::size_t axis);
    SizeId argument(std::size_t index);
    SizeId value(ValueId id);
    SizeId add(SizeId a, SizeId b);
    SizeId sub(SizeId a, SizeId b);
    SizeId mul(SizeId a, SizeId b);
    SizeId ceil_div(SizeId a, SizeId b);
    SizeId minimum(SizeId a, SizeId b);
    SizeId maximum(SizeId a, SizeId b);
    /// Enters any entry, whose operands have to be in the table already, and normalises it.
    SizeId intern(const Size& size);

    const Size& operator[](SizeId id) const { return entries_[id.index]; }
    std::size_t count() const { return entries_.size(); }
    /// True if `id` is the constant `value`.
    bool is_constant(SizeId id, std::int64_t value) const;

  private:
    struct Hash {
        std::size_t operator()(const Size& size) const noexcept;
    };
    SizeId enter(const Size& size);
    SizeId commutative(Size::Kind kind, SizeId a, SizeId b);
    bool before(SizeId a, SizeId b) const;
    std::vector<Size> entries_;
    std::unordered_map<Size, SizeId, Hash> ids_;
};

/// The value of every entry of `table`, by id (size_arithmetic.hpp); `leaf` gives the values of input extents, arguments and
/// `value` entries. Linear in the table.
std::vector<std::int64_t> evaluate(const SizeTable& table, const std::function<std::int64_t(const Size&)>& leaf);

using Shape = std::vector<SizeId>;

/// The type of a variable: a scalar type and one size per axis, outermost first. An array of rank 0 is a scalar.
struct Type {
    Scalar scalar = Scalar::f32;
    Shape shape;
    std::size_t rank() const { return shape.size(); }
    bool operator==(const Type&) const = default;
};

}  // namespace sinter::ir
