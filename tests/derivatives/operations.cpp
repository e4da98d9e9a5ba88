// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the derivative of every operation is: a line for each row of docs/reference/operations.tsv that Sinter has, with the
// word that stands there. scripts/make_operations_table.py --check compares them.
#include "derivatives/support.hpp"

#include <sinter/numeric.hpp>

#include <complex>

using namespace derivatives;

#define DERIVATIVE(group, operation, word) TEST_CASE("derivative (" #word "): " group ": " operation, "[derivatives][table]")

namespace {

using Loss = std::function<Delayed<double, 0>(D1)>;

template <class F>
Loss loss_of(F f) {
    return [f](D1 x) {
        auto made = weighted(f(x));
        if constexpr (ArrayLike<decltype(made)>)
            return Delayed<double, 0>(made);
        else
            return Delayed<double, 0>(fill(shape(), made));
    };
}

const Options exact{.target = Target::interpreter()};

void check_loss(const Loss& loss, double low, double high) {
    const std::vector<double> at = scattered(6, low, high), direction = scattered(6, -1, 1, 7);
    const Array<double> x = from(at), v = from(direction);
    const Array<double> gradient = run(grad(loss)(x), exact);
    const double forward = run(jvp(loss, primals(x), tangents(v)).second, exact).item(), reverse = dot(gradient, direction);
    require_close(forward, reverse, 1e-12, std::abs(forward));
    REQUIRE(forward != 0.0);
    auto moved = [&](double step) {
        std::vector<double> there = at;
        for (std::size_t k = 0; k < there.size(); ++k) there[k] += step * direction[k];
        return run(weighted_array(loss, from(there)), exact).item();
    };
    require_close((moved(1e-6) - moved(-1e-6)) / 2e-6, forward, 1e-7, std::abs(forward));
    const auto compiled = run(grad(loss)(x)).to_vector();
    for (std::size_t k = 0; k < 6; ++k) require_close(compiled[k], gradient(static_cast<Long>(k)), 1e-12, std::abs(forward));
}

void check_zero(const Loss& loss, double low, double high) {
    const Array<double> x = from(scattered(6, low, high));
    CHECK(run(grad(loss)(x), exact).to_vector() == std::vector<double>(6));
    CHECK(run(jvp(loss, primals(x), tangents(x)).second, exact).item() == 0.0);
}

template <class F>
void differentiable(F f, double low = 0.2, double high = 0.9) {
    check_loss(loss_of(f), low, high);
}
template <class F>
void zero(F f, double low = 0.2, double high = 0.9) {
    check_zero(loss_of(f), low, high);
}
/// A function of numbers, of every element and the next.
template <class F>
void of_numbers(F f, double low = 0.2, double high = 0.9) {
    differentiable([f](D1 x) { return map([f](D0 a, D0 b) { return D0(f(a, b)); }, x, rotate(x, 1)); }, low, high);
}
template <class F>
void zero_of_numbers(F f, double low = -3, double high = 3) {
    zero([f](D1 x) { return map([f](D0 a, D0 b) { return cast<double>(f(a, b)); }, x, rotate(x, 1)); }, low, high);
}

template <class A>
concept has_elements_in_memory = requires(const A& a) { a.to_vector(); };

const auto plus = [](auto a, auto b) { return a + b; };
const auto times = [](auto a, auto b) { return a * b; };
const auto square = [](auto a) { return a * a; };

D2 matrix(D1 x) { return reshape(x, shape(2, 3)); }
Delayed<Long> lengths() { return from(std::vector<Long>{2, 0, 3, 1}); }
Delayed<Long> places() { return from(std::vector<Long>{2, 0, 1, 2, 5, 4}); }
Exp<std::int32_t> whole(D0 a) { return cast<std::int32_t>(a * 10.0); }

}  // namespace

