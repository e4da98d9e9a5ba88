// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers divided by one number, known or not: vectors multiply by its inverse where that is exact. Dividends next to
// multiples, and to the bounds up to which that is so.
#include "conform/support.hpp"

#include <limits>

using namespace sinter;
using namespace conform;

namespace {

template <class T>
std::vector<T> next_to_multiples(T divisor) {
    constexpr T largest = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
    std::vector<T> made{0, 1, T(-1), 2, largest, least, T(largest - 1), T(least + 1)};
    for (int bits = 1; bits < std::numeric_limits<T>::digits; ++bits)
        for (T near : {T(-1), T(0), T(1)}) {
            const T power = T(T(T(1) << bits) + near), multiple = T(power / divisor * divisor);
            for (T each : {power, multiple, T(multiple - 1), T(multiple + 1)}) {
                made.push_back(each);
                if (std::is_signed_v<T>) made.push_back(T(-each));
            }
        }
    return made;
}

template <class T>
void check(T divisor) {
    CAPTURE(divisor);
    const Array<T> x = from(next_to_multiples(divisor)), y = from({divisor});
    everywhere(zip(map([=](Exp<T> v) { return v / divisor; }, x), map([=](Exp<T> v) { return v % divisor; }, x)));
    everywhere(zip(map([=](Exp<T> v) { return v / y(0); }, x), map([=](Exp<T> v) { return v % y(0); }, x)));
    // Small ones only, so that no lane keeps the others from multiplying.
    const auto small = map([](Exp<T> v) { return v % T(1000); }, x);
    everywhere(zip(map([=](Exp<T> v) { return v / y(0) + v % y(0); }, small), small));
}

}  // namespace

TEMPLATE_TEST_CASE("division by one number", "[map]", std::int32_t, std::uint32_t, std::int64_t) {
    using T = TestType;
    for (T divisor : {1, 2, 3, 5, 7, 10, 16, 75, 641, 65537, 1000003}) check<T>(divisor);
    if constexpr (std::is_signed_v<T>)
        for (T divisor : {-1, -2, -3, -10, -65537}) check<T>(divisor);
    if constexpr (sizeof(T) == 8)
        for (T divisor : {(T(1) << 40) - 87, (T(1) << 49) + 1, (T(1) << 50) - 27, (T(1) << 62) - 57}) check<T>(divisor);
    check<T>(std::numeric_limits<T>::max());
}

TEST_CASE("indices divided by numbers", "[map]") {
    using I = Exp<std::int64_t>;
    for (std::int64_t n : {1, 7, 75, 1000, 4099}) {
        const Array<std::int64_t> d = from({std::int64_t(9)});
        everywhere(generate(shape(n), [=](I i) { return i / 15 * 1000 + i / 3 % 5 * 100 + i % 3 * 10 + i % d(0); }));
        everywhere(generate(shape(n, 11), [=](I i, I k) { return (k - i) / 7 + (i - k) % 7 * 100 + (k - i) / d(0); }));
    }
}
