// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract and its market: the medium data set of the benchmark FinPar (contract 2), as published with the Futhark
/// benchmarks, ISC licence, copyright DIKU, University of Copenhagen.
#pragma once

namespace contract {

inline constexpr int dates = 5;
inline constexpr int underlyings = 3;
inline constexpr int coordinates =
    dates * underlyings;  ///< random numbers per path; date d, underlying u: d * underlyings + u

/// Years from today to each date.
inline constexpr double years[dates] = {366 / 365., 731 / 365., 1096 / 365., 1461 / 365., 1827 / 365.};

inline constexpr float start[underlyings] = {3758.05f, 11840.f, 1200.f};
inline constexpr float volatility[underlyings] = {0.19f, 0.19f, 0.15f};  ///< the same on every date
/// A factor of the correlation matrix; entries to the right of the diagonal are not used.
inline constexpr float correlation[underlyings][underlyings] = {{1, 0, 0}, {0.6f, 0.8f, 0}, {0.8f, 0.15f, 0.5809475f}};
inline constexpr float drift[dates][underlyings] = {
    {-0.0283491736871803f, 0.0178771081725381f, 0.0043096808044729f},
    {-0.0183841413744211f, -0.0044530897672834f, 0.0024263805987983f},
    {-0.0172686581005089f, 0.0125638544546015f, 0.0094452810918001f},
    {-0.0144179417871814f, 0.0157411263968213f, 0.0125315353728014f},
    {-0.0121497422218761f, 0.0182904634062437f, 0.0151125070556484f},
};
inline constexpr float discount[dates] = {0.979786286180593f, 0.9505748482484491f, 0.9214621679912968f, 0.8906693055891434f,
                                          0.8588567633110704f};

/// The payment on the first date at which no underlying is below its start. The last date has rules of its own.
inline constexpr float early_payment[dates - 1] = {1150, 1300, 1450, 1600};

/// Mean payoff of the first paths: float paths, added in double precision.
struct Reference {
    long long paths;
    double price;
};
inline constexpr Reference references[] = {{1000, 926.531555}, {65536, 937.602835}, {1048576, 937.391589}};
inline constexpr double published_price =
    937.795776;  ///< for 1048576 paths, with the rounding error of a single running float sum

}  // namespace contract
