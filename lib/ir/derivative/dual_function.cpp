// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/dual_function.hpp"

#include "ir/derivative/duals.hpp"

#include <utility>

namespace sinter::ir::derivative {

Dual dual_function(const Fn& fn, const DualPlaces& places, bool all) {
    BlockBuilder builder;
    builder.open(places.params);
    std::vector<std::vector<Term>> tangents;
    for (const Term& tangent : places.tangents) tangents.push_back({tangent});
    Duals duals(builder, places.primal, std::move(tangents), places.slots, 1);
    duals.copy(fn.body.insts);
    Dual made{{places.arrays, {}}, {}};
    std::vector<Local> results;
    for (Local result : fn.body.results) results.push_back(duals.primal(result));
    for (Local result : fn.body.results) {
        const Scalar type = builder.type(duals.primal(result));
        const Term& tangent = duals.tangent(result);
        made.varied.push_back(tangent || (all && detail::is_float(type)));
        if (made.varied.back()) results.push_back(duals.terms().or_zero(tangent, type));
    }
    made.fn.body = builder.close(std::move(results));
    made.fn = canonical(made.fn);
    return made;
}

}  // namespace sinter::ir::derivative
