// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose work ranks share: prints the bits of their results, which are the same for any number of ranks.
#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>
#include <sinter/random.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;
bool first = true;

/// Of the bytes of all elements, in order.
template <class T, int Rank>
void show(const char* name, const Array<T, Rank>& a) {
    const std::vector<T> elements = a.to_vector();  // all ranks ask for it
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const T& element : elements) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &element, sizeof(T));
        for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    }
    std::string shape;
    for (Long extent : a.shape()) shape += " " + std::to_string(extent);
    if (first) std::printf("%-28s%016" PRIx64 "%s\n", name, hash, shape.c_str());
}

Array<float, 2> matrix(Long rows, Long columns) {
    return run(generate(shape(rows, columns),
                        [](auto i, auto j) { return cast<float>((i * 7919 + j * 104729) % 1009) * 0.37f - 91.f; }));
}

void maps_and_views(Long n, Long m) {
    const Array<float, 2> a = matrix(n, m), b = matrix(n, m);
    show("map", run(a * b + 1.f));
    show("map of a map", run(sqrt(abs(Array<float, 2>(run(a * 3.f)) - b))));
    show("reversed", run(reverse(a) + a));
    show("transposed", run(transpose(a) * 2.f));
    show("flattened", run(flatten(a) * 2.f));
    show("rows of another length", run(reshape(a, shape(m, n)) + 1.f));
    show("slice", run(slice(a, range(1, n), all) - slice(a, range(0, n - 1), all)));
}

void folds(Long n, Long m) {
    const Array<float, 2> a = matrix(n, m);
    show("sum of all", run(sum(flatten(a * a))));
    show("sums of rows", run(sum(a * 1.5f)));
    show("sums of columns", run(sum(transpose(a))));
    show("largest", run(max(flatten(a))));
    const Array<float> mean = run(sum(a) / float(m));
    show("mean of rows", mean);
    show("variance", run(sum((mean - 3.f) * (mean - 3.f))));
    show("long rows", run(sum(reshape(slice(flatten(a), range(0, n * m / 2 * 2)), shape(2, n * m / 2)))));
    show("product", run(matmul(a, transpose(a))));
    if (m < 1000) show("columns' product", run(matmul(transpose(a), a)));
    show("softmax", run(vmap([](Delayed<float, 1> row) { return exp(row - max(row)) / sum(exp(row - max(row))); }, a)));
}

/// A batch of products, whose rows are the outermost axis.
void batch(Long n) {
    constexpr Long squares = 25, side = 10;
    const Array<double, 2> centre =
        run(generate(shape(squares, side), [](auto k, auto j) { return cast<double>(k * 3 + j); }));
    const Array<double, 2> point =
        run(generate(shape(n, side), [](auto i, auto j) { return cast<double>((i * 7 + j) % 11); }));
    const Array<double, 3> square =
        run(generate(shape(squares, side, side), [](auto k, auto i, auto j) { return 0.5 * cast<double>(k + i * j); }));
    auto of_point = [=](Delayed<double, 1> x) {
        auto product = [=](Delayed<double, 2> s, Delayed<double, 1> c) {
            return vmap([=](Delayed<double, 1> row) { return sum(row * (x - c)); }, s);
        };
        return vmap(product, square, centre);
    };
    show("batch", run(vmap(of_point, point)));
}

void stencils(Long n, Long m) {
    const Array<float, 2> u = matrix(n, m);
    auto five = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };
    show("clamp", run(stencil(five, boundary::clamp, u)));
    show("wrap", run(stencil(five, boundary::wrap, u)));
    show("reflect", run(stencil(five, boundary::reflect, u)));
    show("constant", run(stencil(five, boundary::constant(1.f), u)));
    auto wide = [](auto s) { return s(-5, 0) + 2.f * s(0, 0) - s(4, 1); };
    show("wide", run(stencil(wide, boundary::clamp, stencil(five, boundary::clamp, u))));
    show("wide wrap", run(stencil(wide, boundary::wrap, stencil(five, boundary::wrap, u))));
    show("around lines", run(stencil([](auto s) { return s(-7) * 2.f - s(3); }, boundary::wrap, flatten(u))));
    show("rotated", run(rotate(u, 3, 0) + u));
    auto step = compile([=](Delayed<float, 2> v) { return stencil(five, boundary::clamp, v); });
    Array<float, 2> v = u;
    for (int k = 0; k < 5; ++k) v = step(std::move(v));
    show("steps", v);
    show("loop", run(for_loop(7, [=](auto, Delayed<float, 2> w) { return stencil(five, boundary::clamp, w); }, u)));
    auto end = while_loop([](auto k, Delayed<float, 2> w) { return k < 9 && max(flatten(w))() > 1.f; },
                          [=](auto k, Delayed<float, 2> w) { return std::tuple(k + 1, stencil(five, boundary::clamp, w)); },
                          Long{0}, u);
    show("until", run(std::get<1>(end)));
}

