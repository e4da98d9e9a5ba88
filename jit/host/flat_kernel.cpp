// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/flat_kernel.hpp"

#include "jit/host/target.hpp"
#include "lower/flatten.hpp"

#include <utility>

namespace sinter::host {

FlatKernel::FlatKernel(const lower::Kernel& original, std::shared_ptr<const Target> target)
    : kernel_(lower::flatten(original)), target_(std::move(target)), traits_(traits_of(kernel_, target_->machine())) {}

bool FlatKernel::is_worth_a_look(const lower::Kernel& original, const Traits& traits, const std::int64_t* sizes) {
    constexpr std::int64_t long_row = 128;
    if (original.space.size() < 2 || !traits.loops.empty() || traits.in_order) return false;
    const std::int64_t columns = sizes[original.space.back().index];
    return columns > 0 && columns < long_row;
}

bool FlatKernel::pays(const lower::Kernel& original, const Traits& traits, const std::int64_t* given) const {
    const std::vector<std::int64_t> own = sizes(original, given);
    return cost_of_points(kernel_, traits_, own.data()) < cost_of_points(original, traits, given);
}

std::vector<std::int64_t> FlatKernel::sizes(const lower::Kernel& original, const std::int64_t* given) const {
    std::vector<std::int64_t> result(given, given + original.sizes.count());
    result.resize(kernel_.sizes.count());
    const std::size_t axes = original.space.size();
    result[kernel_.space.back().index] = given[original.space[axes - 2].index] * given[original.space[axes - 1].index];
    return result;
}

}  // namespace sinter::host
