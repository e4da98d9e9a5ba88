// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain counts what is moved, names what it counts, and takes what run takes.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;

Array<float, 2> square(Long n) { return from(numbers<float>(n * n), shape(n, n)); }

/// The mean of a point and its eight neighbours.
auto box() {
    return [](auto at) {
        Exp<float> sum = 0.f;
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j) sum = sum + at(i, j);
        return sum / 9.f;
    };
}

void require_near(std::int64_t bytes, double expected) {
    CAPTURE(bytes);
    CHECK(static_cast<double>(bytes) >= 0.9 * expected);
    CHECK(static_cast<double>(bytes) <= 1.1 * expected);
}

bool has(const Explanation& explanation, const std::string& words) {
    const std::string clusters = explanation.text().substr(0, explanation.text().find("\nProgram before"));
    INFO(clusters);
    return clusters.find(words) != std::string::npos;
}

auto halves(const Array<float>& x) {
    std::vector<float> result = x.to_vector();
    for (float& v : result) v /= 2;
    return from(result);
}

}  // namespace

TEST_CASE("a stencil reads once and writes once", "[explain]") {
    const Array<float, 2> x = square(500);
    const Explanation one = explain(stencil(box(), boundary::clamp, x));
    REQUIRE(one.clusters().size() == 1);
    require_near(one.bytes_moved(), 2 * 4.0 * 500 * 500);
}

TEST_CASE("each stencil of a chain reads once and writes once", "[explain]") {
    const Array<float, 2> x = square(500);
    const auto first = stencil(box(), boundary::wrap, x), second = stencil(box(), boundary::clamp, first);
    const Explanation chain = explain(stencil(box(), boundary::mirror, second));
    REQUIRE(chain.clusters().size() == 3);
    for (const Cluster& cluster : chain.clusters()) require_near(cluster.bytes(), 2 * 4.0 * 500 * 500);
}

TEST_CASE("two stencils of one array read it once", "[explain]") {
    const Array<float, 2> x = square(500);
    const auto along = [&](int i, int j) {
        return stencil([=](auto at) { return at(i, j) - at(-i, -j); }, boundary::clamp, x);
    };
    const Explanation both = explain(along(1, 0), along(0, 1));
    REQUIRE(both.clusters().size() == 1);
    require_near(both.bytes_moved(), 3 * 4.0 * 500 * 500);
    for (Target target : targets()) {
        const auto [rows, columns] = run(along(1, 0), along(0, 1), {.target = target});
        const Options apart{.target = target, .fusion = Fusion::none};
        require_same(rows.to_vector(), run(along(1, 0), apart).to_vector());
        require_same(columns.to_vector(), run(along(0, 1), apart).to_vector());
    }
}

