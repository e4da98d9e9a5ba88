// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lifting does to scalar functions, and the small functions that it writes.
#pragma once

#include "ir/builder.hpp"
#include "ir/function.hpp"

#include <optional>
#include <vector>

namespace sinter::enable {

/// How the parameters of the function of a lifted operation relate to those of the original function.
struct Relation {
    std::vector<ir::Scalar> params;     ///< of the lifted function
    std::vector<ir::Local> places;      ///< by parameter of the original function: its place in params
    std::optional<ir::Local> position;  ///< the parameter with the slice's position
    std::optional<ir::Local> mask;      ///< a boolean parameter: where it is false, nothing is executed and results are 0
    std::vector<bool> arrays;           ///< by slot: true if it gets an axis in front, at which it is read at `position`

    /// All parameters stay as they are, and nothing has been added.
    static Relation keep(const ir::Fn& fn) {
        Relation relation{{}, {}, {}, {}, std::vector<bool>(fn.arrays.size())};
        for (ir::Scalar param : fn.body.params) relation.places.push_back(relation.add(param));
        return relation;
    }

    /// Adds a parameter.
    ir::Local add(ir::Scalar scalar) {
        params.push_back(scalar);
        return ir::Local(params.size() - 1);
    }
};

/// Expectations and prints use the position, if there is one, as the first index of their element.
ir::Fn lift_function(const ir::Fn& fn, const Relation& relation);

/// True for expect and debug_print.
bool names_element(const ir::Inst& inst);
/// Emits such an instruction about an element of the slice at this position as one about an element of all slices.
ir::Local name_slice(ir::BlockBuilder& to, ir::Inst inst, ir::Local position);

/// {x0, x1, .. -> op x0 x1 ..}
ir::Fn apply_op(ir::Op op, const std::vector<ir::Scalar>& params);
/// {-> the outermost extent of array 0}
ir::Fn extent_fn(ir::Scalar scalar, std::size_t rank);
/// {-> constant}
ir::Fn constant_fn(ir::Scalar scalar, std::uint64_t bits);
/// Parameter k out of `count`, which are i64.
ir::Fn index_fn(std::size_t count, std::size_t k);
/// One read of each of these arrays, at the index given by the parameters.
ir::Fn read_all(std::vector<ir::ArrayParam> arrays);

}  // namespace sinter::enable
