// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs from a seed.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace sinter::fuse::test {

/// Writes programs over arrays with the shapes [], [n], [m], [n, m] and [m, n] as text.
class RandomProgram {
  public:
    /// `cheap`: without functions that cost more than reading memory.
    explicit RandomProgram(std::uint64_t seed, bool cheap = false) : random_(seed), cheap_(cheap) {
        for (Kind kind : {matrix, row_results, column_results, scalar, indices}) add(type_of(kind), kind, "input");
        inputs_ = next_;
    }

    std::string program(std::size_t operations) {
        while (next_ < inputs_ + operations) step();
        std::string text;
        for (const std::string& line : lines_) text += line + '\n';
        text += "return %" + std::to_string(next_ - 1);
        for (std::size_t k = inputs_; k + 1 < next_; ++k)
            if (pick(8) == 0) text += ", %" + std::to_string(k);
        return text + '\n';
    }

  private:
    enum Kind { scalar, row_results, column_results, matrix, transposed, indices };

    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

    void add(const std::string& type, Kind kind, const std::string& op) {
        lines_.push_back("%" + std::to_string(next_++) + " : " + type + " = " + op);
        kind_.push_back(kind);
    }
    /// A variable of this kind, a late one more often.
    std::string any(Kind kind) {
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < next_; ++k)
            if (kind_[k] == kind) all.push_back(k);
        if (all.empty()) return "";
        return "%" + std::to_string(all[std::max(pick(all.size()), pick(all.size()))]);
    }
    static std::string type_of(Kind kind) {
        switch (kind) {
            case scalar:
                return "f32";
            case row_results:
                return "f32[n0]";
            case column_results:
                return "f32[n0.1]";
            case matrix:
                return "f32[n0, n0.1]";
            case transposed:
                return "f32[n0.1, n0]";
            default:
                return "i64[n0]";
        }
    }

    void map(Kind kind) {
        std::string a = any(kind), b = any(kind);
        if (a.empty()) return;
        std::string unary = pick(2) ? "sqrt" : "exp";
        if (cheap_) unary = "negate";
        if (pick(2)) return add(type_of(kind), kind, "map (" + a + ") {x0: f32 -> x1 = " + unary + " x0; x1}");
        add(type_of(kind), kind, "map (" + a + ", " + b + ") {x0: f32, x1: f32 -> x2 = add x0 x1; x2}");
    }
    void captured(Kind kind) {
        std::string a = any(kind), s = any(scalar);
        if (!a.empty()) add(type_of(kind), kind, "map (" + a + "; " + s + ") {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}");
    }
    void fold() {
        std::string tail = " from (%3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}";
        switch (pick(4)) {
            case 0:
                return add("f32[n0]", row_results, "fold [1] (" + any(matrix) + ")" + tail);
            case 1:
                return add("f32[n0.1]", column_results, "fold [0] (" + any(matrix) + ")" + tail);
            case 2:
                return add("f32", scalar, "fold [0, 1] (" + any(matrix) + ")" + tail);
            default:
                return add("f32", scalar, "fold [0] (" + any(row_results) + ")" + tail);
        }
    }
    void view() {
        switch (pick(5)) {
            case 0:
                return add("f32[n0.1, n0]", transposed, "transpose [1, 0] " + any(matrix));
            case 1:
                if (auto t = any(transposed); !t.empty()) add("f32[n0, n0.1]", matrix, "transpose [1, 0] " + t);
                return;
            case 2:
                return add("f32[n0]", row_results, "slice [(n0 - 1):-1] " + any(row_results));
            case 3:
                return add("f32[n0, n0.1]", matrix, "broadcast [0] " + any(row_results));
            default:
                return add("f32[n0, n0.1]", matrix, "broadcast [1] " + any(column_results));
        }
    }
    void step() {
        switch (pick(12)) {
            case 0:
                return view();
            case 1:
                return fold();
            case 2:
                return add("f32[n0]", row_results, "gather (%4) (" + any(row_results) + ")");
            case 3:
                return add("f32[n0]", row_results, "force (" + any(row_results) + ")");
            case 4:
                return captured(pick(2) ? matrix : row_results);
            case 5:
                return add("f32[n0]", row_results,
                           "map (" + any(row_results) + "; ; " + any(row_results) +
                               ") {@0: f32^1, x0: f32 -> x1: i64 = constant 0; x2: f32 = read @0 x1; x3 = add x0 x2; x3}");
            default:
                return map(static_cast<Kind>(pick(5)));
        }
    }

    std::mt19937_64 random_;
    bool cheap_;
    std::vector<std::string> lines_;
    std::vector<Kind> kind_;
    std::size_t next_ = 0, inputs_ = 0;
};

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* value = std::getenv(name);
    return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

}  // namespace sinter::fuse::test
