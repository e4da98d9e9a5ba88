// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of rows of all lengths around those of a block's tile and of a part.
#include "conform/cards/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

/// All kinds of values of the type, many of them twice.
template <class T>
std::vector<T> mixed(std::int64_t n) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) {
        const std::uint64_t bits = i % 5 == 0 ? i % 7 : i * 0x9e3779b97f4a7c15u >> 3;
        if constexpr (std::is_floating_point_v<T>) {
            const T special[] = {std::numeric_limits<T>::quiet_NaN(), T(-0.0), T(0), -std::numeric_limits<T>::infinity()};
            v[i] = i % 6 == 1 ? special[bits % 4] : static_cast<T>(static_cast<std::int64_t>(bits)) * T(1e-12);
        } else {
            v[i] = static_cast<T>(bits);
        }
    }
    return v;
}

}  // namespace

TEMPLATE_TEST_CASE("sorts of all lengths on the gpu", "[sort]", bool, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double) {
    using T = TestType;
    if (!on_gpu()) return;
    for (std::int64_t n : {1, 2, 33, 1000, 4096, 4097, 30011}) {
        CAPTURE(n);
        Array<T> x = from(mixed<T>(n));
        check_on_gpu(sort(x));
        check_on_gpu(argsort(x));
        check_on_gpu(argsort(x, descending));
    }
}

TEST_CASE("sorts of lines on the gpu", "[sort]") {
    if (!on_gpu()) return;
    for (auto [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3, 5000}, {40, 130}, {300, 3}, {0, 7}, {7, 0}}) {
        CAPTURE(rows, columns);
        Array<float, 2> x = from(mixed<float>(rows * columns), shape(rows, columns));
        check_on_gpu(sort(x));
        check_on_gpu(argsort(x, descending));
    }
}

TEST_CASE("sorts by several keys on the gpu", "[sort]") {
    if (!on_gpu()) return;
    const std::int64_t n = 9001;
    auto small = map([](auto i) { return cast<std::int8_t>(i * 7 % 3); }, iota(n));
    auto keys = zip(small, from(mixed<double>(n)));
    check_on_gpu(argsort(keys));
    auto values = zip(iota(n), from(numbers<std::int16_t>(n)), from(mixed<float>(n)));
    auto [a, b, c] = unzip(std::get<1>(sort_by_key(keys, values)));
    check_on_gpu(a);
    check_on_gpu(b);
    check_on_gpu(c);
    check_on_gpu(sum(sort(from(numbers<int>(n)))));
}
