// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set as mandelbrot.png: a loop inside generate that runs as many points wide as the processor's vectors are.
//
//   mandelbrot [width] [height]
#include "programs/mandelbrot.hpp"

#include "programs/png.hpp"

#include <sinter/sinter.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace sinter;

namespace {

constexpr std::int32_t limit = 100;

/// Red, green and blue of a count: blue to white to brown; the set is black.
Exp<std::uint32_t> colour(Exp<std::int32_t> n) {
    const Exp<float> t = sqrt(cast<float>(n) / float(limit));
    const auto channel = [&](float phase) {
        return cast<std::uint32_t>(127.5f + 127.5f * cos(6.2831853f * (t * 1.6f + phase)));
    };
    const Exp<std::uint32_t> rgb = channel(0.5f) << 16 | channel(0.42f) << 8 | channel(0.28f);
    return select(n == limit, 0u, rgb);
}

struct Reference {
    std::int64_t width, height, sum;
};
constexpr Reference references[] = {{80, 60, 131563}, {800, 600, 12970242}, {4000, 4000, 336333550}};

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t width = argc > 2 ? std::atoll(argv[1]) : 800, height = argc > 2 ? std::atoll(argv[2]) : 600;
    const Delayed<std::int32_t, 2> n = programs::escape_times<float>(programs::whole_set<float>, width, height);
    const Delayed<std::int64_t> flat = flatten(map([](Exp<std::int32_t> k) { return cast<std::int64_t>(k); }, n));
    const auto [pixels, total] = run(map(colour, n), sum(flat));  // the counts themselves are never stored

    bool good = programs::write_png("mandelbrot.png", pixels);
    std::printf("mandelbrot.png: %lld x %lld pixels, %lld rounds", static_cast<long long>(width),
                static_cast<long long>(height), static_cast<long long>(total.item()));
    for (const Reference& r : references) {
        if (r.width != width || r.height != height) continue;
        good &= total.item() == r.sum;  // exact: nothing was contracted
        std::printf("   expected %lld: %s", static_cast<long long>(r.sum), total.item() == r.sum ? "ok" : "WRONG");
    }
    std::printf("\n");
    return good ? 0 : 1;
}
