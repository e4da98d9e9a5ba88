// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations in the cluster notation [I | O] of van Balen 2024, table 1, for the verifier. It deliberately shares nothing
/// with the dependence graph, and reads the program itself.
#pragma once

#include "fuse/partition.hpp"

#include <optional>
#include <set>

namespace sinter::fuse {

/// A traversal order d: steps from the index of the cluster's loop to the index of an array. If there are none, the order is
/// left to right (order 0). A step is a kind and its parameters; adjacent transposes are merged.
using Traversal = std::vector<std::vector<std::int64_t>>;
enum StepKind : std::int64_t {
    transpose_step,
    slice_step,
    broadcast_step,
    reshape_step,
    shift_step,
    pad_step,
    gather_step,
    scalar_step,
    reduce_step
};

/// A pair in I: x:d, or x without an order if it is read as a whole.
struct Input {
    ir::ValueId x;
    std::optional<Traversal> order;
    auto operator<=>(const Input&) const = default;
};

class Notation {
  public:
    Notation(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer);

    /// I for an operation that produces its results in order d. Transparent operations are read through.
    std::set<Input> inputs(Operation op, const Traversal& d) const;
    /// I of a fold whose elements are read in order d, wherever its results go.
    std::set<Input> inputs_of_elements(Operation fold, const Traversal& d) const;
    /// The order in which a fold that produces in order d consumes its argument.
    Traversal element_order(const ir::Fold& fold, const Traversal& d) const;
    /// d without offsets of up to 1024 elements. Reads in orders with the same course can be shared.
    Traversal course(const Traversal& d) const;
    /// True if the operation has to be a cluster of its own (force, cond, loop).
    bool stands_alone(Operation op) const;

    const ir::Binding& binding(Operation op) const { return body_.bindings[op.index]; }
    bool is_transparent(Operation op) const { return transparent_[op.index]; }
    /// True if the body makes x as a constant.
    bool is_constant(ir::ValueId x) const;
    const ir::Type& type(ir::ValueId x) const { return types_[x.index]; }
    std::size_t level(Operation op) const { return levels_[op.index]; }
    /// The operation that makes x; invalid if x comes from outside the body.
    Operation producer(ir::ValueId x) const { return producers_[x.index]; }
    std::string name(Operation op) const;

  private:
    class Reader;
    std::int64_t without_offset(std::int64_t start) const;
    const ir::Program& program_;
    const ir::Body& body_;
    const std::size_t base_;  ///< the level of the body's first parameter
    std::vector<ir::Type> types_;
    std::vector<std::size_t> levels_;
    std::vector<Operation> producers_;
    std::vector<bool> transparent_;
};

/// True if several indices of the loop lead to one element.
bool repeats(const Traversal& d);

}  // namespace sinter::fuse
