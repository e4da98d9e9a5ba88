// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of short steps: what a step costs beside the work that it does. Steps of 1, 2 and 5 kernels, on arrays whose extents
// stay as they are and on slices that shrink; beside the same loop in plain C++ on one thread.
#include "measure.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bench {
namespace {

using namespace sinter;

using index = std::int64_t;
using I = Exp<index>;
using R = Exp<double>;
using D1 = Delayed<double>;
using D2 = Delayed<double, 2>;
using Vector = std::vector<double>;

/// A loop that replaces an array.
struct Program {
    std::string name;
    index extent, steps;
    std::function<D1(D1)> loop;  ///< the array as a vector
    std::function<void(double* x)> plain;
};

double total(const double* x, index n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index i = 0; i < n; ++i) sum += x[i];
    return sum;
}

double largest(const double* x, index n) {
    double most = x[0];
#pragma omp simd reduction(max : most)
    for (index i = 0; i < n; ++i) most = std::max(most, x[i]);
    return most;
}

void scale(double* x, index n, double factor, double more) {
    for (index i = 0; i < n; ++i) x[i] = x[i] * factor + more;
}

// Extents that stay.

Program one_kernel(index n) {
    const index steps = 2000;
    return {"1 kernel", n, steps, [=](D1 x) { return for_loop(steps, [](I, D1 x) { return x * 0.5 + 1.; }, x); },
            [=](double* x) {
                for (index t = 0; t < steps; ++t) scale(x, n, 0.5, 1.);
            }};
}

Program two_kernels(index n) {
    const index steps = 2000;
    const double part = 0.5 / static_cast<double>(n);
    auto step = [=](I, D1 x) {
        auto rest = sum(x) * part;
        return map([=](R v) { return v * 0.5 + rest(); }, x);
    };
    return {"2 kernels", n, steps, [=](D1 x) { return for_loop(steps, step, x); },
            [=](double* x) {
                for (index t = 0; t < steps; ++t) scale(x, n, 0.5, total(x, n) * part);
            }};
}

Program five_kernels(index n) {
    const index steps = 2000;
    const double part = 0.5 / static_cast<double>(n);
    auto step = [=](I, D1 x, R) {
        auto rest = sum(x) * part;
        D1 y = map([=](R v) { return v * 0.5 + rest(); }, x);
        auto most = max(y);
        D1 z = map([=](R v) { return v / (1. + most()); }, y);
        return std::tuple(z, sum(z * z)());
    };
    return {"5 kernels", n, steps, [=](D1 x) { return std::get<0>(for_loop(steps, step, x, 0.)); },
            [=](double* x) {
                for (index t = 0; t < steps; ++t) {
                    scale(x, n, 0.5, total(x, n) * part);
                    const double below = 1. + largest(x, n);
                    for (index i = 0; i < n; ++i) x[i] /= below;
                }
            }};
}

/// Until a condition says so, on scalars alone.
Program scalars() {
    const index steps = 2000;
    auto loop = [=](D1 x) {
        auto root = std::get<1>(while_loop([=](I t, R) { return t < steps; },
                                           [](I t, R r) { return std::tuple(t + 1, 0.5 * (r + 2. / r)); }, index{0}, x(0)));
        return x * root;
    };
    return {"while, scalars", 1, steps, loop, [=](double* x) {
                double r = x[0];
                for (index t = 0; t < steps; ++t) r = 0.5 * (r + 2. / r);
                x[0] *= r;
            }};
}

// Extents that shrink.

/// A triangular solve by columns.
Program one_shrinking(index n) {
    auto step = [=](I k, D1 x) {
        auto below = range(k + 1, n);
        return update(x, below, map([=](R v) { return v * 0.5 + x(k); }, slice(x, below)));
    };
    return {"1 kernel, shrinking", n, n, [=](D1 x) { return for_loop(n, step, x); },
            [=](double* x) {
                for (index k = 0; k < n; ++k) scale(x + k + 1, n - k - 1, 0.5, x[k]);
            }};
}

Program two_shrinking(index n) {
    const double part = 0.5 / static_cast<double>(n);
    auto step = [=](I k, D1 x) {
        auto here = range(k, n);
        auto rest = sum(slice(x, here)) * part;
        return update(x, here, map([=](R v) { return v * 0.5 + rest(); }, slice(x, here)));
    };
    return {"2 kernels, shrinking", n, n, [=](D1 x) { return for_loop(n, step, x); },
            [=](double* x) {
                for (index k = 0; k < n; ++k) scale(x + k, n - k, 0.5, total(x + k, n - k) * part);
            }};
}

