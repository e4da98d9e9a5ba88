// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/size_arithmetic.hpp"

#include <fmt/format.h>

namespace sinter::ir {

std::string print_count(std::int64_t size) {
    if (!is_huge(size)) return fmt::format("{}", size);
    return size > 0 ? "2^63 or more" : "-2^63 or less";
}

std::string describe_bad_shape(std::span<const std::int64_t> shape) {
    for (std::int64_t extent : shape)
        if (extent < 0) return fmt::format("an extent is {}, less than 0", print_count(extent));
    if (!is_huge(sizes::product(shape))) return {};
    if (shape.size() == 1) return "an array of 2^63 elements or more";
    std::string extents;
    for (std::int64_t extent : shape) extents += (extents.empty() ? "" : " x ") + print_count(extent);
    return fmt::format("an array of {} elements, 2^63 or more", extents);
}

std::string describe_bad_length(std::int64_t segment) {
    return fmt::format("the length of segment {} is negative", segment);
}

std::string describe_bad_total(std::int64_t segment) {
    return fmt::format("the lengths of segments 0 to {} add up to 2^63 or more", segment);
}

}  // namespace sinter::ir
