// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// field takes a member that BOOST_HANA_ADAPT_STRUCT names.
// expect: BOOST_HANA_ADAPT_STRUCT
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

struct Point {
    float x, y;
    float cached;
};
BOOST_HANA_ADAPT_STRUCT(Point, x, y);

auto member(Delayed<Point> points) {
    return map(
        [](Exp<Point> p) {
#ifdef SINTER_BAD
            return field<&Point::cached>(p);
#else
            return field<&Point::x>(p);
#endif
        },
        points);
}