/// Rows that ranks have made in other numbers than they are to have them.
void parts(Long n, Long m, int rank, int ranks) {
    std::vector<float> mine;
    const Long begin = rank == 0 ? 0 : n / 2 + n / 2 * (rank - 1) / ranks;
    const Long end = rank == ranks - 1 ? n : n / 2 + n / 2 * rank / ranks;
    for (Long k = begin * m; k < end * m; ++k) mine.push_back(float(k * 7919 % 1009));
    const Array<float, 2> a = from_parts(mine, shape(end - begin, m));
    show("of parts", a);
    show("sum of parts", run(sum(flatten(a))));
    const Array<float, 2> b = run(a + 1.f);
    float own = 0;
    for (float x : b.local()) own = std::max(own, x);
    const Array<float, 2> c = run(a - 1.f);
    if (rank == 0) own = std::max(own, c.local()[0]);  // other ranks need not read theirs
    show("largest of parts", run(max(from_parts(std::vector<float>{own}, shape(1)))));
}

void others(Long n) {
    const Array<float> x = run(generate(shape(n), [](auto i) { return cast<float>(i * 7919 % 1009) - 500.f; }));
    show("prefix sums", run(inclusive_scan(std::plus<>{}, x * 1.f)));
    show("kept", run(filter([](auto e) { return e > 0.f; }, x)));
    show("sorted", run(sort(x * 2.f)));
    show("gathered", run(gather(generate(shape(n), [=](auto i) { return (i * 31) % n; }), x * 2.f)));
    auto [sums, squares] = run(std::tuple(sum(x), x * x));
    show("two results", squares);
    show("and", sums);
    show("random", run(sum(uniform<float>(Key{7, 0}, shape(20 * n)))));
}

/// Numbers of rows that are in blocks themselves: of few rows, many, all, one and the same, the last ones; of single
/// elements, of rows, of pieces of them, of two arrays at once, twice of one, in a sum, beside a stencil, and with numbers
/// that are no rows.
void lookups(Long n, Long m) {
    const Array<float, 2> a = matrix(n, m), b = matrix(n, m);
    const Array<float> f = run(flatten(a) * 2.f);
    for (Long count : {Long{1}, Long{7}, n / 3 + 1, 3 * n})
        for (Long stride : {Long{0}, Long{1}, Long{7919}}) {
            const Array<Long> at = run(generate(shape(count), [=](auto i) { return n - 1 - i * stride % n; }));
            const Array<Long> far = run(at * m), known = from(at.to_vector());  // on all ranks
            show("at known numbers", run(gather(known, reshape(slice(f, range(0, n)), shape(n))) + 1.f));
            show("rows at known numbers", run(generate(shape(count, m), [=](auto i, auto j) { return a(known(i), j); })));
            auto column = [=](auto j) { return map([=](auto i) { return a(i, j); }, at); };
            show("elements", run(gather(far, f) * 3.f));
            show("rows", run(generate(shape(count, m), [=](auto i, auto j) { return a(at(i), j) + 1.f; })));
            show("pieces", run(generate(shape(count, m / 2), [=](auto i, auto j) { return a(at(i), j + m / 3); })));
            show("of two",
                 run(generate(shape(count, m), [=](auto i, auto j) { return a(at(i), j) - b(at(i), m - 1 - j); })));
            show("twice", run(generate(shape(count), [=](auto i) { return a(at(i), 0) * a(at(i), m - 1); })));
            show("first and last", run(column(0) + column(m - 1)));
            show("sum", run(sum(gather(far, f) * 0.5f)));
            show("beside a stencil",
                 run(stencil([](auto s) { return s(-1) + s(1); }, boundary::clamp, far) + cast<Long>(gather(far, f))));
        }
    const Array<Long> bad = run(generate(shape(n), [=](auto i) { return select(i == n / 2, n * m + 5, i); }));
    try {
        run(gather(bad, f) * 2.f);
        if (first) std::printf("no error\n");
    } catch (const IndexError& error) {
        if (first) std::printf("%s\n", std::string(error.what()).substr(0, 40).c_str());
    }
}