DERIVATIVE("Arrays and their shape", "element of an index", yes) {
    differentiable([](D1 x) { return x(2) * x(3); });
}
DERIVATIVE("Arrays and their shape", "element of a row-major offset", yes) {
    differentiable([](D1 x) { return square(flatten(matrix(x))(4)); });
}
DERIVATIVE("Arrays and their shape", "value of a rank-0 array", yes) {
    differentiable([](D1 x) { return square(sum(x)()); });
}
DERIVATIVE("Arrays and their shape", "no element?", zero) {
    zero([](D1 x) { return cast<double>(size(x) == 0); });
}
DERIVATIVE("Arrays and their shape", "number of elements along the outermost axis", zero) {
    zero([](D1 x) { return cast<double>(extent(x, 0)); });
}
DERIVATIVE("Arrays and their shape", "shape", zero) {
    zero([](D1 x) { return cast<double>(extent(matrix(x), 1)); });
}
DERIVATIVE("Arrays and their shape", "number of elements", zero) {
    zero([](D1 x) { return cast<double>(size(x)); });
}
DERIVATIVE("Arrays and their shape", "rank", zero) {
    zero([](D1 x) { return cast<double>(size(x) * rank_v<D1>); });
}
DERIVATIVE("Arrays and their shape", "indices of an array", zero) {
    zero([](D1 x) { return map([](auto i) { return cast<double>(i); }, iota(size(x))); });
}
DERIVATIVE("Arrays and their shape", "offset of an index, and back", zero) {
    zero([](D1 x) { return map_indexed([](auto i, auto j, auto) { return cast<double>(i * 3 + j); }, matrix(x)); });
}
DERIVATIVE("Arrays and their shape", "a fixed size", yes) {
    differentiable([](D1 x) { return map(square, reshape(x, shape(6))); });
}

DERIVATIVE("Making arrays", "from memory", zero) {
    const Array<double> constant = from(std::vector<double>{1, 2});
    zero([=](D1) { return Delayed<double>(constant); });
}
DERIVATIVE("Making arrays", "back to memory", none) {
    static_assert(has_elements_in_memory<Array<double>> && !has_elements_in_memory<D1>, "only of what is computed already");
}
DERIVATIVE("Making arrays", "from a function on the host", zero) {
    zero([](D1) { return Delayed<double, 2>(from(std::vector<double>{1, 2}, shape(1, 2))); });
}
DERIVATIVE("Making arrays", "one value", yes) {
    differentiable([](D1 x) { return fill(shape(), x(1) * x(2)); });
}
DERIVATIVE("Making arrays", "from a function", yes) {
    differentiable([](D1 x) { return generate(shape(2, 3), [=](auto i, auto j) { return x(i) * x(j); }); });
}
DERIVATIVE("Making arrays", "one value everywhere", yes) {
    differentiable([](D1 x) { return fill(shape(4), x(1) * x(2)); });
}
DERIVATIVE("Making arrays", "0, 1, ..., n - 1", zero) {
    zero([](D1 x) { return map([](auto i) { return cast<double>(i); }, iota(size(x))); });
}
DERIVATIVE("Making arrays", "with a step", yes) {
    differentiable([](D1 x) { return map([=](auto i) { return x(0) + x(1) * cast<double>(i); }, iota(5)); });
}
DERIVATIVE("Making arrays", "concatenation", yes) {
    differentiable([](D1 x) { return map(square, concat(x, x * 2.0)); });
    differentiable([](D1 x) { return map(square, concat(matrix(x), matrix(x), axis(1))); });
}
DERIVATIVE("Making arrays", "as many results an element as it asks for", yes) {
    differentiable([](D1 x) {
        auto counts = map([](auto i) { return i % 3; }, iota(6));
        return sum(expand(counts, [](auto a, auto k) { return a * a * cast<double>(k + 1); }, x));
    });
}
DERIVATIVE("Making arrays", "made manifest", yes) {
    differentiable([](D1 x) { return map(square, force(x * x)); });
}

DERIVATIVE("Element-wise", "map", yes) {
    differentiable([](D1 x) { return map(square, x); });
}
DERIVATIVE("Element-wise", "map of several arrays", yes) {
    differentiable([](D1 x) { return map(times, x, reverse(x)); });
}
DERIVATIVE("Element-wise", "map with the index", yes) {
    differentiable([](D1 x) { return map_indexed([](auto i, auto a) { return a * a * cast<double>(i); }, x); });
}
DERIVATIVE("Element-wise", "map of several arrays with the index", yes) {
    differentiable(
        [](D1 x) { return map_indexed([](auto i, auto a, auto b) { return a * b * cast<double>(i); }, x, reverse(x)); });
}
DERIVATIVE("Element-wise", "elements with their indices", yes) {
    differentiable([](D1 x) {
        auto pairs = map_indexed([](auto i, auto a) { return std::tuple(i, a * a); }, x);
        return std::get<1>(unzip(pairs));
    });
}
DERIVATIVE("Element-wise", "arrays to an array of tuples", yes) {
    differentiable([](D1 x) { return map([](auto p) { return get<0>(p) * get<1>(p); }, zip(x, reverse(x))); });
}
DERIVATIVE("Element-wise", "an array of tuples to arrays", yes) {
    differentiable([](D1 x) {
        auto [p, q] = unzip(map([](auto a) { return std::tuple(a * a, sin(a)); }, x));
        return p * q;
    });
}

