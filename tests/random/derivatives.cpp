// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs with derivatives: reverse mode agrees with forward mode (the dot-product test), forward mode with a
// difference quotient, and every target and fusion strategy with the interpreter, to a tolerance.
//
// SINTER_RANDOM_SEED and SINTER_RANDOM_COUNT choose what is run (default: 40 from a fixed seed on). A failure prints the
// seed and those of the steps that it takes.
#include "conform/support.hpp"
#include "random/steps.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>

using namespace sinter;
using random_programs::Steps, random_programs::setting, random_programs::listed, random_programs::reduced;

namespace {

using Long = std::int64_t;
using D0 = Exp<double>;
using D1 = Delayed<double>;
using D2 = Delayed<double, 2>;

constexpr Long columns = 3;  ///< of the matrices, whose rows the vectors' elements are

/// A program that grows, of vectors of one extent, matrices of as many rows, and numbers. All values stay small.
class Smooth {
  public:
    Smooth(std::uint64_t seed, D1 x, Long extent)
        : extent_(extent), random_(std::make_shared<std::mt19937_64>(seed)), vectors_{x} {}

    void reseed(std::uint64_t seed) { random_->seed(seed); }
    void grow(int steps) {
        for (int k = 0; k < steps; ++k) step();
    }
    D1 vector() { return any_of(vectors_); }

  private:
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(*random_); }
    template <class T>
    T any_of(const std::vector<T>& all) {
        const std::size_t a = pick(all.size()), b = pick(all.size());
        return all[std::max(a, b)];
    }
    D2 matrix() {
        if (matrices_.empty()) matrices_.push_back(outer(vector()));
        return any_of(matrices_);
    }
    D0 number() {
        if (scalars_.empty()) scalars_.push_back(sum(vector()));
        return sin(any_of(scalars_)());
    }
    static D2 outer(const D1& x) {
        return generate(shape(size(x), columns), [&](auto i, auto j) { return x(i) * (cast<double>(j) * 0.5 - 0.4); });
    }

    /// Smooth, of small values and derivatives.
    D0 unary(D0 a) {
        switch (pick(7)) {
            case 0:
                return sin(a * 1.3);
            case 1:
                return a / sqrt(1.0 + a * a);
            case 2:
                return exp(-a * a) - a * 0.5;
            case 3:
                return tanh(a) + 0.2;
            case 4:
                return log(1.5 + a * a) * 0.7;
            case 5:
                return select(a > 0.1, cos(a), a * 0.6);
            default:
                return atan2(a, 2.0 + a * a);
        }
    }
    D0 binary(D0 a, D0 b) {
        switch (pick(6)) {
            case 0:
                return sin(a * b);
            case 1:
                return a * 0.5 - b * 0.7;
            case 2:
                return max(a, b) * 0.9;
            case 3:
                return a / (2.0 + b * b);
            case 4:
                return cond(a > b, [&] { return a * 0.3 + b; }, [&] { return cos(b * 1.1); });
            default:
                return pow(1.0 + a * a * 0.1, sin(b));
        }
    }
    /// Associative.
    std::function<D0(D0, D0)> monoid() {
        switch (pick(4)) {
            case 0:
                return [](D0 a, D0 b) { return a + b; };
            case 1:
                return [](D0 a, D0 b) { return max(a, b); };
            case 2:
                return [](D0 a, D0 b) { return a * b; };
            default:
                return [](D0 a, D0 b) { return a + b + 0.3 * a * b; };
        }
    }
    static D1 bounded(const D1& x) {
        return map([](D0 a) { return tanh(a); }, x);
    }

    void step() {
        switch (pick(depth_ > 1 ? 14 : 20)) {
            case 0:
                return unary_maps();
            case 1:
                vectors_.push_back(map([&](D0 a, D0 b) { return binary(a, b); }, vector(), vector()));
                return;
            case 2: {
                const D0 s = number();
                vectors_.push_back(map([&](D0 a) { return binary(a, s); }, vector()));
                return;
            }
            case 3:
                return reads();
            case 4:
                return folds();
            case 5:
                return scans();
            case 6:
                return views();
            case 7:
                return sorts();
            case 8:
                return scatters();
            case 9:
                return filters();
            case 10:
                return stencils();
            case 11:
                return recurrences();
            case 12:
                return loops_in_functions();
            case 13:
                return matrices();
            case 14:
                return loops();
            case 15:
                return branches();
            case 16:
                return slices();
            case 17:
                return rules();
            case 18:
                return checkpoints();
            default:
                return gradients();
        }
    }

