// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The closed fused form: what one kernel can compute.
///
/// One *element space* E. Without folds, every result has the shape E. Folds all reduce the same axes A of the same E; then
/// results are element-wise in E and independent of the folds, or have the shape P = E without A and may use the folds
/// element by element. No fold's result flows back into E.
#pragma once

#include "ir/program.hpp"

#include <cstddef>
#include <vector>

namespace sinter::lower {

struct Form {
    ir::Shape space;                   ///< E
    std::vector<std::size_t> reduced;  ///< A, increasing
    std::vector<std::size_t> folds;    ///< bindings that results need, in order
    std::vector<bool> of_element;      ///< by result: computed for every point of E; otherwise of P
};

/// Throws Limitation if the program is not of this form.
Form closed_form(const ir::Program& cluster);

/// The binding and its result that variable `value` is; nothing for an input.
struct Definition {
    std::size_t binding;
    std::size_t result;
};
/// By variable, from the first that is not an input.
std::vector<Definition> definitions(const ir::Body& body);

location where(const ir::Program& program, ir::SiteId site);

}  // namespace sinter::lower
