// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/array.hpp"

#include "ir/evaluate.hpp"
#include "ir/sizes/size_arithmetic.hpp"

#include <cmath>
#include <new>

namespace sinter::interp {

ArrayValue::ArrayValue(Scalar s, std::vector<std::int64_t> extents) : scalar(s), shape(std::move(extents)) {
    const std::int64_t size = ir::sizes::mul(count(), detail::size_of(scalar));
    if (ir::is_huge(size)) throw std::bad_alloc();
    bytes.resize(static_cast<std::size_t>(size));
}

ArrayValue::ArrayValue(Scalar s, std::vector<std::int64_t> extents, std::span<const std::uint64_t> elements)
    : ArrayValue(s, std::move(extents)) {
    for (std::size_t k = 0; k < elements.size(); ++k) set(static_cast<std::int64_t>(k), elements[k]);
}

std::int64_t ArrayValue::count() const { return ir::sizes::product(shape); }

bool same_values(const ArrayValue& a, const ArrayValue& b) {
    if (a.scalar != b.scalar || a.shape != b.shape) return false;
    for (std::int64_t k = 0; k < a.count(); ++k) {
        if (a[k] == b[k]) continue;
        if (!detail::is_float(a.scalar)) return false;
        if (!std::isnan(ir::to_double(a.scalar, a[k])) || !std::isnan(ir::to_double(b.scalar, b[k]))) return false;
    }
    return true;
}

}  // namespace sinter::interp