    void unary_maps() {
        if (pick(3) == 0)
            matrices_.push_back(map([&](D0 a) { return unary(a); }, matrix()));
        else
            vectors_.push_back(map([&](D0 a) { return unary(a); }, vector()));
    }
    void reads() {
        const D1 x = vector(), y = vector();
        const Long step = static_cast<Long>(pick(3)) + 1, first = static_cast<Long>(pick(5));
        vectors_.push_back(
            map_indexed([&](auto i, D0 a) { return binary(a, x((i * step + first) % size(x))) + 0.2 * x(i / 2); }, y));
    }
    void folds() {
        const auto op = monoid();
        if (pick(2) == 0)
            scalars_.push_back(fold(op, 0.7, bounded(vector())));
        else
            vectors_.push_back(bounded(fold(op, 0.7, map([](D0 a) { return sin(a); }, matrix()))));
    }
    void scans() {
        const auto op = monoid();
        const D1 x = bounded(vector());
        switch (pick(4)) {
            case 0:
                vectors_.push_back(bounded(inclusive_scan(op, 0.4, x)));
                return;
            case 1:
                vectors_.push_back(bounded(inclusive_scan(op, 0.4, x, from_right)));
                return;
            case 2:
                vectors_.push_back(bounded(exclusive_scan(op, 0.4, x)));
                return;
            default:
                vectors_.push_back(bounded(exclusive_scan(op, 0.4, x, from_right)));
                return;
        }
    }
    void views() {
        const D1 x = vector();
        switch (pick(4)) {
            case 0:
                vectors_.push_back(rotate(x, static_cast<Long>(pick(3))));
                return;
            case 1:
                vectors_.push_back(reverse(x));
                return;
            case 2: {
                const Long part = static_cast<Long>(pick(static_cast<std::size_t>(extent_ + 1)));
                vectors_.push_back(concat(drop(x, part), take(vector(), part)));
                return;
            }
            default:
                matrices_.push_back(transpose(replicate(columns, x)));
                return;
        }
    }
    void sorts() { vectors_.push_back(sort(vector())); }
    void scatters() {
        const D1 x = vector(), y = vector();
        const Long step = static_cast<Long>(pick(3)) + 1;
        const auto places = generate(shape(size(x)), [&](auto i) { return (i * step) % size(x); });
        switch (pick(4)) {
            case 0:
                vectors_.push_back(scatter([](D0 a, D0 b) { return a + b; }, x, places, y));
                return;
            case 1:
                vectors_.push_back(scatter([](D0 a, D0 b) { return max(a, b); }, x, places, y));
                return;
            case 2:
                vectors_.push_back(update(x, index(extent_ / 2), number()));
                return;
            default: {
                const auto distinct = generate(shape(size(x)), [&](auto i) { return size(x) - 1 - i; });
                vectors_.push_back(scatter(x, distinct, y));
                return;
            }
        }
    }
    void filters() {
        const D1 kept = filter([](D0 a) { return a > 0.05; }, vector());
        scalars_.push_back(sum(map([&](D0 a) { return unary(a); }, kept)));
    }
    void stencils() {
        auto weigh = [&](auto at) { return binary(at(-1), at(1)) * 0.5 + at(0); };
        switch (pick(4)) {
            case 0:
                vectors_.push_back(stencil(weigh, boundary::keep, vector()));
                return;
            case 1:
                vectors_.push_back(stencil(weigh, boundary::clamp, vector()));
                return;
            case 2:
                vectors_.push_back(stencil(weigh, boundary::wrap, vector()));
                return;
            default:
                vectors_.push_back(stencil(weigh, boundary::reflect, vector()));
                return;
        }
    }
    void recurrences() {
        const Long count = static_cast<Long>(pick(3));
        auto settled = [&](D0 s, D0 a) { return for_loop(count, [&](auto, D0 t) { return binary(t * 0.6, a); }, s); };
        if (pick(3) == 0)
            vectors_.push_back(recur(settled, 0.3, vector()));
        else
            vectors_.push_back(recur([&](D0 s, D0 a) { return binary(s * 0.6, a); }, 0.3, vector()));
    }
    void loops_in_functions() {
        const Long count = static_cast<Long>(pick(4));
        const D1 y = vector();
        switch (pick(5)) {
            case 0:  // elements of an array go into it
                vectors_.push_back(map(
                    [&](D0 a) {
                        return for_loop(count, [&](auto i, D0 s) { return unary(s) * 0.8 + a * y(i % size(y)); }, a);
                    },
                    vector()));
                return;
            case 4: {  // other elements at each point, in more iterations than are executed at a time
                const Long step = static_cast<Long>(pick(3)), most = 14 + 4 * count;
                auto next = [&](auto i, auto k, D0 s, D0 t) {
                    const auto place = (i * step + k) % size(y);
                    const auto found = while_loop([](auto p) { return p % 3 != 0; }, [](auto p) { return p + 1; }, place);
                    return std::tuple(unary(s * 0.5) * y(place), t * 0.6 + s * y(found % size(y)));
                };
                vectors_.push_back(map_indexed(
                    [&](auto i, D0 a) {
                        auto [s, t] =
                            for_loop(most + i % (step + 1), [&](auto k, D0 s, D0 t) { return next(i, k, s, t); }, a, 0.1);
                        return sin(s + t);
                    },
                    vector()));
                return;
            }
            case 1:
                vectors_.push_back(map(
                    [&](D0 a) {
                        return while_loop([](D0 s) { return s < 2.0; }, [&](D0 s) { return s * 1.4 + 0.2 + 0.1 * sin(a); },
                                          1.0 + a * a * 0.1) *
                               0.4;
                    },
                    vector()));
                return;
            case 2: {  // numbers, and two elements
                const D0 first = number(), second = number();
                vectors_.push_back(map_indexed(
                    [&](auto i, D0 a, D0 b) {
                        auto step = [&](auto k, D0 s, D0 t) {
                            return std::tuple(binary(s * 0.7, first), unary(t + b) * second + 0.1 * cast<double>(k));
                        };
                        auto [s, t] = for_loop(i % 3 + count, step, a, 0.2);
                        return binary(s, t);
                    },
                    vector(), y));
                return;
            }
            default: {  // in one side of a branch; a loop in a loop
                const D0 limit = number();
                auto inner = [&](D0 s, D0 a) { return for_loop(2, [&](auto, D0 t) { return binary(t * 0.6, a); }, s); };
                auto outer = [&](D0 a) { return for_loop(count, [&](auto, D0 s) { return inner(s, a) + 0.1 * limit; }, a); };
                vectors_.push_back(
                    map([&](D0 a) { return cond(a < limit, [&] { return outer(a); }, [&] { return unary(a); }); }, y));
                return;
            }
        }
    }
    void matrices() {
        const D2 m = matrix();
        switch (pick(4)) {
            case 0:
                vectors_.push_back(bounded(sum(m)));
                return;
            case 1:
                vectors_.push_back(bounded(sum(map([](D0 a, D0 b) { return a * b; }, m, matrix()))));
                return;
            case 2:
                scalars_.push_back(sum(flatten(m)));
                return;
            default:
                matrices_.push_back(inclusive_scan([](D0 a, D0 b) { return a + b; }, map([](D0 a) { return sin(a); }, m)));
        }
    }

