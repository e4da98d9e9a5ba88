// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random clusters of the closed fused form, with inputs.
#pragma once

#include "interp/array.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <vector>

namespace sinter::test {

struct Cluster {
    ir::Program program;
    std::vector<interp::ArrayValue> inputs;
    std::vector<std::int64_t> size_arguments;
};

/// The same for equal seeds. Some of them fail at run time.
Cluster random_cluster(std::uint64_t seed);

}  // namespace sinter::test
