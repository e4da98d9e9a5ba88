// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dual simplex algorithm (Lemke, The dual method of solving the linear programming problem, 1954) on a dictionary:
// prices are never negative, and rows that are not met are pivoted away one by one. A row that is met and not tight is
// forgotten: whoever looks for rows finds it again if that matters, and the dictionary has a line for each column in use and
// no more.
//
// Weights are large whole numbers and most pivots are on ones, so prices stay whole.
#include "fuse/solve/covering.hpp"

#include <algorithm>
#include <cmath>

namespace sinter::fuse::solve {

namespace {

constexpr double tolerance = 1e-7;
constexpr auto none = static_cast<std::size_t>(-1);

double snapped(double price) {
    const double whole = std::round(price);
    return std::abs(price - whole) < 1e-4 ? whole : price;
}

}  // namespace

Covering::Covering(std::vector<double> weights)
    : weights_(std::move(weights)),
      free_(weights_.size()),
      price_(weights_),
      place_(weights_.size()),
      is_basic_(weights_.size(), false),
      x_(weights_.size(), 0) {
    for (std::uint32_t c = 0; c < weights_.size(); ++c) free_[c] = place_[c] = c;
}

void Covering::add(std::span<const Column> columns, double demand) {
    basic_.push_back({static_cast<std::uint32_t>(weights_.size() + rows_.size()), -demand});
    rows_.push_back({{columns.begin(), columns.end()}, demand});
    table_.resize(basic_.size() * width(), 0);
    double* own = line(basic_.size() - 1);
    for (Column column : columns) {
        const std::uint32_t at = place_[column];
        if (!is_basic_[column]) {
            own[at] += 1;
            continue;
        }
        const double* other = line(at);
        basic_.back().value += basic_[at].value;
        for (std::size_t c = 0; c < width(); ++c) own[c] += other[c];
    }
}

std::size_t Covering::most_negative() const {
    std::size_t best = none;
    double least = -tolerance;
    for (std::size_t k = 0; k < basic_.size(); ++k)
        if (basic_[k].value < least) least = basic_[k].value, best = k;
    return best;
}

/// The free variable whose price per unit is the least; of these the one with the largest factor.
std::size_t Covering::entering(const double* line) const {
    std::size_t best = none;
    for (std::size_t c = 0; c < width(); ++c) {
        if (line[c] <= tolerance) continue;
        if (best == none) {
            best = c;
            continue;
        }
        const double ours = price_[c] * line[best], its = price_[best] * line[c];
        if (ours < its || (ours == its && line[c] > line[best])) best = c;
    }
    return best;
}

void Covering::pivot(std::size_t k, std::size_t c) {
    double* own = line(k);
    const double factor = own[c];
    const std::uint32_t in = free_[c], out = basic_[k].variable;
    own[c] = -1;
    touched_.clear();
    for (std::uint32_t i = 0; i < width(); ++i) {
        if (own[i] == 0) continue;
        own[i] /= -factor;
        touched_.push_back(i);
    }
    basic_[k] = {in, -basic_[k].value / factor};
    free_[c] = out;
    auto substitute = [&](double* into, double times) {
        into[c] = 0;
        for (std::uint32_t i : touched_) into[i] += times * own[i];
    };
    for (std::size_t other = 0; other < basic_.size(); ++other) {
        const double times = line(other)[c];
        if (other == k || times == 0) continue;
        basic_[other].value += times * basic_[k].value;
        substitute(line(other), times);
    }
    substitute(price_.data(), price_[c]);
    for (std::uint32_t i : touched_) price_[i] = price_[i] < tolerance ? 0 : price_[i];
    if (!is_slack(in)) place_[in] = static_cast<std::uint32_t>(k), is_basic_[in] = true;
    if (!is_slack(out)) place_[out] = static_cast<std::uint32_t>(c), is_basic_[out] = false;
}

bool Covering::solve(const Deadline& deadline) {
    for (std::size_t pivots = 0, most = 50 + 20 * (basic_.size() + width());; ++pivots) {
        const std::size_t k = most_negative();
        if (k == none) break;
        const std::size_t c = entering(line(k));
        if (c == none || pivots > most || (pivots % 16 == 0 && deadline.passed())) return false;
        pivot(k, c);
    }
    drop_idle();
    read_values();
    return true;
}

void Covering::drop_idle() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < basic_.size(); ++k) {
        if (is_slack(basic_[k].variable) && basic_[k].value > tolerance) continue;
        if (kept != k) {
            basic_[kept] = basic_[k];
            std::copy_n(line(k), width(), line(kept));
            if (!is_slack(basic_[k].variable)) place_[basic_[k].variable] = static_cast<std::uint32_t>(kept);
        }
        ++kept;
    }
    basic_.resize(kept);
    table_.resize(kept * width());
}

void Covering::read_values() {
    std::fill(x_.begin(), x_.end(), 0);
    for (const Basic& basic : basic_)
        if (!is_slack(basic.variable)) x_[basic.variable] = std::max(basic.value, 0.0);
}

Covering::Prices Covering::prices() const {
    Prices result{0, weights_};
    for (std::size_t c = 0; c < width(); ++c) {
        if (!is_slack(free_[c])) continue;
        const Row& row = row_of(free_[c]);
        double price = snapped(price_[c]);
        for (std::size_t k = 0, times = 1; k < row.columns.size(); ++k) {
            times = k > 0 && row.columns[k] == row.columns[k - 1] ? times + 1 : 1;
            price = std::min(price, result.left[row.columns[k]] / static_cast<double>(times));
        }
        for (Column column : row.columns) result.left[column] -= price;
        result.lower += price * row.demand;
    }
    return result;
}

std::vector<Covering::Row> Covering::tight() const {
    std::vector<Row> result;
    for (std::uint32_t variable : free_)
        if (is_slack(variable)) result.push_back(row_of(variable));
    return result;
}

}  // namespace sinter::fuse::solve
