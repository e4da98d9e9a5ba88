// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of functions whose slices have different lengths: those of the function of one slice after another.
#include "conform/support.hpp"

#include <sinter/ragged.hpp>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X = Delayed<double>;
using Reals = std::vector<double>;

const std::vector<Long> begins = {0, 2, 3, 9, 4}, lengths = {2, 5, 0, 3, 1};
const Reals values = {1, 2, -3, 0.5, 5, -1.5, 7, 2.25, -4, 3, 1.25, 6};

bool near(const Reals& a, const Reals& b) {
    for (std::size_t k = 0; k < a.size(); ++k)
        if (!(std::abs(a[k] - b[k]) <= 1e-12 * (1 + std::abs(b[k])))) return false;
    return a.size() == b.size();
}

/// The gradient of the sum of weighted f of all windows, all at once and one window after another.
template <class F>
void gradients(const F& f) {
    const Array<double> x = from(values);
    const Array<Long> all_begins = from(begins), all_lengths = from(lengths);
    auto weighted = [&](const X& y) {
        auto of = [=](I i, I n) { return f(slice(y, range(i, i + n))) * cast<double>(i + 1); };
        return sum(vmap(of, all_begins, all_lengths));
    };
    Reals expected(values.size(), 0.0), tangent(1, 0.0);
    for (std::size_t k = 0; k < begins.size(); ++k) {
        const Array<double> w = run(slice(x, range(begins[k], begins[k] + lengths[k])));
        const Reals each = run(grad(f)(w)).to_vector();
        for (std::size_t j = 0; j < each.size(); ++j) {
            expected[static_cast<std::size_t>(begins[k]) + j] += each[j] * static_cast<double>(begins[k] + 1);
            tangent[0] += each[j] * static_cast<double>(begins[k] + 1) * values[static_cast<std::size_t>(begins[k]) + j];
        }
    }
    const auto reverse_mode = grad(weighted)(x);
    CHECK(near(run(everywhere(reverse_mode)).to_vector(), expected));
    const auto forward_mode = std::get<1>(jvp(weighted, primals(x), tangents(x)));
    CHECK(near(run(everywhere(vmap([&](I) { return forward_mode(); }, iota(1)))).to_vector(), tangent));
}

}  // namespace

TEST_CASE("derivatives of folds of windows", "[irregular]") {
    gradients([](const auto& w) { return sum(w * w)(); });
    gradients([](const auto& w) { return fold(std::multiplies<>{}, 1.5, w + 0.25)(); });
    gradients([](const auto& w) { return fold([](auto a, auto b) { return max(a, b); }, -9.0, exp(w))(); });
    gradients([](const auto& w) { return get<1>(fold(composition, std::tuple(1.0, 0.5), zip(w * 0.5, w))()); });
}

TEST_CASE("derivatives of scans, sorts, filters and rearrangements of windows", "[irregular]") {
    constexpr auto plus = [](auto a, auto b) { return a + b; };
    gradients([=](const auto& w) { return sum(inclusive_scan(plus, w * w) * w)(); });
    gradients([=](const auto& w) { return sum(exclusive_scan(plus, 0.5, w * w, from_right) * w)(); });
    gradients([](const auto& w) { return sum(sort(w) * cast<double>(iota(size(w))))(); });
    gradients([](const auto& w) { return sum(filter([](auto v) { return v > 0.75; }, w * 2.0) * 3.0)(); });
    gradients([](const auto& w) { return sum(concat(w, reverse(w * w)) * cast<double>(iota(2 * size(w))))(); });
    gradients([](const auto& w) { return sum(gather(reverse(iota(size(w))), w * w) * w)(); });
    gradients([](const auto& w) { return sum(scatter(w, reverse(iota(size(w))), w * w) * w)(); });
}

TEST_CASE("derivatives of branches, loops and operators that differ from slice to slice", "[irregular]") {
    gradients([](const auto& w) {
        return sum(cond(size(w) > 2, [=] { return X(w * w); }, [=] { return reverse(w) * 3.0; }) * w)();
    });
    gradients([](const auto& w) {
        return cond(
            size(w) % 2 == 0, [=] { return sum(w * w)(); }, [=] { return sum(sort(w) * cast<double>(iota(size(w))))(); });
    });
    gradients([](const auto& w) { return sum(for_loop(3, [=](I, X s) { return s * w + reverse(s); }, X(w)))(); });
    gradients([](const auto& w) { return sum(for_loop(size(w), [=](I i, X s) { return s * s(i) + w; }, X(w)))(); });
    gradients([](const auto& w) {
        auto halved = while_loop([](X s) { return sum(s * s)() > 3.0; }, [](X s) { return s * 0.5; }, X(w));
        return sum(halved * w)();
    });
    gradients([](const auto& w) {
        const auto decay = sum(w)() * 0.25;
        auto step = [=](auto a, auto b) {
            return std::tuple(get<0>(a) * get<0>(b), get<1>(a) * get<0>(b) + get<1>(b) * decay / decay);
        };
        return sum(map([](auto p) { return get<1>(p); }, inclusive_scan(step, zip(w * decay, w))) * w)();
    });
    gradients([](const auto& w) {
        const auto most = select(size(w) > 2, 4.0, 0.5);  // powers of two: rounding is the same in any order
        return fold([=](auto a, auto b) { return a * b / most; }, most, w)();
    });
}

TEST_CASE("derivatives of functions with a rule of their own, whose loops change the extents of states", "[irregular]") {
    auto halved = [](const X& x) {
        return while_loop([](const X& v) { return size(v) > 1; },
                          [](const X& v) {
                              const I half = size(v) / 2;
                              return take(v, half) + slice(v, range(half, 2 * half));
                          },
                          x);
    };
    using Sum = Delayed<double, 0>;
    auto total = custom_vjp([=](const X& x) { return sum(halved(x)); },
                            [=](const Sum&, const Sum& w, const X& x) {
                                const X rest = halved(x);
                                return map([=](auto v) { return w() * (2.0 * v + rest(0)); }, x);
                            });
    const Array<double> x = from(values);
    auto of = [=](const X& y, const Array<Long>& counts) {
        return grad([=](const X& z) { return sum(vmap([=](I n) { return total(take(z, n))(); }, counts)); })(y);
    };
    Reals expected(values.size(), 0.0);
    for (const std::size_t n : {std::size_t{8}, std::size_t{1}, std::size_t{4}}) {
        double all = 0;
        for (std::size_t k = 0; k < n; ++k) all += values[k];
        for (std::size_t k = 0; k < n; ++k) expected[k] += 2 * values[k] + all;
    }
    CHECK(near(run(everywhere(of(x, from(std::vector<Long>{8, 1, 4})))).to_vector(), expected));
    const Array<double, 2> rows = run(reshape(x, shape(3, 4)));
    auto each = [=](const X& row) { return grad([=](const X& y) { return total(y * 3.0); })(row); };
    auto summed = [=](const Delayed<double, 2>& m) { return sum(vmap([=](const X& y) { return total(y * 3.0)(); }, m)); };
    CHECK(near(run(everywhere(vmap(each, rows))).to_vector(), run(everywhere(grad(summed)(rows))).to_vector()));
}