    /// A copy of this, of which the function of an inner scope is made.
    D1 inside(const D1& x, int steps) {
        Smooth copy = *this;
        ++copy.depth_;
        copy.vectors_.push_back(x);
        copy.grow(steps);
        return bounded(copy.vectors_.back());
    }
    int few() { return 1 + static_cast<int>(pick(2)); }

    void loops() {
        const int steps = few();
        const Long count = static_cast<Long>(pick(5));
        if (pick(3) == 0)
            vectors_.push_back(while_loop([](D1 s) { return sum(map([](D0 a) { return a * a; }, s))() < 20.0; },
                                          [&](D1 s) { return map([](D0 a) { return a * 1.5 + 0.3; }, s); }, vector()));
        else
            vectors_.push_back(for_loop(count, [&](auto, D1 s) { return inside(s, steps); }, vector()));
    }
    void branches() {
        const D1 x = vector(), y = vector();
        const int steps = few();
        vectors_.push_back(
            cond(sum(x)() < 0.3, [&] { return inside(y, steps); }, [&] { return map([](D0 a) { return cos(a); }, y); }));
    }
    void slices() {
        const D1 x = vector();
        if (pick(2) == 0)
            vectors_.push_back(vmap([&](D1 row) { return sum(row * sin(sum(row)()))() + x(0); }, matrix()));
        else
            matrices_.push_back(
                vmap([&](D1 row, D0 a) { return inclusive_scan([](D0 p, D0 q) { return p + q; }, row) * sin(a); }, matrix(),
                     vector()));
    }
    void rules() {
        if (pick(2) == 0)
            vectors_.push_back(
                custom_vjp([](D1 a, D1 b) { return sin(a) * b; },
                           [](D1, D1 c, D1 a, D1 b) { return std::tuple(cos(a) * b * c, sin(a) * c); })(vector(), vector()));
        else
            vectors_.push_back(custom_jvp([](D1 a) { return tanh(a); },
                                          [](auto p, auto t) {
                                              const auto r = tanh(std::get<0>(p));
                                              return (1.0 - r * r) * std::get<0>(t);
                                          })(vector()));
    }
    void checkpoints() {
        const int steps = few();
        vectors_.push_back(checkpoint([&](D1 x) { return inside(x, steps); })(vector()));
    }
    void gradients() {
        const int steps = few();
        auto loss = [&](D1 x) { return sum(map([](D0 a) { return a * a; }, inside(x, steps))); };
        vectors_.push_back(bounded(grad(loss)(vector())));
    }