DERIVATIVE("Rearranging", "new shape", yes) {
    differentiable([](D1 x) { return map(square, reshape(x, shape(3, 2))); });
}
DERIVATIVE("Rearranging", "all axes to one", yes) {
    differentiable([](D1 x) { return map(square, flatten(transpose(matrix(x)))); });
}
DERIVATIVE("Rearranging", "copies along a new axis", yes) {
    differentiable([](D1 x) { return map(square, replicate(3, x)); });
    differentiable([](D1 x) { return map(square, broadcast(x, shape(6, 2), axes(0))); });
}
DERIVATIVE("Rearranging", "a part of fixed indices", yes) {
    differentiable([](D1 x) { return map(square, slice(matrix(x), all, range(0, 3, 2))); });
}
DERIVATIVE("Rearranging", "first elements", yes) {
    differentiable([](D1 x) { return map(square, take(matrix(x), 2, axis(1))); });
}
DERIVATIVE("Rearranging", "all but the first elements", yes) {
    differentiable([](D1 x) { return map(square, drop(matrix(x), 1)); });
}
DERIVATIVE("Rearranging", "first element", yes) {
    differentiable([](D1 x) { return square(x(0)); });
}
DERIVATIVE("Rearranging", "last element", yes) {
    differentiable([](D1 x) { return square(x(size(x) - 1)); });
}
DERIVATIVE("Rearranging", "all but the first", yes) {
    differentiable([](D1 x) { return map(square, drop(x, 1)); });
}
DERIVATIVE("Rearranging", "all but the last", yes) {
    differentiable([](D1 x) { return map(square, take(x, 5)); });
}
DERIVATIVE("Rearranging", "a run from the middle", yes) {
    differentiable([](D1 x) { return map(square, slice(x, range(1, 4))); });
}
DERIVATIVE("Rearranging", "two parts", yes) {
    differentiable([](D1 x) {
        auto [low, high] = split(x, 3);
        return low * high;
    });
}
DERIVATIVE("Rearranging", "opposite order", yes) {
    differentiable([](D1 x) { return x * reverse(x); });
}
DERIVATIVE("Rearranging", "cyclic shift", yes) {
    differentiable([](D1 x) { return x * rotate(x, 2, axis(0)); });
}
DERIVATIVE("Rearranging", "transposition of a matrix", yes) {
    differentiable([](D1 x) { return map(square, transpose(matrix(x))); });
}
DERIVATIVE("Rearranging", "two axes exchanged", yes) {
    differentiable([](D1 x) { return map(square, flatten(transpose(reshape(x, shape(1, 2, 3)), {1, 0, 2}))); });
}
DERIVATIVE("Rearranging", "read at computed indices", yes) {
    differentiable([](D1 x) { return map(square, gather(places(), x)); });
}
DERIVATIVE("Rearranging", "read through a function of the index", yes) {
    differentiable([](D1 x) { return map(square, backpermute(shape(4), [](auto i) { return 5 - i; }, x)); });
}
DERIVATIVE("Rearranging", "write through a function of the index", yes) {
    differentiable([](D1 x) { return map(square, permute(plus, take(x, 2), [](auto i) { return i % 2; }, x)); });
}
DERIVATIVE("Rearranging", "write at computed indices", yes) {
    differentiable([](D1 x) { return map(square, scatter(x, places(), x * x)); });
}
DERIVATIVE("Rearranging", "combine at computed indices", yes) {
    differentiable([](D1 x) { return map(square, scatter(plus, x, places(), x * x)); });
    differentiable([](D1 x) { return scatter([](auto a, auto b) { return max(a, b); }, x, places(), x * x); });
    differentiable([](D1 x) { return map(square, histogram(6, plus, 0.0, places(), x)); });
}
DERIVATIVE("Rearranging", "elements that satisfy a predicate", yes) {
    differentiable([](D1 x) { return sum(map(square, filter([](auto a) { return a > 0.5; }, x))); });
}
DERIVATIVE("Rearranging", "elements under a mask", yes) {
    differentiable([](D1 x) { return sum(map(square, compact(map([](auto a) { return a > 0.5; }, x), x))); });
}
DERIVATIVE("Rearranging", "those that do, and those that do not", yes) {
    differentiable([](D1 x) {
        auto [p, q] = partition([](auto a) { return a > 0.5; }, x);
        return sum(map(square, p))() - sum(q)();
    });
}
DERIVATIVE("Rearranging", "three ways", yes) {
    differentiable([](D1 x) {
        auto [p, rest] = partition([](auto a) { return a > 0.7; }, x);
        auto [q, r] = partition([](auto a) { return a > 0.4; }, rest);
        return sum(map(square, p))() - sum(q)() + 3.0 * sum(r)();
    });
}

