// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A traversal of a program that knows what its sizes are at least and at most in the loops around each place.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/bounds.hpp"

#include <vector>

namespace sinter::opt {

class SizeWalk {
  public:
    virtual ~SizeWalk() = default;

  protected:
    explicit SizeWalk(ir::Program& program)
        : program_(program), forms_(program.sizes, types_), bounds_(program.sizes, forms_, program.body.params.size()) {}

    void run() { body(program_.body); }
    /// Is offered a conditional or a loop before its bodies.
    virtual void enter(ir::Binding&) {}
    /// Is offered each body of a conditional or a loop, `owner`, when all of its variables are in scope. It may change the
    /// guards. `level`: that of the body's first parameter.
    virtual void leave(ir::Binding& owner, ir::Body& body, std::size_t level) = 0;
    /// Is offered every other binding, which may not be moved while the body is being traversed; its results begin at
    /// `level`.
    virtual void pass(ir::Binding&, std::size_t /*level*/) {}

    ir::Program& program_;
    std::vector<ir::Type> types_;  ///< of all variables in scope, by level
    ir::LinearForms forms_;
    ir::SizeBounds bounds_;

  private:
    void body(ir::Body& body);
    void bodies(ir::Binding& binding, std::vector<ir::Body>& nested);
};

}  // namespace sinter::opt
