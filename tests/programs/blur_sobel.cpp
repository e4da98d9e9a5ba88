// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/blur_sobel.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("blur and Sobel: every stage") {
    struct Reference {
        std::int64_t height, width;
        std::uint64_t grey;
        double sum;
        std::uint64_t blurred;
        float largest;
        std::uint64_t magnitude;
        std::int64_t edges;
        std::uint64_t picture;
        std::int64_t edges_by_sum;
    };
    for (const Reference& r :
         {Reference{1, 1, 24, 24, 1103101952, 0, 0, 0, 0, 0},
          {2, 3, 822, 138.5625, 39692931072, 3.98685575f, 38617541796, 0, 0, 0},
          {64, 48, 1227763812, 376687.1055, 10587400514360832, 499.684174f, 10521083696044562, 1150, 960087750, 1157},
          {240, 320, 740173528968, 9634964.754, 6616392264812699904, 514.77948f, 6602045060559652834, 35323, 675167823525,
           34668}}) {
        CAPTURE(r.height, r.width);
        const auto image = test_image(r.height, r.width);
        const auto widen = [](Exp<float> x) { return cast<double>(x); };
        CHECK(run(checksum(everywhere(grey(image)))).item() == r.grey);
        const auto soft = everywhere(blurred(image));
        CHECK(run(sum(map(widen, flatten(soft)))).item() == Approx(r.sum).epsilon(1e-9));
        CHECK(run(checksum_of_bits(soft)).item() == r.blurred);
        const auto strength = everywhere(magnitude(image));
        CHECK(run(max(flatten(strength))).item() == r.largest);
        CHECK(run(checksum_of_bits(strength)).item() == r.magnitude);
        const auto picture = everywhere(edges(image));
        CHECK(run(count(flatten(picture) == 255)).item() == r.edges);
        CHECK(run(checksum(picture)).item() == r.picture);
        CHECK(run(count(flatten(everywhere(edges_by_sum(image))) == 255)).item() == r.edges_by_sum);
    }
}

TEST_CASE("blur and Sobel: results together") {
    const auto image = test_image(64, 48);
    const auto program = std::tuple(edges(image), magnitude(image), max(flatten(magnitude(image))));
    const auto [picture, strength, largest] = run(program);
    CHECK(run(checksum(picture)).item() == 960087750);
    CHECK(run(checksum_of_bits(strength)).item() == 10521083696044562);
    CHECK(largest.item() == 499.684174f);
}