TEST_CASE("reads that meet nowhere are reads of their own", "[explain]") {
    const Array<float, 2> x = square(500);
    require_near(explain(x + transpose(x)).bytes_moved(), 3 * 4.0 * 500 * 500);
    const Array<float> line = from(numbers<float>(100'000));
    require_near(explain(line + reverse(line)).bytes_moved(), 3 * 4.0 * 100'000);
    require_near(explain(drop(line, 1) - take(line, 99'999)).bytes_moved(), 2 * 4.0 * 100'000);
    require_near(explain(take(line, 50'000) - drop(line, 50'000)).bytes_moved(), 3 * 4.0 * 50'000);
}

TEST_CASE("a sort moves what its passes move", "[explain]") {
    const Array<float> x = from(numbers<float>(1'000'000));
    const Explanation sorted = explain(sort(x + 1.f) * 2.f);
    REQUIRE(sorted.clusters().size() == 3);
    CHECK(sorted.clusters()[1].bytes() == 4'000'000 * 10);  // keys seen first, then three passes: two reads and a write each
    CHECK(has(sorted, "a sort begins with all elements in memory"));
    CHECK(has(sorted, "it is the result of a sort"));
    CHECK_FALSE(has(sorted, "force"));
    CHECK(explain(sort(from(numbers<float>(100)))).bytes_moved() == 800);
}

TEST_CASE("foreign functions and updates move what they are given and change", "[explain]") {
    const Array<float> x = from(numbers<float>(1'000'000));
    const Explanation called = explain(foreign("halves", halves, x));
    require_near(called.bytes_moved(), 2 * 4'000'000);
    const Explanation changed =
        explain(for_loop(Long{9}, [](Exp<Long> i, Delayed<float> v) { return update(v, index(i), 1.f); }, x));
    CHECK(changed.bytes_moved() < 1000);
    CHECK(has(changed, "a loop, whose body follows below"));
    CHECK(has(changed, ", executed 9 times"));
    require_near(explain(update(x, index(3), 1.f)).bytes_moved(), 2 * 4'000'000);
}

TEST_CASE("a slice from where a loop is counts as all there is", "[explain]") {
    const Long n = 10'000;
    const Array<float> x = from(numbers<float>(n));
    const Explanation rest =
        explain(for_loop(n - 1, [](Exp<Long> i, Delayed<float> v) { return v * sum(drop(v, i + 1))(); }, x));
    for (const Cluster& cluster : rest.clusters()) CHECK(cluster.bytes() >= 0);
    require_near(rest.bytes_moved(), 3 * 4.0 * static_cast<double>(n));
    CHECK_FALSE(has(rest, "= -"));
}

TEST_CASE("extents that are not known to be equal are named, with the calls they come from", "[explain]") {
    const Array<float> x = from(numbers<float>(1000)), y = from(numbers<float>(900));
    const Explanation unknown = explain(x * 2.f, y * 3.f, sum(x) * sum(y));
    CHECK(has(unknown, "of the shapes [n0] and [n1], which are not known to be equal"));
    CHECK(has(unknown, "(explain.cpp:"));
    const Explanation equal = explain(x * 2.f, x * 3.f, sum(x + run(x)));
    CHECK_FALSE(has(equal, "not known"));
}

TEST_CASE("explain takes what run takes", "[explain]") {
    const Array<float> x = from(numbers<float>(1000));
    const Options unfused{.fusion = Fusion::none};
    const auto a = x + 1.f, b = x * 2.f, c = x - 3.f, d = -x;
    CHECK(explain(a, b).clusters().size() == 1);
    CHECK(explain(a, b, unfused).clusters().size() == 2);
    CHECK(explain(a, b, c, unfused).clusters().size() == 3);
    CHECK(explain(a, b, c, d).bytes_moved() == explain(std::tuple(a, b, c, d)).bytes_moved());
    CHECK(explain(a, b, c, d, sum(x)).clusters().size() == 1);
    CHECK(explain(std::pair(a, b), unfused).clusters().size() == 2);
    CHECK(explain(a, unfused).bytes_moved() == 8000);
}

TEST_CASE("explain names what is copied before it is updated", "[explain]") {
    const Array<float> x = from(numbers<float>(100));
    auto all_copies = [](const Explanation& explanation) {
        std::vector<std::string> copies;
        for (const Cluster& cluster : explanation.clusters())
            copies.insert(copies.end(), cluster.copies().begin(), cluster.copies().end());
        return copies;
    };
    auto looped = [&](auto step) { return all_copies(explain(for_loop(3, step, x))); };
    using State = Delayed<float>;
    auto part = range(1, 99);
    REQUIRE(looped([=](Exp<Long>, State s) { return update(s, part, slice(s, part) * 2.f); }).empty());
    const auto shifted = looped([=](Exp<Long>, State s) { return update(s, part, slice(s, range(0, 98))); });
    REQUIRE(shifted.size() == 1);
    REQUIRE(shifted[0].find("read after another step") != std::string::npos);
    const auto given = all_copies(explain(update(x, part, slice(x, part) * 2.f)));
    REQUIRE(given.size() == 1);
    REQUIRE(given[0].find("unless it is given up") != std::string::npos);
    const auto made = force(x * 2.f);
    const auto later = all_copies(explain(update(made, part, slice(made, part) * 3.f), made));
    REQUIRE(later.size() == 1);
    REQUIRE(later[0].find("needed later") != std::string::npos);
    REQUIRE(has(explain(update(x, part, 1.f)), "copies   %"));
}
