// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The inverse of the normal distribution function: Wichura's algorithm AS 241, PPND16.
#pragma once

#include <sinter/sinter.hpp>

namespace gaussian {

using Real = sinter::Exp<float>;

/// c[0] + x (c[1] + x (... + x c[7])).
inline Real polynomial(Real x, const double (&c)[8]) {
    Real sum = static_cast<float>(c[7]);
    for (int k = 6; k >= 0; --k) sum = static_cast<float>(c[k]) + x * sum;
    return sum;
}

/// x with distribution function p. For 2^-30 <= p <= 1 - 2^-30: the branch for smaller tails is not here.
inline Real quantile(Real p) {
    static constexpr double a[] = {3.387132872796366608,  133.14166789178437745, 1971.5909503065514427,
                                   13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                                   33430.575583588128105, 2509.0809287301226727};
    static constexpr double b[] = {1,
                                   42.313330701600911252,
                                   687.1870074920579083,
                                   5394.1960214247511077,
                                   21213.794301586595867,
                                   39307.89580009271061,
                                   28729.085735721942674,
                                   5226.495278852854561};
    static constexpr double c[] = {1.42343711074968357734,   4.6303378461565452959,   5.7694972214606914055,
                                   3.64784832476320460504,   1.27045825245236838258,  0.24178072517745061177,
                                   0.0227238449892691845833, 7.7454501427834140764e-4};
    static constexpr double d[] = {1,
                                   2.05319162663775882187,
                                   1.6763848301838038494,
                                   0.68976733498510000455,
                                   0.14810397642748007459,
                                   0.0151986665636164571966,
                                   5.475938084995344946e-4,
                                   1.05075007164441684324e-9};
    const Real q = p - 0.5f;
    const Real x = 0.180625f - q * q;
    const Real centre = q * polynomial(x, a) / polynomial(x, b);

    const Real r = sqrt(-log(0.5f - abs(q))) - 1.6f;
    const Real tail = polynomial(r, c) / polynomial(r, d);
    return select(abs(q) <= 0.425f, centre, select(q < 0.f, -tail, tail));
}

}  // namespace gaussian