/// Elimination of a matrix: a column, then the block behind it.
Program elimination(index n) {
    auto step = [=](I k, D2 a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        a = update(a, below, here, map([=](R x) { return x / a(k, k); }, slice(a, below, here)));
        auto block =
            map_indexed([=](I i, I j, R x) { return x - a(k + 1 + i, k) * a(k, k + 1 + j); }, slice(a, below, below));
        return update(a, below, below, block);
    };
    auto loop = [=](D1 x) { return reshape(for_loop(n - 1, step, reshape(x, shape(n, n))), shape(n * n)); };
    return {"elimination", n * n, n - 1, loop, [=](double* a) {
                for (index k = 0; k < n - 1; ++k)
                    for (index i = k + 1; i < n; ++i) {
                        double* row = a + i * n;
                        const double factor = row[k] /= a[k * n + k];
                        for (index j = k + 1; j < n; ++j) row[j] -= factor * a[k * n + j];
                    }
            }};
}

/// Loops in loops: what is left of each element by those before it, one by one.
Program nested(index n) {
    auto step = [=](I i, D1 x) {
        auto inner = [=](I j, D1 x) {
            return update(x, range(i, i + 1), map([=](R v) { return v * 0.5 + x(j); }, slice(x, range(i, i + 1))));
        };
        return for_loop(i, inner, x);
    };
    return {"nested", n, n * (n - 1) / 2, [=](D1 x) { return for_loop(n, step, x); },
            [=](double* x) {
                for (index i = 0; i < n; ++i)
                    for (index j = 0; j < i; ++j) x[i] = x[i] * 0.5 + x[j];
            }};
}

std::vector<Program> programs() {
    std::vector<Program> all;
    for (index n : {16, 256, 4096}) {
        all.push_back(one_kernel(n));
        all.push_back(two_kernels(n));
        all.push_back(five_kernels(n));
    }
    all.push_back(scalars());
    for (index n : {256, 4096}) {
        all.push_back(one_shrinking(n));
        all.push_back(two_shrinking(n));
    }
    all.push_back(elimination(32));
    all.push_back(elimination(200));
    all.push_back(nested(64));
    return all;
}

Vector numbers(index n) {
    Vector x(static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = 1. + static_cast<double>(i * 37 % 101) * 0.01;
    for (index i = 0, side = std::llround(std::sqrt(n)); side * side == n && i < side; ++i)
        x[static_cast<std::size_t>(i * (side + 1))] += static_cast<double>(side);
    return x;
}

/// Largest difference, relative to the largest element.
double difference(const Vector& a, const Array<double>& b) {
    double most = 0, worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i]));
        worst = std::max(worst, std::abs(a[i] - b.data()[i]));
    }
    return worst / most;
}

void report(const Program& program, int rounds) {
    const Vector from = numbers(program.extent);
    const Array<double> x = sinter::from(from);
    auto plain = std::make_shared<Vector>();
    std::vector<Contender> contenders{{"c++", [&, plain] { *plain = from, program.plain(plain->data()); }, {}}};
    std::vector<std::optional<Array<double>>> results(2);
    for (int threads : {1, 2})
        contenders.push_back({"sinter",
                              [&, threads, f = compile(program.loop, {.target = Target::host(threads)})] {
                                  results[static_cast<std::size_t>(threads - 1)].reset();
                                  results[static_cast<std::size_t>(threads - 1)].emplace(f(x));
                              },
                              {}});
    const std::vector<Timing> timings = measure(contenders, rounds);
    std::printf("%-22s %7lld", program.name.c_str(), static_cast<long long>(program.extent));
    for (const Timing& t : timings) std::printf(" %10.0f", t.median * 1e9 / static_cast<double>(program.steps));
    std::printf(" %8.0f", (timings[1].median - timings[0].median) * 1e9 / static_cast<double>(program.steps));
    const double off = std::max(difference(*plain, *results[0]), difference(*plain, *results[1]));
    std::printf("%s\n", off > 1e-9 ? "  WRONG" : "");
    std::fflush(stdout);
}

}  // namespace
}  // namespace bench

/// loops [--filter TEXT] [--rounds N]
int main(int argc, char** argv) {
    std::string filter;
    int rounds = 9;
    for (int k = 1; k + 1 < argc; k += 2) {
        if (std::strcmp(argv[k], "--filter") == 0) filter = argv[k + 1];
        if (std::strcmp(argv[k], "--rounds") == 0) rounds = std::atoi(argv[k + 1]);
    }
    std::printf("nanoseconds per step     elements        c++   1 thread  2 threads  beside c++\n");
    for (const bench::Program& program : bench::programs())
        if (program.name.find(filter) != std::string::npos) bench::report(program, rounds);
}