    Long extent_;
    std::shared_ptr<std::mt19937_64> random_;
    std::vector<D1> vectors_;
    std::vector<D2> matrices_;
    std::vector<Delayed<double, 0>> scalars_;
    int depth_ = 0;
};

std::vector<double> noise(std::uint64_t seed, Long n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> between(-1, 1);
    std::vector<double> v;
    for (Long k = 0; k < n; ++k) v.push_back(between(random));
    return v;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double total = 0;
    for (std::size_t k = 0; k < a.size(); ++k) total += a[k] * b[k];
    return total;
}

double size_of(const std::vector<double>& a) {
    double total = 1;
    for (double each : a) total += std::abs(each);
    return total;
}

bool close(double a, double b, double tolerance) { return std::isfinite(a) && std::abs(a - b) <= tolerance; }

bool close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (!close(a[k], b[k], tolerance)) return false;
    return true;
}

struct Values {
    std::vector<double> value, tangent, adjoint;
};

/// What is wrong, if anything.
std::optional<std::string> disagreement(std::uint64_t seed, const Steps& steps) {
    std::string where = "interpreter";
    try {
        const Long n = 2 + static_cast<Long>(seed % 6);
        auto f = [&](D1 x) {
            Smooth program(seed, x, n);
            for (int step : steps) program.reseed(seed * 100 + static_cast<std::uint64_t>(step)), program.grow(1);
            program.reseed(seed * 100 + 99);
            return program.vector();
        };
        const std::vector<double> at = noise(seed, n), direction = noise(seed + 1, n), weights = noise(seed + 2, n);
        const Array<double> x = from(at), v = from(direction), w = from(weights);
        auto evaluate = [&](const Options& options) {
            auto [value, tangent] = jvp(f, primals(x), tangents(v));
            auto loss = [&](D1 y) { return sum(map([](D0 a, D0 b) { return a * b; }, f(y), w)); };
            auto [y, dy, dx] = run(std::tuple(value, tangent, grad(loss)(x)), options);
            return Values{y.to_vector(), dy.to_vector(), dx.to_vector()};
        };
        const Options exact{.target = Target::interpreter()};
        const Values expected = evaluate(exact);
        const double scale = size_of(expected.tangent) + size_of(expected.adjoint) + size_of(expected.value);
        if (!close(dot(weights, expected.tangent), dot(expected.adjoint, direction), 1e-10 * scale))
            return "reverse mode differs from forward mode";
        auto moved = [&](double step) {
            std::vector<double> there = at;
            for (std::size_t k = 0; k < there.size(); ++k) there[k] += step * direction[k];
            return run(jvp(f, primals(Array<double>(from(there))), tangents(v)).first, exact).to_vector();
        };
        const double h = 1e-6;
        const std::vector<double> after = moved(h), before = moved(-h);
        for (std::size_t k = 0; k < after.size(); ++k)
            if (!close((after[k] - before[k]) / (2 * h), expected.tangent[k], 1e-5 * scale))
                return "forward mode differs from the difference quotient";
        for (Fusion fusion : conform::strategies)
            for (Target target : conform::targets()) {
                where = "strategy " + std::to_string(static_cast<int>(fusion)) + ", target number " +
                        std::to_string(target.number);
                const Values actual =
                    evaluate({.target = target, .fusion = fusion, .tape = static_cast<Long>(seed % 3) * 100});
                if (!close(actual.value, expected.value, 1e-10 * scale) ||
                    !close(actual.tangent, expected.tangent, 1e-10 * scale) ||
                    !close(actual.adjoint, expected.adjoint, 1e-10 * scale))
                    return "values differ: " + where;
            }
        return std::nullopt;
    } catch (const std::exception& error) {
        return where + ": " + error.what();
    }
}

}  // namespace

TEST_CASE("derivatives of random programs agree", "[random][derivatives]") {
    const std::uint64_t first = setting("SINTER_RANDOM_SEED", 20260201), count = setting("SINTER_RANDOM_COUNT", 40);
    WARN("seeds " << first << " to " << first + count - 1);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Steps steps;
        for (int k = 0; k < 2 + static_cast<int>(seed % 5); ++k) steps.push_back(k);
        if (!disagreement(seed, steps)) continue;
        steps = reduced(steps, [&](const Steps& fewer) { return disagreement(seed, fewer).has_value(); });
        CAPTURE(seed, listed(steps));
        CHECK(disagreement(seed, steps).value_or("") == "");
    }
}
