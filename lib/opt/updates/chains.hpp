// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays that are updated one window after another, and what reads them.
#pragma once

#include "ir/sizes/linear.hpp"

#include <optional>
#include <set>
#include <vector>

namespace sinter::opt {

using Position = std::size_t;  ///< of a binding in its body

/// Windows of one array that are overwritten one after another. Version k is the array after the first k of them.
struct Chain {
    ir::ValueId array;
    std::vector<Position> updates;
    std::vector<ir::AffinePoint> windows;
    std::vector<ir::Shape> shapes;  ///< of the points of each window
};

/// A read of a version, by a binding or by the end of the body.
struct Read {
    std::optional<Position> by;
    std::size_t version;
    std::optional<std::vector<ir::AffinePoint>> where;  ///< nothing if it may be anywhere
    ir::Shape shape;                                    ///< of the points from which it is read
    bool is_nested = false;
    std::vector<std::size_t> users = {};  ///< updates whose values are made from it
};

/// One body whose bindings begin at level `base`. Refers to its arguments.
class Chains {
  public:
    Chains(ir::SizeTable& sizes, const ir::Body& body, std::size_t base, const std::vector<ir::Type>& types,
           ir::LinearForms& forms);

    /// All chains of the body.
    std::vector<Chain> find();
    /// What reads a version of the chain's array, besides its updates.
    std::vector<Read> reads(const Chain& chain);
    /// Whether the read may touch update k's window.
    bool touches(const Read& read, const Chain& chain, std::size_t k);
    /// Whether the windows of two updates may overlap.
    bool overlap(const Chain& chain, std::size_t a, std::size_t b);

    const ir::Body& body() const { return body_; }
    const ir::Scatter* scatter(Position at) const { return std::get_if<ir::Scatter>(&body_.bindings[at].op); }
    ir::ValueId result(Position at) const { return ir::ValueId(levels_[at]); }
    /// The position at which the variable is made, if it is made in this body.
    std::optional<Position> producer(ir::ValueId id) const;
    /// The variables that a binding refers to.
    std::vector<ir::ValueId> needs(Position at) const;

  private:
    Read read(Position at, ir::ValueId array, std::size_t version);
    ir::AffinePoint slice_of(const ir::Slice& slice);
    void find_users(const Chain& chain, std::vector<Read>& reads) const;
    std::set<Position> made_for(Position update, const Chain& chain) const;

    ir::SizeTable& sizes_;
    const ir::Body& body_;
    const std::vector<ir::Type>& types_;
    ir::LinearForms& forms_;
    std::vector<std::size_t> levels_;  ///< by binding, and after the last one
};

}  // namespace sinter::opt