DERIVATIVE("Reductions", "innermost axis", yes) {
    differentiable([](D1 x) { return fold([](auto a, auto b) { return a + b + a * b; }, 0.5, matrix(x)); });
}
DERIVATIVE("Reductions", "innermost axis, commutative operator", yes) {
    differentiable([](D1 x) { return fold(times, 0.5, matrix(x)); });
}
DERIVATIVE("Reductions", "innermost axis, without initial value", yes) {
    differentiable([](D1 x) { return fold1(times, matrix(x)); });
}
DERIVATIVE("Reductions", "all axes", yes) {
    differentiable([](D1 x) { return fold_all(times, 0.5, matrix(x)); });
}
DERIVATIVE("Reductions", "all axes, without initial value", yes) {
    differentiable([](D1 x) { return fold1(times, flatten(matrix(x))); });
}
DERIVATIVE("Reductions", "segments, by lengths", yes) {
    differentiable([](D1 x) { return map(square, fold_segments(plus, 0.5, x, lengths())); });
}
DERIVATIVE("Reductions", "segments, without initial value", yes) {
    const Array<Long> three = from(std::vector<Long>{2, 3, 1});
    differentiable([=](D1 x) {
        auto last = inclusive_scan(std::plus<>{}, Delayed<Long>(three)) - Long(1);
        return map(square, gather(last, inclusive_scan_segments(plus, x, three)));
    });
}
DERIVATIVE("Reductions", "segments, by offsets", yes) {
    const Array<Long> offsets = from(std::vector<Long>{0, 2, 2, 5, 6});
    differentiable([=](D1 x) { return map(square, fold_segments(plus, 0.0, x, drop(offsets, 1) - take(offsets, 4))); });
}
DERIVATIVE("Reductions", "whether all hold", zero) {
    zero([](D1 x) { return select(all(map([](auto a) { return a > 0.0; }, x))(), D0(1.0), D0(2.0)); });
}
DERIVATIVE("Reductions", "whether any holds", zero) {
    zero([](D1 x) { return select(any(map([](auto a) { return a > 0.0; }, x))(), D0(1.0), D0(2.0)); });
}
DERIVATIVE("Reductions", "sum", yes) {
    differentiable([](D1 x) { return sum(map(square, x)); });
}
DERIVATIVE("Reductions", "product", yes) {
    differentiable([](D1 x) { return product(x); });
}
DERIVATIVE("Reductions", "least element", yes) {
    differentiable([](D1 x) { return min(x); });
}
DERIVATIVE("Reductions", "greatest element", yes) {
    differentiable([](D1 x) { return max(x); });
}
DERIVATIVE("Reductions", "sequential left fold", yes) {
    differentiable([](D1 x) { return for_loop(6, [=](auto i, D0 s) { return s * 0.5 + sin(s * x(i)); }, D0(0.3)); });
}
DERIVATIVE("Reductions", "sequential right fold", yes) {
    differentiable([](D1 x) { return for_loop(6, [=](auto i, D0 s) { return s * 0.5 + sin(s * x(5 - i)); }, D0(0.3)); });
}
DERIVATIVE("Reductions", "chunks by the compiler's choice", yes) {
    differentiable([](D1 x) { return fold(plus, 0.0, map(square, x)); });
}

