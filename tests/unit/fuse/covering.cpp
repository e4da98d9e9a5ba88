// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear programs are solved if what is paid meets all rows and costs no more than the prices of the rows bring in.
#include "fuse/solve/covering.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>

using namespace sinter::fuse::solve;

namespace {

const Deadline a_minute(std::chrono::seconds(60));

class RandomProgram {
  public:
    explicit RandomProgram(std::uint64_t seed) : random_(seed), weights_(1 + pick(12)), program_(weights()) {}

    /// Solved with all rows so far.
    void check() {
        REQUIRE(program_.solve(a_minute));
        double cost = 0;
        for (std::uint32_t c = 0; c < weights_.size(); ++c) {
            REQUIRE(program_.value(c) >= 0);
            cost += weights_[c] * program_.value(c);
        }
        Covering::Prices prices = program_.prices();
        REQUIRE(*std::min_element(prices.left.begin(), prices.left.end()) >= 0);
        REQUIRE(prices.lower == Approx(cost).margin(1e-3));
    }

    /// Adds those of some rows that are not met; false if all are.
    bool add() {
        bool any = false;
        for (const Covering::Row& row : rows_) {
            double sum = 0;
            for (auto c : row.columns) sum += program_.value(c);
            if (sum > row.demand - 1e-5) continue;
            program_.add(row.columns, row.demand);
            any = true;
        }
        return any;
    }

    void make_rows() {
        for (std::size_t k = 1 + pick(20); k > 0; --k) {
            Covering::Row row{{}, static_cast<double>(1 + pick(2))};
            for (std::size_t n = 1 + pick(5); n > 0; --n)
                row.columns.push_back(static_cast<Covering::Column>(pick(weights_.size())));
            std::sort(row.columns.begin(), row.columns.end());
            rows_.push_back(std::move(row));
        }
    }

  private:
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
    const std::vector<double>& weights() {
        for (double& weight : weights_) weight = static_cast<double>(pick(2) ? pick(9) : 40'000 * pick(9));
        return weights_;
    }

    std::mt19937_64 random_;
    std::vector<double> weights_;
    std::vector<Covering::Row> rows_;
    Covering program_;
};

}  // namespace

TEST_CASE("Of a triangle's corners, half of each covers its edges") {
    Covering program({1, 1, 1});
    for (auto row : {std::array{0u, 1u}, std::array{1u, 2u}, std::array{0u, 2u}}) program.add(row, 1);
    REQUIRE(program.solve(a_minute));
    CHECK(program.prices().lower == Approx(1.5));
    for (Covering::Column c : {0u, 1u, 2u}) CHECK(program.value(c) == Approx(0.5));
    CHECK(program.tight().size() == 3);
}

TEST_CASE("A column that counts twice is half as dear") {
    Covering program({5, 3});
    program.add(std::array{0u, 0u, 1u}, 2);
    REQUIRE(program.solve(a_minute));
    CHECK(program.value(0) == 1);
    CHECK(program.prices().lower == 5);
    CHECK(program.prices().left[1] == 0.5);
}

TEST_CASE("Random programs, rows of which come as they are found to be unmet, are solved") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        INFO("seed " << seed);
        RandomProgram program(seed);
        program.make_rows();
        program.check();
        for (int round = 0; program.add(); ++round) {
            REQUIRE(round < 100);
            program.check();
        }
    }
}
