// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The vocabulary of forward and reverse mode: small array operations, with new names.
#pragma once

#include "ad/loops/updated_states.hpp"
#include "ir/rebuild.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinter::ad {

/// A tangent or adjoint of an array; nothing means zero.
using Derived = std::optional<ir::ValueId>;

class Sweep : public ir::Rebuilder {
  protected:
    /// Adds an operation; returns its first result.
    ir::ValueId emit(ir::ArrayOp op, std::vector<ir::Type> types) {
        ir::Binding made{std::move(op), std::move(types), site_};
        emitting(made);
        return append(std::move(made));
    }
    /// Is told of each operation that emit() adds.
    virtual void emitting(const ir::Binding&) {}
    /// A map without captures over arrays of one shape.
    ir::ValueId map(ir::Fn fn, std::vector<ir::ValueId> args, ir::Scalar result);
    ir::ValueId filled(const ir::Type& type, double value);
    ir::ValueId zeros(const ir::Type& type) { return filled(type, 0); }
    ir::ValueId or_zeros(const Derived& derived, const ir::Type& type) { return derived ? *derived : zeros(type); }
    ir::ValueId add(ir::ValueId a, ir::ValueId b);
    ir::ValueId constant(ir::Scalar scalar, double value);
    /// Zeros of any type.
    ir::ValueId zeros_of(ir::Type type) { return broadcast(zero_of(type.scalar), {}, type.shape); }
    ir::ValueId zero_of(ir::Scalar scalar);
    ir::ValueId constant_index(std::int64_t value);
    ir::ValueId filled_index(const ir::Shape& shape, std::int64_t value);
    /// The index along an axis, at each point of the shape.
    ir::ValueId position(const ir::Shape& shape, std::size_t axis);
    /// The indices along all axes.
    std::vector<ir::ValueId> positions(ir::Shape shape);
    /// The sum along these axes, which have to be increasing.
    ir::ValueId sum(ir::ValueId array, std::vector<std::size_t> axes);
    ir::ValueId sum_of_all(ir::ValueId array);
    /// The array repeated along the axes that are not among `axes`.
    ir::ValueId broadcast(ir::ValueId array, std::vector<std::size_t> axes, const ir::Shape& shape);
    /// An array of rank 0, or of `shape` without `axes`, repeated to `shape`.
    ir::ValueId spread(ir::ValueId array, const std::vector<std::size_t>& axes, const ir::Shape& shape);
    ir::ValueId reshape(ir::ValueId array, ir::Shape shape);
    ir::ValueId transpose(ir::ValueId array, const std::vector<std::size_t>& axes);
    /// `array` at start + i, and zero where that leaves the array.
    ir::ValueId padded(ir::ValueId array, const std::vector<ir::SizeId>& start, ir::Shape shape);
    /// `to` with values added at these indices.
    ir::ValueId scatter_add(ir::ValueId to, std::vector<ir::ValueId> indices, ir::ValueId values,
                            std::optional<std::size_t> drops);
    /// For a scatter with min or max, with new names, and its result: the position in row-major order of the last value that
    /// each element of the result has been taken from; INT64_MAX where it is that of the destination; -1 where it is none of
    /// them (NaN).
    struct Chosen {
        ir::ValueId owner;
        ir::ValueId number;  ///< the positions of all values
    };
    Chosen chosen_values(const ir::Scatter& scatter, ir::ValueId result);
    /// Elements of an array; zero if the index is that of a dropped element.
    ir::ValueId read_at(ir::ValueId array, const std::vector<ir::ValueId>& indices, std::optional<std::size_t> drops);
    /// The position of each point in row-major order.
    ir::ValueId numbers(ir::ValueId like);
    /// The elements along `axis` at a distance of `step` from each other, with zeros between and behind them.
    ir::ValueId dilated(ir::ValueId array, std::size_t axis, std::int64_t step);
    /// The size as a variable of rank 0; nothing if it depends on a size argument.
    Derived scalar_of(ir::SizeId size);
    /// The extent of an array as a variable of rank 0.
    ir::ValueId extent_of(ir::ValueId array, std::size_t axis);
    /// The number of elements of an array, as a variable of rank 0.
    ir::ValueId elements_of(ir::ValueId array);
    /// What a loop does, as variables of rank 0.
    struct Tally {
        ir::ValueId iterations;
        std::vector<ir::ValueId> elements;  ///< of states, before all iterations together
    };
    /// Executes a loop, which has old names, once in order to count its iterations and the elements of the states `counted`.
    /// `types`: those of its results, as rename_types() makes them.
    Tally tally(const ir::Loop& loop, const std::vector<ir::Type>& types, const std::vector<std::size_t>& counted = {});
    /// updated_states() of a loop that has old names, with new names of variables from outside.
    std::vector<std::vector<Update>> updates_of(const ir::Loop& loop);
    /// The transpose, at zero, of a function with old names whose parameters are `fixed` and others, in which it is linear.
    /// Given seeds for its results, it returns one adjoint for each of the other parameters with numbers `by`; the function
    /// returns the first of these adjoints. It is a vjp.
    ir::ValueId transposed(ir::Body rule, const std::vector<ir::ValueId>& fixed, const std::vector<ir::Type>& others,
                           std::vector<std::size_t> by, std::vector<ir::ValueId> seeds);
    /// The results of a body with old names for these parameters.
    std::vector<ir::ValueId> results_of(ir::Body body, const std::vector<ir::ValueId>& params);
    ir::SizeId negated(ir::SizeId size) { return sizes().sub(sizes().constant(0), size); }

    /// Keeps a binding, which has old names, and sets `flag` to `value` while its inside is being rewritten.
    void keep_while(ir::Binding binding, bool& flag, bool value);
    /// Keeps a derivative, or a function with a rule for it, and sets `inside` while what it contains is being rewritten:
    /// true in a vjp that is differentiated in this round. Other bindings are not kept; returns false for them.
    bool keep_with_scope(ir::Binding& binding, bool& inside);

    std::vector<ir::ValueId> renamed(const std::vector<ir::ValueId>& old) const;
    std::vector<ir::Type> renamed(const std::vector<ir::Type>& old);

    /// The operations written from now on come from this place in the user's program.
    void at(ir::SiteId site) { site_ = site; }
    ir::SiteId site() const { return site_; }
    [[noreturn]] void refuse(const std::string& text) const;

  private:
    ir::SiteId site_;
};

/// The variables from number `first` on.
std::vector<ir::ValueId> results_from(ir::ValueId first, std::size_t count);
/// {a, b -> op a b} on two i64.
ir::Fn index_op(ir::Op op);
/// {a, b -> a + b}
ir::Fn sum_fn(ir::Scalar scalar);

}  // namespace sinter::ad
