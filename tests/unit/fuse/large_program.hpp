// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs of any length that look like real ones.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace sinter::fuse::test {

/// Writes bindings; variables are numbered as they come.
class Lines {
  public:
    /// `first`: the first number, in a nested body.
    explicit Lines(std::size_t first = 0) : next_(first) {}

    std::size_t add(const std::string& type, const std::string& op) {
        text_ += fmt::format("%{} : {} = {}\n", next_, type, op);
        return next_++;
    }
    /// The first of two results.
    std::size_t add_two(const std::string& type, const std::string& second, const std::string& op) {
        text_ += fmt::format("%{} : {}, %{} : {} = {}\n", next_, type, next_ + 1, second, op);
        next_ += 2;
        return next_ - 2;
    }
    std::size_t map1(const std::string& type, std::size_t x, const std::string& op) {
        return add(type, fmt::format("map (%{}) {{x0: f32 -> x1 = {} x0; x1}}", x, op));
    }
    std::size_t map2(const std::string& type, std::size_t x, std::size_t y, const std::string& op) {
        return add(type, fmt::format("map (%{}, %{}) {{x0: f32, x1: f32 -> x2 = {} x0 x1; x2}}", x, y, op));
    }
    std::string take(const std::string& results) { return text_ + "return " + results; }

  private:
    std::string text_;
    std::size_t next_;
};

/// Softmax of rows, `times` in a row.
inline std::string softmaxes(int times) {
    Lines lines;
    const std::string matrix = "f32[n0, n0.1]", row = "f32[n0]";
    std::size_t x = lines.add(matrix, "input"), zero = lines.add("f32", "input");
    auto fold = [&](std::size_t of, const char* op) {
        return lines.add(row,
                         fmt::format("fold [1] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = {} x0 x1; x2}}", of, zero, op));
    };
    auto spread = [&](std::size_t of) { return lines.add(matrix, fmt::format("broadcast [0] %{}", of)); };
    for (int k = 0; k < times; ++k) {
        std::size_t shifted = lines.map2(matrix, x, spread(fold(x, "maximum")), "sub");
        std::size_t e = lines.map1(matrix, shifted, "exp");
        x = lines.map2(matrix, e, spread(fold(e, "add")), "div");
    }
    return lines.take(fmt::format("%{}", x));
}

/// Radix sort by `bits` bits, one after the other.
inline std::string radix_sort(int bits) {
    Lines lines;
    const std::string keys = "u32[n0]", counts = "i64[n0]";
    const std::string plus = "{x0: i64, x1: i64 -> x2 = add x0 x1; x2}";
    std::size_t a = lines.add(keys, "input"), none = lines.add(keys, "map () {-> x0: u32 = constant 0; x0}");
    std::size_t zero = lines.add("i64", "map () {-> x0: i64 = constant 0; x0}");
    for (int k = 0; k < bits; ++k) {
        std::size_t ones =
            lines.add(counts, fmt::format("map (%{}) {{x0: u32 -> x1: u32 = constant {}; x2 = shift_right x0 x1; x3: u32 = "
                                          "constant 1; x4 = bit_and x2 x3; x5: i64 = cast x4; x5}}",
                                          a, k));
        std::size_t zeros =
            lines.add(counts, fmt::format("map (%{}) {{x0: i64 -> x1: i64 = constant 1; x2 = sub x1 x0; x2}}", ones));
        std::size_t before =
            lines.add_two(counts, "i64", fmt::format("scan exclusive totals [0] (%{}) from (%{}) {}", zeros, zero, plus));
        std::size_t behind = lines.add(counts, fmt::format("scan exclusive [0] (%{}) from (%{}) {}", ones, zero, plus));
        std::size_t to = lines.add(
            counts, fmt::format("map (%{}, %{}, %{}; %{}) {{x0: i64, x1: i64, x2: i64, x3: i64 -> x4: i64 = constant 0; "
                                "x5 = equal x0 x4; x6 = add x2 x3; x7 = select x5 x1 x6; x7}}",
                                ones, before, behind, before + 1));
        a = lines.add(keys, fmt::format("scatter drops (%{}) at (%{}) (%{})", none, to, a));
    }
    return lines.take(fmt::format("%{}", a));
}