DERIVATIVE("Scans", "inclusive", yes) {
    differentiable([](D1 x) { return inclusive_scan(times, 0.5, x); });
}
DERIVATIVE("Scans", "inclusive, without initial value", yes) {
    differentiable([](D1 x) { return inclusive_scan(times, x); });
}
DERIVATIVE("Scans", "exclusive", yes) {
    differentiable([](D1 x) { return exclusive_scan(times, 0.5, x); });
}
DERIVATIVE("Scans", "exclusive and total", yes) {
    differentiable([](D1 x) {
        auto [before, total] = scan_with_total(times, 0.5, x);
        return before * total();
    });
}
DERIVATIVE("Scans", "exclusive with the total at the end", yes) {
    differentiable([](D1 x) {
        auto [before, total] = scan_with_total(times, 0.5, x);
        return concat(before, replicate(1, total));
    });
}
DERIVATIVE("Scans", "from the right", yes) {
    differentiable([](D1 x) { return inclusive_scan(times, 0.5, x, from_right); });
}
DERIVATIVE("Scans", "recurrence, of any function", yes) {
    differentiable([](D1 x) { return recur([](auto s, auto a) { return sin(s * a) + a; }, 0.5, x); });
}
DERIVATIVE("Scans", "recurrence, the last state", yes) {
    differentiable([](D1 x) { return fold_left([](auto s, auto a) { return sin(s * a) + a; }, 0.5, x); });
}
DERIVATIVE("Scans", "of segments: inclusive", yes) {
    differentiable([](D1 x) { return inclusive_scan_segments(times, 0.5, x, lengths()); });
}
DERIVATIVE("Scans", "of segments: inclusive, without initial value", yes) {
    differentiable([](D1 x) { return inclusive_scan_segments(times, x, lengths()); });
}
DERIVATIVE("Scans", "of segments: exclusive", yes) {
    differentiable([](D1 x) { return exclusive_scan_segments(times, 0.5, x, lengths()); });
}
DERIVATIVE("Scans", "of segments: exclusive and totals", yes) {
    differentiable([](D1 x) {
        auto [before, totals] = scan_with_total_segments(times, 0.5, x, lengths());
        return sum(before)() * sum(map(square, totals))();
    });
}
DERIVATIVE("Scans", "of segments: exclusive with the total at the end of each", yes) {
    differentiable([](D1 x) {
        const Delayed<Long> n = lengths();
        auto starts = exclusive_scan(std::plus<>{}, Long(0), n);
        auto element = [=](auto p, auto k) {
            auto [start, length] = p;
            return cond(k < length, [&] { return x(start + k); }, [&] { return D0(1.0); });
        };
        auto longer = n + Long(1);
        return sum(map(square, exclusive_scan_segments(plus, 0.0, expand(longer, element, zip(starts, n)), longer)));
    });
}
DERIVATIVE("Scans", "of segments: from the right", yes) {
    differentiable([](D1 x) { return inclusive_scan_segments(times, 0.5, x, lengths(), from_right); });
}

DERIVATIVE("Stencils", "of the interior", yes) {
    differentiable([](D1 x) { return stencil([](auto s) { return s(-1) * s(1); }, boundary::keep, x); });
}
DERIVATIVE("Stencils", "stencil", yes) {
    differentiable([](D1 x) { return stencil([](auto s) { return s(-1) * s(1); }, boundary::clamp, x); });
}
DERIVATIVE("Stencils", "of two arrays", yes) {
    differentiable([](D1 x) {
        auto f = [](auto s) { return get<0>(s(-1)) * get<1>(s(1)); };
        return stencil(f, boundary::clamp, zip(x, reverse(x)));
    });
}
DERIVATIVE("Stencils", "behaviour at the edge", yes) {
    auto f = [](auto s) { return s(-1) * s(1); };
    differentiable([=](D1 x) { return stencil(f, boundary::reflect, x); });
    differentiable([=](D1 x) { return stencil(f, boundary::wrap, x); });
    differentiable([=](D1 x) { return stencil(f, boundary::constant(2.0), x); });
}
DERIVATIVE("Stencils", "the border element repeated by reflection", yes) {
    differentiable([](D1 x) { return stencil([](auto s) { return s(-1) * s(1); }, boundary::symmetric, x); });
}
DERIVATIVE("Stencils", "shapes of neighbourhoods", yes) {
    differentiable([](D1 x) { return stencil([](auto s) { return s(-1, 0) * s(1, 1); }, boundary::clamp, matrix(x)); });
}

