// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random/smooth/smooth.hpp"

namespace random_programs {

D1 bounded(const D1& x) {
    return map([](D0 a) { return tanh(a); }, x);
}
D2 bounded(const D2& x) {
    return map([](D0 a) { return tanh(a); }, x);
}

D2 Smooth::matrix() {
    if (matrices.empty()) {
        const D1 x = vector();
        matrices.push_back(
            generate(shape(size(x), columns), [&](auto i, auto j) { return x(i) * (cast<double>(j) * 0.5 - 0.4); }));
    }
    return any_of(matrices);
}

D1 Smooth::row() {
    if (rows.empty()) rows.push_back(bounded(sum(matrix(), axis(0))));
    return any_of(rows);
}

D0 Smooth::number() {
    if (scalars.empty()) add_sum(sum(vector()));
    return tanh(any_of(scalars)());
}

D0 Smooth::unary(D0 a) {
    switch (pick(9)) {
        case 0:
            return sin(a * 1.3);
        case 1:
            return a / sqrt(1.0 + a * a);
        case 2:
            return exp(-a * a) - a * 0.5;
        case 3:
            return tanh(a) + 0.2;
        case 4:
            return log(1.5 + a * a) * 0.7;
        case 5:
            return select(a > 0.1, cos(a), a * 0.6);
        case 6:  // also at 0, but not where products underflow: third derivatives of the root overflow there
            return select(a > 1e-60, sqrt(a), 0.3 * a);
        case 7:
            return abs(a) * 0.8;
        default:
            return atan2(a, 2.0 + a * a);
    }
}

D0 Smooth::binary(D0 a, D0 b) {
    switch (pick(8)) {
        case 0:
            return sin(a * b);
        case 1:
            return a * 0.5 - b * 0.7;
        case 2:
            return max(a, b) * 0.9;
        case 3:
            return a / (2.0 + b * b);
        case 4:
            return cond(a > b, [&] { return a * 0.3 + b; }, [&] { return cos(b * 1.1); });
        case 5:
            return hypot(a, b) * 0.6;
        case 6:
            return min(a, b * 0.8);
        default:
            return pow(1.0 + a * a * 0.1, sin(b));
    }
}

std::function<D0(D0, D0)> Smooth::monoid() {
    switch (pick(6)) {
        case 0:
            return [](D0 a, D0 b) { return a + b; };
        case 1:
            return [](D0 a, D0 b) { return max(a, b); };
        case 2:
            return [](D0 a, D0 b) { return a * b; };
        case 3:
            return [](D0 a, D0 b) { return min(a, b); };
        case 4: {
            const D0 s = number() * 0.3;
            return [s](D0 a, D0 b) { return a + b + s * a * b; };
        }
        default:
            return [](D0 a, D0 b) { return a + b + 0.3 * a * b; };
    }
}

std::function<Exp<Two>(Exp<Two>, Exp<Two>)> Smooth::pair_monoid() {
    using P = Exp<Two>;
    switch (pick(5)) {
        case 0:
            return [](P x, P y) { return record<Two>(get<0>(x) * get<0>(y), get<1>(x) * get<0>(y) + get<1>(y)); };
        case 1:  // the greatest, and what is beside it
            return [](P x, P y) {
                const auto left = get<0>(x) >= get<0>(y);
                return record<Two>(select(left, get<0>(x), get<0>(y)), select(left, get<1>(x), get<1>(y)));
            };
        case 2:  // products of complex numbers
            return [](P x, P y) {
                return record<Two>(get<0>(x) * get<0>(y) - get<1>(x) * get<1>(y),
                                   get<0>(x) * get<1>(y) + get<1>(x) * get<0>(y));
            };
        case 3:  // the greatest, and the sum of the exponentials relative to it
            return [](P x, P y) {
                const D0 most = max(get<0>(x), get<0>(y));
                return record<Two>(most, get<1>(x) * exp(get<0>(x) - most) + get<1>(y) * exp(get<0>(y) - most));
            };
        default:
            return [](P x, P y) { return record<Two>(get<0>(x) + get<0>(y), max(get<1>(x), get<1>(y))); };
    }
}

Delayed<Long> Smooth::places(Long n) {
    const Long step = between(1, 3), first = between(0, 4);
    switch (pick(3)) {
        case 0: {
            const D1 x = vector();
            return map([=](D0 a) { return cast<Long>(abs(a) * 10.0) % n; }, x);
        }
        case 1:
            return generate(shape(extent), [=](auto i) { return (i / 2 + first) % n; });
        default:
            return generate(shape(extent), [=](auto i) { return (i * step + first) % n; });
    }
}

void Smooth::grow(int steps) {
    static constexpr Step inner[] = {maps,
                                     maps,
                                     maps,
                                     reads,
                                     smooth_views,
                                     products,
                                     smooth_folds,
                                     smooth_scans,
                                     smooth_segments,
                                     smooth_sorts,
                                     smooth_updates,
                                     smooth_scatters,
                                     smooth_filters,
                                     smooth_stencils,
                                     smooth_recurrences,
                                     loops_in_functions};
    static constexpr Step outer[] = {loops,         loops, loops_of_elements, branches,         smooth_slices, smooth_slices,
                                     ragged_slices, rules, checkpoints,       inner_derivatives};
    for (int k = 0; k < steps; ++k) {
        const std::size_t kind = pick(depth > 1 ? std::size(inner) : std::size(inner) + std::size(outer));
        (kind < std::size(inner) ? inner[kind] : outer[kind - std::size(inner)])(*this);
    }
}

D1 Smooth::inside(const D1& x, int steps) const {
    return inside(x, steps, [](Smooth& made) { return bounded(made.vectors.back()); });
}

}  // namespace random_programs
