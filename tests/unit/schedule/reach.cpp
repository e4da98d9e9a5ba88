// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/steps/reach.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sinter::schedule;

TEST_CASE("bands of parts are exactly the elements that indices are in, within the hull", "[reach]") {
    for (std::int64_t every : {3, 5, 8})
        for (std::int64_t rows : {1, 2, 4})
            for (std::int64_t low : {-1, 0, 2})
                for (std::int64_t high : {low, low + 1})
                    for (std::int64_t begin = 0; begin < every; ++begin)
                        for (std::int64_t end = begin + 1; end <= every; ++end) {
                            const Reach reach{Reach::Kind::near,         1,     low,
                                              (rows - 1) * every + high, false, {every, 1, low, high}};
                            const std::int64_t elements = rows * every;
                            std::set<std::int64_t> expected, found;
                            for (std::int64_t i = begin; i < end; ++i)
                                for (std::int64_t row = 0; row < rows; ++row)
                                    for (std::int64_t k = i + low; k <= i + high; ++k)
                                        if (const std::int64_t e = row * every + k; e >= 0 && e < elements)
                                            expected.insert(e);
                            std::int64_t last = -1;
                            for (const Interval& part : reach.parts_of({begin, end}, elements)) {
                                CHECK(part.begin > last);
                                CHECK(part.length() > 0);
                                for (std::int64_t e = part.begin; e < part.end; ++e) found.insert(e);
                                last = part.end - 1;
                            }
                            for (std::int64_t e : expected) CHECK(found.count(e) == 1);
                            if (end - begin + high - low < every) {
                                // nothing but multiples of the band, which may begin before the first row
                                for (std::int64_t e : found) {
                                    bool inside = false;
                                    for (std::int64_t i = begin + low; i < end + high; ++i)
                                        inside = inside || (e - i) % every == 0;
                                    CHECK(inside);
                                }
                            }
                        }
}
