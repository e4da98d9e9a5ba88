// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reverse sweep needs of the forward sweep is kept in memory, or computed again where it is read: fusion decides by
// what moves fewer bytes, and arithmetic has its price in bytes. Explain says what it has decided.
#include "derivatives/support.hpp"

#include <string>

using namespace derivatives;

namespace {

/// Sums of the elements and of their squares have to be complete before the reverse sweep, which needs the elements.
template <class Element>
auto loss_of(Element element) {
    return [=](D1 x) {
        const D1 y = map(element, x);
        return sum(y) * sum(map([](D0 a) { return a * a; }, y));
    };
}

bool says_again(const std::string& text) { return text.find("Computed again where it is read") != std::string::npos; }

template <class Element>
std::string explained(Element element) {
    const Array<double> x = from(scattered(1 << 16, -1, 1));
    return explain(grad(loss_of(element))(x)).text();
}

}  // namespace

TEST_CASE("what is cheap is computed again in the reverse sweep, and what is not is kept", "[derivatives]") {
    auto cheap = [](D0 a) { return a * a + 0.5; };
    auto expensive = [](D0 a) { return tanh(sin(a) * exp(-a)) + atan(a); };
    CHECK(says_again(explained(cheap)));
    CHECK_FALSE(says_again(explained(expensive)));
    check(loss_of(cheap), {.n = 33});
    check(loss_of(expensive), {.n = 33});
}