DERIVATIVE("Control and functions", "choice between values", yes) {
    of_numbers([](auto a, auto b) { return select(a > b, a * b, sin(a)); });
}
DERIVATIVE("Control and functions", "choice, one side evaluated", yes) {
    of_numbers([](auto a, auto b) { return cond(a > b, [&] { return a * b; }, [&] { return sin(a); }); });
}
DERIVATIVE("Control and functions", "choice between arrays", yes) {
    differentiable([](D1 x) { return cond(sum(x)() > 1.0, [&] { return map(square, x); }, [&] { return x; }); });
}
DERIVATIVE("Control and functions", "while loop", yes) {
    differentiable(
        [](D1 x) { return while_loop([](D1 s) { return sum(s)() < 9.0; }, [](D1 s) { return s * s + 0.4; }, x); });
}
DERIVATIVE("Control and functions", "counted loop", yes) {
    differentiable([](D1 x) { return for_loop(3, [&](auto, D1 s) { return s * x; }, x); });
}
DERIVATIVE("Control and functions", "composition without fusion across", yes) {
    differentiable([](D1 x) { return map(square, force(map(square, x))); });
}
DERIVATIVE("Control and functions", "foreign code, arrays", yes) {
    auto twice = [](const Array<double>& a) { return run(a * 2.0); };
    auto back = [](const Array<double>&, const Array<double>& c, const Array<double>&) { return run(c * 2.0); };
    const Array<double> x = from(std::vector<double>{1, 2});
    CHECK(run(grad([=](D1 y) { return sum(foreign("twice", twice, y, derivative(back))); })(x)).to_vector() ==
          std::vector<double>{2, 2});
    CHECK_THROWS_WITH(run(grad([=](D1 y) { return sum(foreign("twice", twice, y)); })(x)),
                      Catch::Contains("the foreign function twice has no derivative"));
}
DERIVATIVE("Control and functions", "derivatives", yes) {
    differentiable([](D1 x) { return grad([](D1 y) { return sum(y * y * y); })(x); });
    differentiable([](D1 x) { return jvp([](D1 y) { return y * y; }, primals(x), tangents(x)).second; });
    differentiable([](D1 x) { return jacobian([](D1 y) { return y * y; })(x); });
}

DERIVATIVE("Scalars: products and literals", "tuples and their parts", yes) {
    of_numbers([](auto a, auto b) {
        auto [p, q] = Exp<std::tuple<double, double>>(std::tuple(a * b, a));
        return p * q;
    });
}
DERIVATIVE("Scalars: products and literals", "SIMD vectors", yes) {
    differentiable([](D1 x) {
        auto pairs = map([](D0 a) { return std::tuple(a, a * a); }, x);
        return map([](auto p) { return get<0>(p) * get<1>(p); }, pairs);
    });
}
DERIVATIVE("Scalars: products and literals", "sums", yes) {
    differentiable([](D1 x) {
        auto tagged = map([](D0 a) { return std::tuple(a > 0.5, a, a * a); }, x);
        return map([](auto t) { return select(get<0>(t), get<1>(t), get<2>(t)); }, tagged);
    });
}

DERIVATIVE("Scalars: arithmetic", "addition, subtraction, multiplication, negation", yes) {
    of_numbers([](auto a, auto b) { return (a + b) * (a - b) * -a; });
}
DERIVATIVE("Scalars: arithmetic", "literals", zero) {
    zero_of_numbers([](auto a, auto) { return select(a > 100.0, D0(1.0), D0(2.5)); });
}
DERIVATIVE("Scalars: arithmetic", "division of floats", yes) {
    of_numbers([](auto a, auto b) { return a / b + 1.0 / a; });
}
DERIVATIVE("Scalars: arithmetic", "integer division towards zero", zero) {
    zero_of_numbers([](auto a, auto) { return whole(a) / 3 + whole(a) % 3; });
}
DERIVATIVE("Scalars: arithmetic", "integer division downwards", zero) {
    zero_of_numbers([](auto a, auto) {
        auto x = whole(a);
        return x / 3 - cast<std::int32_t>((x % 3 != 0) && (x < 0));
    });
}
DERIVATIVE("Scalars: arithmetic", "floor division of floats", yes) {
    zero_of_numbers([](auto a, auto) { return floor(a / 0.7); });
    of_numbers([](auto a, auto) { return square(a - 0.7 * floor(a / 0.7)); });
}
DERIVATIVE("Scalars: arithmetic", "absolute value, sign", yes) {
    of_numbers([](auto a, auto b) { return abs(a) * b; }, -1, 1);
    zero_of_numbers([](auto a, auto) { return sign(a); });
}
DERIVATIVE("Scalars: arithmetic", "least and greatest of two", yes) {
    of_numbers([](auto a, auto b) { return min(a, b) * max(a, b * b); });
}
DERIVATIVE("Scalars: arithmetic", "comparison", zero) {
    zero_of_numbers([](auto a, auto b) { return cast<std::int32_t>(a == b) + cast<std::int32_t>(a < b); });
}
DERIVATIVE("Scalars: arithmetic", "three-way comparison", zero) {
    zero_of_numbers([](auto a, auto b) { return cast<std::int32_t>(a > b) - cast<std::int32_t>(a < b); });
}
DERIVATIVE("Scalars: arithmetic", "successor, predecessor", yes) {
    of_numbers([](auto a, auto) { return (a + 1.0) * (a - 1.0); });
}
DERIVATIVE("Scalars: arithmetic", "logic", zero) {
    zero_of_numbers([](auto a, auto b) { return cast<std::int32_t>((a > 0.0 && b > 0.0) || !(a > b)); });
}
DERIVATIVE("Scalars: arithmetic", "parity", zero) {
    zero_of_numbers([](auto a, auto) { return cast<std::int32_t>(whole(a) % 2 == 0); });
}
DERIVATIVE("Scalars: arithmetic", "greatest common divisor, least common multiple", zero) {
    zero_of_numbers([](auto a, auto b) {
        auto rest = [](auto x, auto y) { return std::tuple(y, x % y); };
        return std::get<0>(while_loop([](auto, auto y) { return y != 0; }, rest, whole(a), whole(b)));
    });
}
DERIVATIVE("Scalars: arithmetic", "integer power", yes) {
    of_numbers([](auto a, auto) { return for_loop(3, [=](auto, auto p) { return p * a; }, D0(1.0)); });
}