/// Scans and filters whose lines are cut into chunks, or which go by rows.
void chained(Long n) {
    const Array<Long> x = run(generate(shape(n), [](auto i) { return i * 7919 % 1009 - 500; }));
    const Array<float> f = run(generate(shape(n), [](auto i) { return cast<float>(i * 31 % 1009) * 0.37f - 91.f; }));
    show("scan", run(inclusive_scan(std::plus<>{}, f * 1.5f)));
    show("exclusive scan", run(exclusive_scan(std::plus<>{}, 3.f, f)));
    auto composed = [](auto a, auto b) { return std::tuple(get<0>(a) * get<0>(b), get<1>(a) * get<0>(b) + get<1>(b)); };
    auto [factors, sums] = run(unzip(inclusive_scan(composed, zip(x % 3 + 1, x))));
    show("composed maps", sums);
    show("their factors", factors);
    show("last given", run(inclusive_scan([](auto a, auto b) { return select(b > 400, b, a); }, x)));
    auto [before, total] = run(scan_with_total(std::plus<>{}, 0.f, f * 0.5f));
    show("before", before);
    show("total", total);
    show("scan of a scan", run(inclusive_scan(std::plus<>{}, Array<float>(run(inclusive_scan(std::plus<>{}, f))) * 0.001f)));
    for (Long least : {Long{-501}, Long{0}, Long{480}, Long{508}, Long{1000}}) {
        const Array<Long> kept = run(filter([=](auto e) { return e > least; }, x * 1));
        show("kept", kept);
        show("sum of what is kept", run(sum(kept * 3)));
        show("first half",
             run(filter([=](auto i) { return i * 2 < n && i > least; }, generate(shape(n), [](auto i) { return i; }))));
    }
    auto [numbers, values] = run(unzip(filter([](auto e) { return get<0>(e) > 100; }, zip(x, f * 2.f))));
    show("kept numbers", numbers);
    show("kept values", values);
    show("kept of neighbours",
         run(filter([](auto e) { return e > 0.f; }, stencil([](auto s) { return s(-3) - s(2); }, boundary::clamp, f))));
    const Array<Long, 2> rows = run(reshape(x, shape(n / 10, 10)));
    show("scans of rows", run(inclusive_scan(std::plus<>{}, rows * 3)));
    show("scans of columns", run(transpose(inclusive_scan(std::plus<>{}, transpose(rows)))));
    auto [row_before, row_total] = run(scan_with_total(std::plus<>{}, Long{1}, rows));
    show("before in rows", row_before);
    show("totals of rows", row_total);
}

/// Keys that are all different, of a few values, all equal, sorted already, NaNs and both zeros; with payloads.
void sorts(Long n) {
    const Array<Long> x = run(generate(shape(n), [](auto i) { return i * 7919 % 100003 - 500; }));
    const Array<Long> few = run(x % 7);
    const Array<float> f = run(generate(shape(n), [](auto i) {
        auto v = cast<float>(i * 31 % 11 - 5) * 0.25f;
        return select(i % 5 == Long{1}, v / (v - v), select(i % 3 == Long{0}, v * -0.f, v));
    }));
    show("sorted numbers", run(sort(x)));
    show("sorted few", run(sort(few)));
    show("sorted equal", run(sort(few * 0)));
    show("sorted sorted", run(sort(Array<Long>(run(sort(x))))));
    show("sorted backwards", run(sort(Array<Long>(run(reverse(sort(x)))))));
    show("sorted floats", run(sort(f)));
    show("their order", run(argsort(f)));
    show("order of few", run(argsort(few)));
    auto [a, b] = run(unzip(sort(zip(few, f))));
    show("two keys", a);
    show("second key", b);
    show("rows sorted", run(sort(reshape(x, shape(n / 5, 5)))));
    show("small keys", run(argsort(cast<std::int8_t>(few))));
}

