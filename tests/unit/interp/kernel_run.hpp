// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a lowered cluster on its inputs.
#pragma once

#include "interp/kernel.hpp"
#include "tests/unit/interp/cluster_generator.hpp"

namespace sinter::test {

struct KernelRun {
    std::optional<interp::CheckFailure> failure;
    std::vector<interp::ArrayValue> results;
};

inline KernelRun run_kernel(const lower::Kernel& kernel, const Cluster& cluster) {
    auto argument = [&](const ir::Size& size) { return cluster.size_arguments[static_cast<std::size_t>(size.index)]; };
    std::vector<std::int64_t> sizes = ir::evaluate(kernel.sizes, argument);
    std::vector<std::int64_t> extents = ir::evaluate(cluster.program.sizes, argument);
    std::vector<ir::Type> types = types_of(cluster.program.body);
    KernelRun run;
    for (ir::ValueId id : cluster.program.body.results) {
        std::vector<std::int64_t> shape;
        for (ir::SizeId size : types[id.index].shape) shape.push_back(extents[size.index]);
        run.results.emplace_back(types[id.index].scalar, shape);
    }
    std::vector<interp::ArrayValue> inputs = cluster.inputs;
    std::vector<void*> buffers;
    for (interp::ArrayValue& array : inputs) buffers.push_back(array.bytes.data());
    for (interp::ArrayValue& array : run.results) buffers.push_back(array.bytes.data());
    buffers.resize(kernel.buffers.size());  // local ones
    run.failure = interp::interpret(kernel, buffers, sizes);
    return run;
}

}  // namespace sinter::test
