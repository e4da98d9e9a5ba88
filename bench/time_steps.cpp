// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a five-point stencil that keeps its border, beside a plain and a tiled loop in C++: 10 and 100 steps on 1024 x
// 1024 and 4096 x 4096 floats, two threads. Medians of interleaved calls; results are compared bit by bit.
#include <sinter/sinter.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace {

using namespace sinter;
using Grid = Delayed<float, 2>;
using Steps = Exp<std::int64_t>;

void row(const float* from, float* to, long n, long i) {
    for (long j = 1; j < n - 1; ++j) {
        const long k = i * n + j;
        to[k] = 0.2f * (from[k] + from[k - 1] + from[k + 1] + from[k - n] + from[k + n]);
    }
}

/// Leaves its result in `a`, and needs the same border in `b`.
void plain(std::vector<float>& a, std::vector<float>& b, long n, long steps) {
    for (long t = 0; t < steps; ++t) {
#pragma omp parallel for schedule(static)
        for (long i = 1; i < n - 1; ++i) row(a.data(), b.data(), n, i);
        std::swap(a, b);
    }
}

/// Blocks of rows, each with as many more rows as steps spoil, go through `deep` steps.
void tiled(std::vector<float>& a, std::vector<float>& b, long n, long steps) {
    constexpr long block = 64, most = 10;
    for (long done = 0; done < steps; done += most) {
        const long deep = std::min(most, steps - done);
#pragma omp parallel
        {
            std::vector<float> x(static_cast<std::size_t>((block + 2 * deep) * n)), y(x.size());
#pragma omp for schedule(static)
            for (long begin = 0; begin < n; begin += block) {
                const long end = std::min(begin + block, n), low = std::max(0L, begin - deep),
                           high = std::min(n, end + deep);
                std::copy(a.data() + low * n, a.data() + high * n, x.data());
                std::copy(a.data() + low * n, a.data() + high * n, y.data());
                for (long t = 0; t < deep; ++t) {
                    for (long i = 1; i < high - low - 1; ++i) row(x.data(), y.data(), n, i);
                    std::swap(x, y);
                }
                std::copy(x.data() + (begin - low) * n, x.data() + (end - low) * n, b.data() + begin * n);
            }
        }
        std::swap(a, b);
    }
}

double milliseconds(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void compare(long n, long steps, int turns) {
    std::vector<float> start(static_cast<std::size_t>(n * n));
    for (std::size_t k = 0; k < start.size(); ++k) start[k] = static_cast<float>(k * 2654435761U % 1000) * 0.001f;
    const Array<float, 2> a = from(start, shape(n, n));
    auto mean = [](auto s) { return 0.2f * (s(0, 0) + s(0, -1) + s(0, 1) + s(-1, 0) + s(1, 0)); };
    auto loop = [=](auto border) {
        return compile([=](Grid x, Steps count) {
            return for_loop(count, [=](Steps, Grid y) { return stencil(mean, border, y); }, x);
        });
    };
    auto keep = loop(boundary::keep);
    auto clamp = loop(boundary::clamp);
    std::vector<double> times[4];
    bool same = true;
    for (int turn = 0; turn <= turns; ++turn) {
        Array<float, 2> result;
        std::vector<float> x = start, y = start, u = start, v = start;
        const double now[] = {milliseconds([&] { plain(x, y, n, steps); }), milliseconds([&] { tiled(u, v, n, steps); }),
                              milliseconds([&] { result = keep(a, steps); }), milliseconds([&] { clamp(a, steps); })};
        const std::size_t bytes = start.size() * sizeof(float);
        same = same && std::memcmp(result.data(), x.data(), bytes) == 0 && std::memcmp(u.data(), x.data(), bytes) == 0;
        for (int k = 0; k < 4 && turn > 0; ++k) times[k].push_back(now[k]);
    }
    const double base = median(times[0]);
    std::printf("%5ld %5ld  c++ %8.2f ms, tiled c++ %8.2f, sinter keep %8.2f (%.2f of c++), clamp %8.2f (%.2f)%s\n", n,
                steps, base, median(times[1]), median(times[2]), median(times[2]) / base, median(times[3]),
                median(times[3]) / base, same ? "" : "  RESULTS DIFFER");
}

}  // namespace

int main() {
    for (long n : {1024, 4096}) compare(n, 10, 9);
    for (long n : {1024, 4096}) compare(n, 100, n == 1024 ? 9 : 3);
}
