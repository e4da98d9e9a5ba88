// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/interop.hpp>

#include "ir/evaluate.hpp"

#include <cstring>

namespace sinter::detail {

void cast_elements(Scalar from, const void* source, Scalar to, void* target, std::size_t count) {
    const auto size = static_cast<std::size_t>(size_of(from)), width = static_cast<std::size_t>(size_of(to));
    if (from == to && !is_boolean(from)) {
        if (count != 0) std::memcpy(target, source, count * size);
        return;
    }
    const auto* next = static_cast<const std::byte*>(source);
    auto* out = static_cast<std::byte*>(target);
    for (std::size_t i = 0; i < count; ++i, next += size, out += width) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, next, size);
        if (is_boolean(from)) bits = bits != 0;
        const std::uint64_t value = from == to ? bits : ir::evaluate(ir::Op::cast, to, {&from, 1}, {&bits, 1});
        std::memcpy(out, &value, width);
    }
}

}  // namespace sinter::detail