/// Histograms and other updates with an operator: of integers, of floats whose order shows, of several values, of points of
/// two axes, into an array with values, beside a map, beside folds, and with points that update nothing.
void updates(Long n, Long bins) {
    const Array<float> f = run(generate(shape(n), [](auto i) { return cast<float>(i * 7919 % 100003) * 0.37f - 91.f; }));
    const Array<Long> bin = run(generate(shape(n), [=](auto i) { return (i * 31) % bins; }));
    show("counts", run(histogram(bins, std::plus<>{}, Long{0}, bin, bin * 3)));
    show("summed floats", run(histogram(bins, std::plus<>{}, 0.5f, bin, f * 1.1f)));
    show("least", run(histogram(bins, [](auto a, auto b) { return min(a, b); }, 1e9f, bin, f)));
    auto add = [](auto a, auto b) { return std::tuple(get<0>(a) + get<0>(b), get<1>(a) + get<1>(b)); };
    auto [count, total] = run(unzip(histogram(bins, add, std::tuple(Long{0}, 0.f), bin, zip(bin, f))));
    show("counts of pairs", count);
    show("sums of pairs", total);
    const Array<float> begun = run(generate(shape(bins), [](auto i) { return cast<float>(i) * 0.1f; }));
    show("onto others", run(scatter(std::plus<>{}, begun, bin, f * 0.9f)));
    show("not all",
         run(scatter(std::plus<>{}, begun, map([](auto i, auto v) { return select(v > 0.f, i, Long{-1}); }, bin, f), f)));
    auto [sums, doubled] = run(std::tuple(histogram(bins, std::plus<>{}, 0.f, bin, f * 2.f), f * 2.f));
    show("sums beside a map", sums);
    show("that map", doubled);
    const Array<float, 2> a = run(reshape(slice(f, range(0, n / 40 * 40)), shape(n / 40, 40)));
    show("of two axes", run(histogram(bins, std::plus<>{}, 0.f, cast<Long>(abs(flatten(a))) % bins, flatten(a * 3.f))));
    auto [rows, columns] = run(std::tuple(sum(a * 0.3f), sum(transpose(a * 0.3f))));
    show("sums of rows", rows);
    show("and of columns", columns);
}

/// Scatters without an operator, of which many values go to one element: of numbers, of tuples, at computed places of rows,
/// with points that are dropped, and again and again in a loop. Which value wins is the same for any number of threads.
void overwrites(Long n) {
    const Array<float> none = run(generate(shape(n / 2 + 1), [](auto) { return -1.f; }));
    const auto turned = [=](auto i) { return min(i, n - 1 - i); };
    const auto value = [](auto i) { return cast<float>(i) * 0.5f; };
    const auto places = generate(shape(n), turned);
    show("overwritten", run(scatter(none, places, generate(shape(n), value))));
    show("in few places",
         run(scatter(none, generate(shape(n), [](auto i) { return i * 31 % 37; }), generate(shape(n), value))));
    const auto dropped = generate(shape(n), [=](auto i) { return select(i % 3 == 0, Long{-1}, turned(i)); });
    show("some dropped", run(scatter(none, dropped, generate(shape(n), value))));
    const auto pairs = run(generate(shape(n / 2 + 1), [=](auto i) { return std::tuple(i, value(i)); }));
    auto [numbers, halves] =
        run(unzip(scatter(pairs, places, generate(shape(n), [=](auto i) { return std::tuple(i * 3, value(i)); }))));
    show("of pairs", numbers);
    show("their halves", halves);
    const Array<float, 2> rows = run(generate(shape(n / 40, 7), [](auto i, auto j) { return cast<float>(i - j); }));
    const auto in_rows = generate(shape(n / 40, 40), [](auto i, auto j) { return std::tuple(i, j * j % 7); });
    show("in rows",
         run(scatter(rows, in_rows, generate(shape(n / 40, 40), [=](auto i, auto j) { return value(i * 50 + j); }))));
    if (n == 300000) {
        const Array<float> large = run(fill(shape(3000000), -1.f));
        const auto far = generate(shape(n), [](auto i) { return i * 7919 % 50021 * 59; });
        show("in a large array", run(scatter(large, far, generate(shape(n), value))));
    }
    show("in a loop", run(for_loop(
                          Long{5},
                          [=](auto k, Delayed<float> a) {
                              return scatter(a, places, generate(shape(n), [=](auto i) { return value(i + k); }));
                          },
                          none)));
}

