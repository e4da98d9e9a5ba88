// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Linear programs that pay for what rows ask for: minimise weight · x, where x >= 0, and of each row's columns the sum of x
/// is at least the row's demand. Rows come as they are found.
#pragma once

#include "fuse/solve/deadline.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter::fuse::solve {

class Covering {
  public:
    using Column = std::uint32_t;
    struct Row {
        std::vector<Column> columns;
        double demand;
    };

    /// Weights are not negative.
    explicit Covering(std::vector<double> weights);

    /// `columns`: increasing, not none; one that is named repeatedly counts so often.
    void add(std::span<const Column> columns, double demand);
    /// Solves for all rows so far: for those added since the last time a few pivots each, which take columns × rows in use.
    /// False if the deadline passed or numbers became too inexact.
    bool solve(const Deadline& deadline);

    double value(Column column) const { return x_[column]; }

    /// Prices of rows such that no column is asked for more than its weight: what solutions cost at least, and what is left
    /// of the weights. Whole numbers as far as the solution's are, so that they can be compared.
    struct Prices {
        double lower = 0;
        std::vector<double> left;  ///< by column
    };
    Prices prices() const;

    /// Rows that are tight.
    std::vector<Row> tight() const;

  private:
    struct Basic {
        std::uint32_t variable;
        double value;
    };

    bool is_slack(std::uint32_t variable) const { return variable >= weights_.size(); }
    const Row& row_of(std::uint32_t slack) const { return rows_[slack - weights_.size()]; }
    double* line(std::size_t k) { return table_.data() + k * width(); }
    std::size_t width() const { return weights_.size(); }
    std::size_t most_negative() const;
    std::size_t entering(const double* line) const;
    void pivot(std::size_t k, std::size_t c);
    void drop_idle();
    void read_values();

    std::vector<double> weights_;
    std::vector<Row> rows_;
    // A basic variable is its value and the sum of its line times the free variables, which are 0.
    std::vector<Basic> basic_;
    std::vector<double> table_;         ///< a line for each basic variable
    std::vector<std::uint32_t> free_;   ///< by column of the table
    std::vector<double> price_;         ///< by column of the table: what the free variable costs
    std::vector<std::uint32_t> place_;  ///< by column asked for: line or column of the table
    std::vector<bool> is_basic_;        ///< by column asked for
    std::vector<double> x_;
    std::vector<std::uint32_t> touched_;  ///< columns of the table that a pivot changes
};

}  // namespace sinter::fuse::solve
