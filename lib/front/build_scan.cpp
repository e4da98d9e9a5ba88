// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of scans.
#include <sinter/detail/build.hpp>

#include "front/extent_source.hpp"
#include "front/shape.hpp"
#include "front/traced.hpp"

namespace sinter::detail {

using namespace sinter::front;

void end_scan(std::uint64_t trace, const Handle* results, const LeafRef* inits, const LeafRef* args, std::size_t count,
              const ScanKind& kind, LeafRef* out) {
    Frame& frame = traced_function(trace);
    Scan scan{.op = finish_function(frame, results, count),
              .inits = to_leaves(inits, inits ? count : 0, frame.where),
              .args = to_leaves(args, count, frame.where),
              .captures = take_captures(frame),
              .axis = 0,
              .exclusive = kind.exclusive,
              .reverse = kind.reverse,
              .totals = kind.totals};
    auto shape = merged_shape(scan.args);
    scan.axis = normal_axis(kind.axis, shape.size(), frame.combinator, frame.where);
    auto scalars = ir::result_types(scan.op);
    auto types = typed(scalars, shape);
    if (kind.totals) {
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(scan.axis));
        for (auto& type : typed(scalars, shape)) types.push_back(std::move(type));
    }
    write_results(make_node(std::move(scan), std::move(types), frame.where, frame.combinator), out);
}

}  // namespace sinter::detail
