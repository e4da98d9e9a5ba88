// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers.hpp"

#include <sinter/detail/interop.hpp>

#include <fmt/format.h>

namespace sinter::files {

using detail::Scalar;

namespace {

std::uint64_t cast(Scalar from, std::uint64_t bits, Scalar to) {
    std::uint64_t result = 0;
    detail::cast_elements(from, &bits, to, &result, 1);
    return result;
}

bool is_negative(Scalar scalar, std::uint64_t bits) {
    return detail::is_signed_integer(scalar) && (bits >> (detail::bits_of(scalar) - 1) & 1) != 0;
}

}  // namespace

std::uint64_t exact_number(const Place& place, Scalar from, std::uint64_t bits, Scalar to) {
    if (detail::is_boolean(from) != detail::is_boolean(to))
        place.fail(fmt::format("is of type {}, expected {}", detail::name_of(from), detail::name_of(to)));
    const std::uint64_t value = cast(from, bits, to);
    const bool exact =
        detail::is_float(to) || (cast(to, value, from) == bits && is_negative(from, bits) == is_negative(to, value));
    if (!exact)
        place.fail(fmt::format("has a value of type {} that {} does not have", detail::name_of(from), detail::name_of(to)));
    return value;
}

}  // namespace sinter::files
