// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds, scans, recurrences and sorts, of lines and of segments.
#include "random/smooth/smooth.hpp"

namespace random_programs {

namespace {

auto pairs_of(Smooth& p) {
    return map([](D0 a, D0 b) { return record<Two>(sin(a), 0.5 * cos(b)); }, p.vector(), p.vector());
}

/// As many lengths as there are columns, which add up to the extent.
Delayed<Long> lengths_of(Smooth& p) {
    return histogram(Smooth::columns, std::plus<>{}, Long{0}, p.places(Smooth::columns), fill(shape(p.extent), Long{1}));
}

template <class Op, class Init, class A, class... Option>
auto scanned(Smooth& p, const Op& op, const Init& init, const A& x, const Option&... option) {
    return p.chance(50) ? inclusive_scan(op, init, x, option...) : exclusive_scan(op, init, x, option...);
}

}  // namespace

void smooth_folds(Smooth& p) {
    const auto op = p.monoid();
    switch (p.pick(8)) {
        case 0:
            p.add(bounded(fold(op, 0.7, map([](D0 a) { return sin(a); }, p.matrix()))));
            return;
        case 1:
            p.rows.push_back(bounded(fold(op, 0.7, bounded(p.matrix()), axis(0))));
            return;
        case 2: {
            const auto two = fold(p.pair_monoid(), Two(0.4, 0.3), pairs_of(p));
            p.add_scalar(map([](Exp<Two> v) { return tanh(get<0>(v)) + tanh(get<1>(v)); }, two));
            return;
        }
        case 3: {
            const D1 x = p.vector(), y = p.vector();
            p.add_scalar(fill(shape(), y(argmax(x)()) * x(argmin(x)())));
            return;
        }
        case 4:
            p.add_scalar(p.chance(50) ? min(p.vector()) : max(p.vector()));
            return;
        case 5: {  // zeros among the factors
            const double limit = p.chance(50) ? 0.0 : -0.8;
            p.add_scalar(product(map([=](D0 a) { return select(a > limit, a, 0.0); }, p.vector())));
            return;
        }
        case 6:
            p.add_sum(fold(op, p.number(), bounded(p.vector())));
            return;
        default:
            p.add_scalar(fold(op, 0.7, bounded(p.vector())));
    }
}

void smooth_scans(Smooth& p) {
    const auto op = p.monoid();
    switch (p.pick(6)) {
        case 0:
            p.add(bounded(scanned(p, op, 0.4, bounded(p.vector()), from_right)));
            return;
        case 1: {
            const int along = static_cast<int>(p.pick(2));
            p.add(bounded(scanned(p, op, 0.4, bounded(p.matrix()), axis(along))));
            return;
        }
        case 2: {
            const auto pairs = scanned(p, p.pair_monoid(), Two(0.4, 0.3), pairs_of(p));
            p.add(map([](Exp<Two> v) { return tanh(get<0>(v)) + tanh(get<1>(v)); }, pairs));
            return;
        }
        case 3: {
            const auto [prefixes, total] = scan_with_total(op, p.number(), bounded(p.vector()));
            p.add(bounded(prefixes));
            p.add_scalar(total);
            return;
        }
        case 4:
            p.add(bounded(inclusive_scan(op, bounded(p.vector()))));
            return;
        default:
            p.add(bounded(scanned(p, op, 0.4, bounded(p.vector()))));
    }
}

void smooth_segments(Smooth& p) {
    const auto op = p.monoid();
    const D1 x = bounded(p.vector());
    if (p.chance(30)) {
        const Long most = p.between(1, 3);
        const D1 more = expand([=](D0 a) { return cast<Long>(abs(a) * 10.0) % (most + 1); },
                               [&](D0 a, I k) { return p.unary(a) + 0.1 * cast<double>(k); }, x);
        return p.chance(50) ? p.add_sum(sum(more)) : p.add_scalar(fold(op, 0.3, bounded(more)));
    }
    const auto lengths = lengths_of(p);
    switch (p.pick(4)) {
        case 0:
            p.add(bounded(inclusive_scan_segments(op, 0.4, x, lengths)));
            return;
        case 1:
            p.add(bounded(exclusive_scan_segments(op, p.number(), x, lengths, from_right)));
            return;
        case 2: {
            const auto made = fold_segments(p.pair_monoid(), Two(0.4, 0.3), pairs_of(p), lengths);
            p.rows.push_back(map([](Exp<Two> v) { return tanh(get<0>(v)) * tanh(get<1>(v)); }, made));
            return;
        }
        default:
            p.rows.push_back(bounded(fold_segments(op, 0.4, x, lengths)));
    }
}

void smooth_sorts(Smooth& p) {
    const D1 x = p.vector(), y = p.vector();
    switch (p.pick(5)) {
        case 0:
            p.add(sort(x, descending));
            return;
        case 1:
            p.add(std::get<1>(sort_by_key(x, y)));
            return;
        case 2:
            p.add(gather(argsort(x), y));
            return;
        case 3:
            p.add(sort(p.matrix()));
            return;
        default:
            p.add(sort(x));
    }
}

void smooth_recurrences(Smooth& p) {
    const Long count = p.between(0, 2);
    const D1 x = p.vector(), y = p.vector();
    auto next = [&](D0 s, D0 a) { return p.binary(s * 0.6, a); };
    switch (p.pick(6)) {
        case 0:
            p.add(recur([&](D0 s, D0 a) { return for_loop(count, [&](auto, D0 t) { return next(t, a); }, s); }, 0.3, x));
            return;
        case 1:
            p.add(recur(next, p.number(), x, from_right));
            return;
        case 2:
            p.add(recur([&](D0 s, D0 a, D0 b) { return next(s, a) + 0.2 * b; }, 0.3, x, y));
            return;
        case 3: {
            const auto states =
                recur([&](Exp<Two> s,
                          D0 a) { return record<Two>(p.binary(get<0>(s) * 0.6, a), p.unary(get<1>(s) * 0.5 + get<0>(s))); },
                      Two(0.3, -0.2), x);
            p.add(get<0>(states));
            if (p.chance(50)) p.add(get<1>(states));
            return;
        }
        case 4:
            p.add(recur(next, 0.3, p.matrix(), axis(static_cast<Long>(p.pick(2)))));
            return;
        default:
            p.add_scalar(fold_left(next, 0.3, x));
    }
}

}  // namespace random_programs