/// Columns of arrays that near ranks show each other, with rows that end within pages: of one array, of two at once, and of
/// arrays that die at once, so that their memory is written while a slower rank might still read it.
template <class T>
void columns(Long n, Long m) {
    const Array<T, 2> a = run(generate(shape(n, m), [](auto i, auto j) { return cast<T>((i * 7919 + j * 104729) % 1009); }));
    Array<T, 2> b = run(a * T(3));
    for (Long k = 0; k < 12; ++k) {
        const Array<T, 2> turned = run(transpose(b) + T(1));
        b = run(transpose(turned) - a);
    }
    show("turned", b);
    show("of two", run(transpose(b) * transpose(a)));
    show("twice", run(transpose(b) + transpose(reverse(b))));
    show("sums of columns", run(sum(transpose(b))));
    show("sum of columns", run(sum(flatten(transpose(b) * T(2)))));
    show("every second", run(transpose(slice(b, range(0, n, 2), all))));
}

void errors(Long n) {
    for (Long bad : {Long{3}, n - 2}) try {
            const Array<Long> at = run(generate(shape(n), [=](auto i) { return select(i == bad, n + i, i); }));
            run(gather(at, run(generate(shape(n), [](auto i) { return cast<float>(i); }))));
            if (first) std::printf("no error\n");
        } catch (const IndexError& error) {
            if (first) std::printf("%s\n", std::string(error.what()).substr(0, 40).c_str());
        }
}

/// Ten stencils whose borders travel, a sum, and a filter.
void meetings() {
    auto step = compile([](Delayed<float, 2> u) {
        return stencil([](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); }, boundary::clamp, u);
    });
    Array<float, 2> u = run(generate(shape(2000, 300), [](auto i, auto j) { return cast<float>(i * 7 + j); }));
    for (int k = 0; k < 10; ++k) u = step(std::move(u));
    const float total = run(sum(flatten(u))).item();
    const Array<float> kept = run(filter([](auto x) { return x > 100.f; }, flatten(u)));
    if (first) std::printf("%a %lld\n", double(total), static_cast<long long>(kept.size()));
}

}  // namespace

int main(int argc, char** argv) {
    Ranks ranks(argc, argv);
    first = ranks.first();
    if (argc > 1 && std::string_view(argv[1]) == "meetings") {
        meetings();
        return 0;
    }
    if (argc > 1) {  // again and again, because threads may meet or not
        for (int turn = 0; turn < 3; ++turn)
            for (Long n : {Long{4000}, Long{300000}}) overwrites(n);
        return 0;
    }
    for (Long n : {Long{1}, Long{2}, Long{5}, Long{64}, Long{300}}) {
        maps_and_views(n, 17);
        folds(n, 40);
        stencils(n, 33);
        lookups(n, 6);
        others(10 * n);
        parts(n, 31, ranks.rank(), ranks.count());
    }
    parts(20000, 10, ranks.rank(), ranks.count());
    columns<float>(1501, 701);
    columns<std::int64_t>(640, 1024);
    columns<std::int8_t>(3001, 1100);
    folds(3000, 50);
    folds(4, 100000);
    batch(10000);
    batch(13);
    lookups(30000, 20);
    others(100000);
    for (Long n : {Long{10}, Long{1000}, Long{40000}, Long{300000}}) chained(n);
    for (Long n : {Long{5}, Long{40}, Long{5000}, Long{400000}}) sorts(n);
    for (Long n : {Long{80}, Long{30000}, Long{300000}, Long{400007}}) updates(n, 37);
    updates(1200000, 5000);
    for (Long n : {Long{80}, Long{300000}}) overwrites(n);
    errors(1000);
}
