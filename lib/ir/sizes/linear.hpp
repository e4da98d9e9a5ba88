// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integers as linear forms: what is known of sizes, scalars and indices without their values. Two expressions with the same
/// form are equal in every call, even if one comes from a size and the other from a function of the user.
#pragma once

#include "ir/program.hpp"

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

namespace sinter::ir {

/// What a form is made of: a rank-0 variable, by level; a size that is not itself a form; or an index of the point for which
/// a function is called, by axis.
struct Term {
    enum class Kind : std::uint8_t { variable, size, axis } kind;
    std::size_t index = 0;
    auto operator<=>(const Term&) const = default;
};

/// A sum of terms, each multiplied by a factor, plus a constant. Factors and constants are so small that the sum never wraps
/// around if terms are extents or indices.
struct LinearForm {
    std::map<Term, std::int64_t> factors;
    std::int64_t constant = 0;
    bool operator==(const LinearForm&) const = default;
    bool is_constant() const { return factors.empty(); }
};
using MaybeForm = std::optional<LinearForm>;

/// a + factor * b
MaybeForm combine(const MaybeForm& a, std::int64_t factor, const MaybeForm& b);
/// The product, if one of them is a constant.
MaybeForm product(const MaybeForm& a, const MaybeForm& b);

/// The index along an axis of an array as a function of a point: start + step * point[axis], or the same for all points.
struct AffineIndex {
    LinearForm start;
    std::int64_t step = 0;
    std::optional<std::size_t> axis = {};
    bool operator==(const AffineIndex&) const = default;
};
/// An index vector, one entry per axis of the array.
using AffinePoint = std::vector<AffineIndex>;
/// Nothing if the form contains two axes of the point.
std::optional<AffineIndex> affine_index(LinearForm form);

/// The forms of sizes and of the scalars that a body computes.
class LinearForms {
  public:
    using TypeOf = std::function<const Type&(ValueId)>;
    /// `type` gives the type of any variable in scope.
    LinearForms(const SizeTable& sizes, TypeOf type) : sizes_(sizes), type_(std::move(type)) {}
    LinearForms(const SizeTable& sizes, const std::vector<Type>& by_level)
        : LinearForms(sizes, [&by_level](ValueId id) -> const Type& { return by_level[id.index]; }) {}
    /// Remembers the scalars that `binding` computes, and the arrays that it makes from indices and scalars alone, or as
    /// views of such arrays; its results begin at `level`.
    void define(const Binding& binding, std::size_t level);

    /// Forgets variables from `level` on, which are out of scope.
    void forget(std::size_t level);

    LinearForm of(SizeId size);
    /// The form of a rank-0 i64 variable.
    LinearForm of(ValueId scalar) const;
    /// The elements of an i64 array, as forms in the axes of their index.
    MaybeForm elements(ValueId array) const;
    /// The index of the argument's element that an element of a view is, by axis; nothing if it is not a form, or if it may
    /// be another element.
    std::optional<std::vector<MaybeForm>> source(const View& view, const Shape& arg, const Shape& result);
    /// The points at which a map's function reads the array that it captures as `array`; nothing if one of them is not a
    /// form.
    std::optional<std::vector<AffinePoint>> reads(const Map& map, ValueId array);
    /// The elements that a scatter overwrites, each at one point, if it neither combines nor drops anything and has one
    /// destination: with several, a point may overwrite the first before it has read the second.
    std::optional<AffinePoint> window(const Scatter& scatter) const;
    /// True if no element that is reached from points of shape `a_shape` is reached from points of shape `b_shape`: along
    /// one of the axes, all elements of one side lie before all of the other side.
    bool are_apart(const AffinePoint& a, const Shape& a_shape, const AffinePoint& b, const Shape& b_shape);

  private:
    MaybeForm compound(const Size& size);
    void define(const View& view, const Type& type, std::size_t level);
    std::vector<MaybeForm> results(const Map& map);
    MaybeForm last(const AffineIndex& index, const Shape& shape);

    const SizeTable& sizes_;
    TypeOf type_;
    std::unordered_map<std::size_t, LinearForm> elements_;  ///< by level, of scalars and arrays
    std::unordered_map<SizeId, LinearForm> known_;          ///< a memo, because sizes share parts
};

}  // namespace sinter::ir
