// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce in lanes that are rows (lanes/rows.hpp): one block of columns at a time.
#include "jit/emit/loop/reduction.hpp"

namespace sinter::emit {

namespace {

/// The columns of these values, combined from left to right, neighbours first.
Values combine_columns(Reduction& r, Values all) {
    for (std::size_t n = all[0].parts.size() / 2; n >= 1; n /= 2) {
        Values even, odd;
        for (const Value& v : all) {
            Few sides[2];
            for (std::size_t p = 0; p < 2 * n; ++p) sides[p % 2].push_back(v.parts[p]);
            even.push_back(Value::varying(v.type, sides[0]));
            odd.push_back(Value::varying(v.type, sides[1]));
        }
        const WithColumns with(r.emitter, static_cast<int>(n));
        all = r.op.varying(r.op.combine(even, odd));
    }
    return all;
}

}  // namespace

Values in_row_blocks(Reduction& r) {
    Few carried = r.op.pack(r.op.varying(r.op.init()));
    Values indices;
    r.nest.outer_loops(r.nest.rank() - 1, indices, carried, [&] {
        r.emitter.rows.in_blocks(r.inst, indices, carried, [&](const Values& elements) {
            const Values next = combine_columns(r, elements);
            carried = r.op.pack(r.op.varying(r.op.combine(r.op.unpack(carried, 1), next)));
        });
    });
    return r.op.unpack(carried, 1);
}

}  // namespace sinter::emit
