// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Value at risk by Monte Carlo: losses of a portfolio whose returns are normal and correlated.
#pragma once

#include "common.hpp"
#include "drawing.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>
#include <sinter/random.hpp>

namespace programs {

/// Losses of `paths` days: of each position its value times its return, which has this covariance with the others.
inline Delayed<double> portfolio_losses(std::int64_t paths, Delayed<double> values, Delayed<double, 2> covariance) {
    const auto days = normal<double>(key(11), shape(paths, extent(values, 0)));
    const auto exposure = matmul(transpose(cholesky(covariance)), values);  // of the independent sources of risk
    return -matmul(days, exposure);
}

/// The loss that is exceeded with probability `tail`, and the mean of the losses beyond it (expected shortfall).
inline auto value_at_risk(Delayed<double> losses, Exp<double> tail) {
    const auto at_risk = quantile(losses, 1.0 - tail);
    const auto beyond = map([=](auto loss) { return select(loss >= at_risk(), loss, 0.0); }, losses);
    const auto count = sum(map([=](auto loss) { return select(loss >= at_risk(), 1.0, 0.0); }, losses));
    return std::tuple(at_risk, map([](auto total, auto n) { return total / n; }, sum(beyond), count));
}

/// Bars of how many losses lie in each of `columns` parts of [-limit, limit); those beyond what is at risk are red.
inline auto picture_of_losses(Delayed<double> losses, Exp<double> limit, Exp<double> at_risk, std::int64_t rows,
                              std::int64_t columns) {
    const auto bin_of = map(
        [=](auto loss) { return cast<std::int64_t>(floor((loss + limit) / (2.0 * limit) * static_cast<double>(columns))); },
        losses);
    const auto ones = map([](auto) { return Exp<std::int64_t>(1); }, losses);
    const auto counts = histogram(columns, std::plus<>{}, std::int64_t{0}, bin_of, ones, Outside::drop);
    const auto most = max(counts);
    return generate(shape(rows, columns, 3), [=](auto i, auto j, auto channel) {
        const auto is_bar = (rows - i) * most() <= counts(j) * rows;
        const auto loss = (cast<double>(j) / static_cast<double>(columns) * 2.0 - 1.0) * limit;
        const auto bar = select(loss >= at_risk, colour(channel, 200, 50, 45), colour(channel, 90, 130, 190));
        return cast<std::uint8_t>(select(is_bar, bar, 255));
    });
}

}  // namespace programs
