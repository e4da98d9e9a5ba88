// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The closed fused form: what one kernel can compute.
///
/// There is one *element space* E. Its pattern is one of
///   map      every result has the shape E;
///   fold     all folds reduce the same axes A of E. Results are element-wise in E, or have the shape P = E without A.
///            Whatever is element-wise in E may use the results of folds for its own point of P, and may be folded again: in
///            *stages*. Stage 0 needs no fold, stage s needs those of stage s - 1. Each stage is one pass over the elements
///            of a point. *Outer* folds go along other axes of E, none of A, or along axes of P. Nothing in the kernel
///            uses them, and all of their results are results of the kernel: accumulators, which each point updates. Beside
///            them there may be one scatter with an operator, of values in P;
///   scan     all scans go along the same axis A of E in one direction; all or none have initial values, all or none are
///            exclusive, all or none are recurrences; and only recurrences use each other. Results are element-wise in E, or
///            totals, or those of outer folds, along A and any other axes of E;
///   compact  there is one, over E. Results are element-wise in E, or those of the compact;
///   scatter  there is one, of values in E. Results are element-wise in E, or those of the scatter, or, if that has an
///            operator, those of outer folds along any axes of E.
#pragma once

#include "ir/program.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::lower {

struct Form {
    enum class Pattern : std::uint8_t { map, fold, scan, compact, scatter } pattern = Pattern::map;
    ir::Shape space;                   ///< E
    std::vector<std::size_t> reduced;  ///< A, increasing
    /// The bindings of the folds, the scans, the compact or the scatter that results need, in order.
    std::vector<std::size_t> loops;
    std::vector<std::size_t> outer;           ///< the outer folds: bindings, in order
    std::optional<std::size_t> scatter = {};  ///< the binding of the scatter, alone or beside folds
    std::vector<bool> of_element;             ///< by result: true if it is computed for every point of E
    std::vector<std::size_t> stages;          ///< by binding; for what is in P, 0 or that of a fold
};

/// Whether binding k is an outer fold.
inline bool is_outer(const Form& form, std::size_t k) {
    return std::find(form.outer.begin(), form.outer.end(), k) != form.outer.end();
}

/// Whether binding k accumulates what all points add to it: nothing else in the kernel uses its results.
inline bool is_accumulated(const Form& form, std::size_t k) { return is_outer(form, k) || form.scatter == k; }

/// Throws Limitation if the program is not of this form.
Form closed_form(const ir::Program& cluster);

/// The binding, and the number of the result, that variable `value` is; nothing for an input.
struct Definition {
    std::size_t binding;
    std::size_t result;
};
/// By variable, from the first one that is not an input.
std::vector<Definition> definitions(const ir::Body& body);

location where(const ir::Program& program, ir::SiteId site);

}  // namespace sinter::lower
