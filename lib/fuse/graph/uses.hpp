// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an operation needs of each variable that it uses. Only this file knows how operations read.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::fuse {

enum class UseKind : std::uint8_t {
    element,  ///< one element per point of the operation's space, at the same index (for a view: at the index it computes)
    reduced,  ///< argument of a fold: one element per point of the space that it reduces
    source,   ///< one element at a computed index: of a gather, or read at most once by a function (ir::ArrayParam)
    scalar,   ///< a rank-0 variable that a function captures
    initial,  ///< a rank-0 variable that a fold starts with
    whole,    ///< array read at computed indices by a function
    forced,   ///< argument of force, sort or a foreign function
    updated,  ///< destination of a scatter
    control,  ///< operand of cond or loop, or used in their bodies
    extent,   ///< a size depends on the value
};

/// True if the variable itself has to be in memory, even if it is a view or cheap to compute.
constexpr bool needs_storage(UseKind kind) { return kind >= UseKind::forced; }

struct Use {
    ir::ValueId variable;
    UseKind kind;
};

/// Lists the uses of operations of one program.
class UseFinder {
  public:
    explicit UseFinder(const ir::SizeTable& sizes);
    /// The uses of `binding`, whose first result has level `level`: variables of lower levels only, possibly repeated.
    std::vector<Use> operator()(const ir::Binding& binding, std::size_t level) const;

  private:
    void add_size(ir::SizeId size, std::size_t level, std::vector<Use>& to) const;
    void add_sizes(const ir::Binding& binding, std::size_t level, std::vector<Use>& to) const;
    void add_body(const ir::Body& body, std::size_t level, std::vector<Use>& to) const;
    const ir::SizeTable& sizes_;
    std::vector<bool> has_value_;  ///< by size: true if it depends on the value of a variable
};

}  // namespace sinter::fuse
