// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/size_values.hpp"

#include <algorithm>

namespace sinter::runtime {

using ir::Size;
using ir::SizeId;

SizeValues::SizeValues(const Plan& plan, const Call& call) : plan_(plan), statics_(plan.program.sizes.count()) {
    const ir::SizeTable& sizes = plan.program.sizes;
    for (std::size_t k = 0; k < sizes.count(); ++k) {
        if (plan.dynamic[k]) continue;
        const Size& size = sizes[SizeId(k)];
        auto index = static_cast<std::size_t>(size.index);
        switch (size.kind) {
            case Size::Kind::input_extent:
                statics_[k] = call.inputs[index].shape[static_cast<std::size_t>(size.axis)];
                break;
            case Size::Kind::value:
                statics_[k] = call.inputs[index].number();
                break;
            case Size::Kind::argument:
                statics_[k] = call.size_arguments[index];
                break;
            case Size::Kind::constant:
                statics_[k] = size.index;
                break;
            default:
                statics_[k] = ir::apply(size.kind, statics_[size.left.index], statics_[size.right.index]);
        }
    }
}

void evaluate_kernel_sizes(const ir::SizeTable& sizes, std::span<const std::int64_t> arguments,
                           std::span<std::int64_t> values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
        const Size& size = sizes[SizeId(k)];
        if (size.kind == Size::Kind::argument) {
            values[k] = arguments[static_cast<std::size_t>(size.index)];
        } else if (size.kind == Size::Kind::constant) {
            values[k] = size.index;
        } else {
            values[k] = ir::apply(size.kind, values[size.left.index], values[size.right.index]);
        }
    }
}

bool are_small(const lower::Kernel& kernel, std::span<const std::int64_t> sizes) {
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    if (std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return -limit < size && size < limit; }))
        return true;
    return std::any_of(kernel.space.begin(), kernel.space.end(), [&](SizeId id) { return sizes[id.index] == 0; });
}

}  // namespace sinter::runtime