DERIVATIVE("Scalars: bits", "and, or, exclusive or, complement", zero) {
    zero_of_numbers([](auto a, auto b) { return ((whole(a) & whole(b)) | whole(a)) ^ ~whole(b); });
}
DERIVATIVE("Scalars: bits", "shifts", zero) {
    zero_of_numbers([](auto a, auto) { return (whole(a) << 2) >> 1; });
}
DERIVATIVE("Scalars: bits", "logical right shift", zero) {
    zero_of_numbers([](auto a, auto) { return cast<std::int32_t>(cast<std::uint32_t>(whole(a)) >> 3u); });
}
DERIVATIVE("Scalars: bits", "counts of bits", zero) {
    zero_of_numbers([](auto a, auto) { return popcount(whole(a)) + clz(whole(a)) + ctz(whole(a)); });
}
DERIVATIVE("Scalars: bits", "one bit", zero) {
    zero_of_numbers([](auto a, auto) { return whole(a) >> 2 & 1; });
}
DERIVATIVE("Scalars: bits", "high half of a product", zero) {
    zero_of_numbers([](auto a, auto b) {
        return cast<std::int32_t>(cast<std::int64_t>(whole(a)) * cast<std::int64_t>(whole(b)) >> 32);
    });
}

DERIVATIVE("Scalars: conversion", "between numbers", yes) {
    const Array<double> x = from(std::vector<double>{0.5, 2}), w = from(std::vector<double>{1, 1});
    auto through_float = [](D1 y) { return sum(map([](auto a) { return cast<double>(cast<float>(a * a)); }, y)); };
    CHECK(run(grad(through_float)(x)).to_vector() == std::vector<double>{1, 4});
    CHECK(run(jvp(through_float, primals(x), tangents(w)).second).item() == 5);
    zero_of_numbers([](auto a, auto) { return cast<std::int64_t>(a); });
}
DERIVATIVE("Scalars: conversion", "same bits", zero) {
    zero_of_numbers([](auto a, auto) { return bit_cast<double>(bit_cast<std::int64_t>(a)); });
}