/// Conjugate gradients with a dense matrix, `steps` of them unrolled.
inline std::string conjugate_gradients(int steps) {
    Lines lines;
    const std::string vector = "f32[n0]", scalar = "f32";
    std::size_t a = lines.add("f32[n0, n0]", "input");
    std::size_t x = lines.add(vector, "input"), r = lines.add(vector, "input"), p = r;
    std::size_t zero = lines.add(scalar, "input");
    auto sum = [&](std::size_t of) {
        return lines.add(scalar,
                         fmt::format("fold [0] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}", of, zero));
    };
    auto dot = [&](std::size_t u, std::size_t v) { return sum(lines.map2(vector, u, v, "mul")); };
    auto axpy = [&](std::size_t s, std::size_t u, std::size_t v, const char* op) {
        return lines.add(vector, fmt::format("map (%{}, %{}; %{}) {{x0: f32, x1: f32, x2: f32 -> x3 = mul x2 x0; "
                                             "x4 = {} x1 x3; x4}}",
                                             u, v, s, op));
    };
    std::size_t rr = dot(r, r);
    for (int k = 0; k < steps; ++k) {
        std::size_t rows = lines.add("f32[n0, n0]", fmt::format("broadcast [1] %{}", p));
        std::size_t products = lines.map2("f32[n0, n0]", a, rows, "mul");
        std::size_t ap = lines.add(
            vector, fmt::format("fold [1] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}", products, zero));
        std::size_t alpha = lines.map2(scalar, rr, dot(p, ap), "div");
        x = axpy(alpha, p, x, "add");
        r = axpy(alpha, ap, r, "sub");
        std::size_t next = dot(r, r), beta = lines.map2(scalar, next, rr, "div");
        p = axpy(beta, p, r, "add");
        rr = next;
    }
    return lines.take(fmt::format("%{}, %{}", x, r));
}

/// Diamonds and folds: `l = f(d), r = g(d), s = sum(l), d = l + r * s`, `steps` of them. What a step computes of one array
/// is needed before and behind its sum.
inline std::string diamonds(int steps, const std::string& f = "exp", const std::string& g = "sqrt") {
    Lines lines;
    const std::string vector = "f32[n0]", scalar = "f32";
    std::size_t d = lines.add(vector, "input"), zero = lines.add(scalar, "input");
    for (int k = 0; k < steps; ++k) {
        std::size_t l = lines.map1(vector, d, f), r = lines.map1(vector, d, g);
        std::size_t s =
            lines.add(scalar, fmt::format("fold [0] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}", l, zero));
        d = lines.add(vector, fmt::format("map (%{}, %{}; %{}) {{x0: f32, x1: f32, x2: f32 -> x3 = mul x1 x2; "
                                          "x4 = add x0 x3; x4}}",
                                          l, r, s));
    }
    return lines.take(fmt::format("%{}", d));
}

/// Maps, folds and reads in another order over vectors and matrices, each of what was made shortly before; some results are
/// returned.
inline std::string layered(int operations, std::uint64_t seed) {
    Lines lines;
    std::mt19937_64 random(seed);
    auto pick = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
    const std::string matrix = "f32[n0, n0.1]", row = "f32[n0]";
    std::vector<std::size_t> matrices{lines.add(matrix, "input")}, rows{lines.add(row, "input")};
    std::size_t zero = lines.add("f32", "input");
    std::string results;
    auto recent = [&](const std::vector<std::size_t>& list) {
        return list[list.size() - 1 - pick(std::min<std::size_t>(list.size(), 6))];
    };
    for (int k = 0; k < operations; ++k) {
        std::size_t kind = pick(10);
        if (kind < 3)
            rows.push_back(lines.map2(row, recent(rows), recent(rows), "add"));
        else if (kind < 6)
            matrices.push_back(lines.map2(matrix, recent(matrices), recent(matrices), "mul"));
        else if (kind < 8)
            rows.push_back(lines.add(row, fmt::format("fold [1] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}",
                                                      recent(matrices), zero)));
        else if (kind == 8)
            matrices.push_back(lines.map2(matrix, recent(matrices),
                                          lines.add(matrix, fmt::format("broadcast [0] %{}", recent(rows))), "sub"));
        else
            rows.push_back(lines.map1(row, lines.add(row, fmt::format("slice [(n0 - 1):-1] %{}", recent(rows))), "exp"));
        if (pick(12) == 0) results += fmt::format("%{}, ", rows.back());
    }
    return lines.take(results + fmt::format("%{}, %{}", rows.back(), matrices.back()));
}

}  // namespace sinter::fuse::test