DERIVATIVE("Scalars: floats", "roots", yes) {
    of_numbers([](auto a, auto b) { return sqrt(a) * cbrt(b) + rsqrt(a); });
}
DERIVATIVE("Scalars: floats", "exponentials and logarithms", yes) {
    of_numbers([](auto a, auto b) { return exp(a) * exp2(b) + expm1(a); });
    of_numbers([](auto a, auto b) { return log(a) * log2(b) + log10(a) * log1p(b); });
}
DERIVATIVE("Scalars: floats", "logarithm to a base", yes) {
    of_numbers([](auto a, auto b) { return log(a) / log(b + 2.0); });
}
DERIVATIVE("Scalars: floats", "power", yes) {
    of_numbers([](auto a, auto b) { return pow(a, b); });
}
DERIVATIVE("Scalars: floats", "trigonometric", yes) {
    of_numbers([](auto a, auto b) { return sin(a) * cos(b) + tan(a); });
    of_numbers([](auto a, auto b) { return asin(a) * acos(b) + atan(a) + atan2(a, b); });
}
DERIVATIVE("Scalars: floats", "hyperbolic", yes) {
    of_numbers([](auto a, auto b) { return sinh(a) * cosh(b) + tanh(a); });
    of_numbers([](auto a, auto b) { return asinh(a) * acosh(b + 1.1) + atanh(a); });
}
DERIVATIVE("Scalars: floats", "complex numbers", yes) {
    of_numbers([](auto a, auto b) {
        const auto z = record<std::complex<double>>(a, b);
        return norm(exp(z) * sqrt(z)) + arg(log(z)) + real(asin(z)) * imag(atanh(z));
    });
    of_numbers([](auto a, auto b) {
        const auto z = polar(a, b);
        return imag(pow(z, z)) + real(tanh(z)) * imag(sin(z)) + real(acosh(z));
    });
}
DERIVATIVE("Scalars: floats", "error function", yes) {
    of_numbers([](auto a, auto b) { return erf(a) * erfc(b); });
}
DERIVATIVE("Scalars: floats", "gamma function", yes) {
    of_numbers([](auto a, auto b) { return tgamma(a) * lgamma(b); });
}
DERIVATIVE("Scalars: floats", "length of a hypotenuse", yes) {
    of_numbers([](auto a, auto b) { return hypot(a, b); });
}
DERIVATIVE("Scalars: floats", "rounding", zero) {
    zero_of_numbers([](auto a, auto b) { return trunc(a) + rint(b) + ceil(a) + floor(b); });
}
DERIVATIVE("Scalars: floats", "whole and fractional part", yes) {
    of_numbers([](auto a, auto) { return square(a - trunc(a)); }, 1.1, 1.9);
}
DERIVATIVE("Scalars: floats", "interpolation, fused and plain multiply-add", yes) {
    of_numbers([](auto a, auto b) { return lerp(a, b, a * b) + fma(a, b, a); });
}
DERIVATIVE("Scalars: floats", "kinds of numbers", zero) {
    zero_of_numbers([](auto a, auto b) { return cast<std::int32_t>(isnan(a) || isinf(b) || isfinite(a)); });
}
DERIVATIVE("Scalars: floats", "subnormal, negative zero", zero) {
    zero_of_numbers(
        [](auto a, auto) { return cast<std::int32_t>(a != 0.0 && abs(a) < std::numeric_limits<double>::min()); });
}
DERIVATIVE("Scalars: floats", "parts of the representation", yes) {
    of_numbers([](auto a, auto) { return square(ldexp(a, 3)); });
}
DERIVATIVE("Scalars: floats", "sign of another number", yes) {
    of_numbers([](auto a, auto b) { return square(copysign(a, b) + 2.0); }, -1, 1);
}
DERIVATIVE("Scalars: floats", "next representable number", zero) {
    zero_of_numbers([](auto a, auto) { return nextafter(a, a + 1.0); });
}

DERIVATIVE("Beyond both", "sorting", yes) {
    differentiable([](D1 x) { return sort(map(square, x)); });
    differentiable([](D1 x) { return std::get<1>(sort_by_key(x, x * x)); });
    zero([](D1 x) { return map([](auto i) { return cast<double>(i); }, argsort(x)); });
}
DERIVATIVE("Beyond both", "update in place", yes) {
    differentiable([](D1 x) { return map(square, update(x, index(1), x(2) * x(3))); });
}
DERIVATIVE("Beyond both", "padding", yes) {
    differentiable([](D1 x) { return map(square, pad(x, {{1, 2}}, 0.5)); });
    differentiable([](D1 x) { return map(square, pad(x, {{2, 1}}, boundary::reflect)); });
}
DERIVATIVE("Beyond both", "nested parallelism", yes) {
    differentiable([](D1 x) { return vmap([](D1 row) { return product(row); }, matrix(x)); });
}

TEST_CASE("derivatives by numbers of functions that return an array", "[derivatives]") {
    const Array<double> table = from(std::vector<double>{1, 2, 3});
    auto total = [=](D0 a) { return sum(map([=](D0 x) { return x * a * a; }, table)); };
    auto slope = compile([=](D0 a) { return grad(total)(a); });
    CHECK(slope(2.0).item() == Approx(24));
    auto all = compile([=](D0 a, D0 b) {
        auto [value, both] = value_and_grad<0, 1>([=](D0 c, D0 d) { return total(c * d); })(a, b);
        return std::tuple(value, std::get<0>(both), std::get<1>(both));
    });
    const auto [value, of_a, of_b] = all(2.0, 3.0);
    CHECK(value.item() == Approx(216));
    CHECK(of_a.item() == Approx(216));
    CHECK(of_b.item() == Approx(144));
    auto along = compile([=](D0 a) {
        auto [v, d] = jvp(total, primals(a), tangents(D0(0.5)));
        return std::tuple(v, d);
    });
    const auto [at, tangent] = along(2.0);
    CHECK(at.item() == Approx(24));
    CHECK(tangent.item() == Approx(12));
    CHECK_THROWS_AS(map([=](D0 a) { return grad(total)(a)(); }, table), UsageError);
}
