// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters, updates, filters and stencils.
#include "random/smooth/smooth.hpp"

namespace random_programs {

namespace {

std::function<D0(D0, D0)> scatter_operator(Smooth& p) {
    switch (p.pick(3)) {
        case 0:
            return [](D0 a, D0 b) { return max(a, b); };
        case 1:
            return [](D0 a, D0 b) { return min(a, b); };
        default:
            return [](D0 a, D0 b) { return a + b; };
    }
}

}  // namespace

void smooth_scatters(Smooth& p) {
    const D1 x = p.vector(), y = p.vector();
    const auto places = p.places(p.extent);
    switch (p.pick(7)) {
        case 0:  // some are dropped
            p.add(bounded(
                scatter(scatter_operator(p), x, map([](I i, D0 a) { return select(a > 0.2, I(-1), i); }, places, y), y)));
            return;
        case 1: {
            const auto distinct = generate(shape(p.extent), [&](auto i) { return p.extent - 1 - i; });
            p.add(scatter(x, distinct, y));
            return;
        }
        case 2:  // one of several wins
            p.add(scatter(x, places, y));
            return;
        case 3:
            p.rows.push_back(bounded(histogram(Smooth::columns, scatter_operator(p), 0.1, p.places(Smooth::columns), y)));
            return;
        case 4: {
            const auto at = map([](I i, I j) { return std::tuple(i, j); }, places, p.places(Smooth::columns));
            p.add(bounded(scatter(scatter_operator(p), p.matrix(), at, y)));
            return;
        }
        case 5:
            p.rows.push_back(bounded(permute(scatter_operator(p), p.row(), [](auto, auto j) { return 2 - j; }, p.matrix())));
            return;
        default:
            p.add(bounded(scatter(scatter_operator(p), x, places, y)));
    }
}

void smooth_updates(Smooth& p) {
    const D1 x = p.vector(), y = p.vector();
    const Long at = p.between(0, p.extent - 1);
    switch (p.pick(5)) {
        case 0:
            p.add(update(x, range(at, p.extent), slice(y, range(0, p.extent - at))));
            return;
        case 1:
            p.add(update(x, range(at, p.extent, 2), p.number()));
            return;
        case 2:
            p.add(update(p.matrix(), at, all, p.row()));
            return;
        case 3:
            p.add(update(p.matrix(), all, 1, x));
            return;
        default:
            p.add(update(x, index(at), p.number()));
    }
}

void smooth_filters(Smooth& p) {
    const D1 x = p.vector(), kept = filter([](D0 a) { return a > 0.05; }, x);
    switch (p.pick(4)) {
        case 0:
            p.add_sum(
                sum(inclusive_scan([](D0 a, D0 b) { return max(a, b); }, map([&](D0 a) { return p.unary(a); }, kept))));
            return;
        case 1: {
            const auto pairs = filter([](Exp<Two> v) { return get<0>(v) < get<1>(v); }, zip(x, p.vector()));
            p.add_sum(sum(map([](Exp<Two> v) { return get<0>(v) * get<1>(v); }, pairs)));
            return;
        }
        case 2: {
            const auto where = compact(map([](D0 a) { return a < 0.3; }, x), iota(p.extent));
            p.add(bounded(scatter([](D0 a, D0 b) { return a + b; }, p.vector(), where, gather(where, p.vector()))));
            return;
        }
        default:
            p.add_sum(sum(map([&](D0 a) { return p.unary(a); }, kept)));
    }
}

void smooth_stencils(Smooth& p) {
    auto weigh = [&](auto at) { return p.binary(at(-1), at(1)) * 0.5 + at(0); };
    auto wide = [&](auto at) { return at(2) * 0.5 - p.unary(at(-3)); };
    auto of = [&](auto border) {
        if (p.chance(30))
            p.add(stencil([&](auto at) { return p.binary(at(-1, 0), at(0, 1)) * 0.5 + at(1, -1); }, border, p.matrix()));
        else
            p.add(p.chance(70) ? stencil(weigh, border, p.vector()) : stencil(wide, border, p.vector()));
    };
    switch (p.pick(5)) {
        case 0:
            return of(boundary::keep);
        case 1:
            return of(boundary::clamp);
        case 2:
            return of(boundary::wrap);
        case 3:
            return of(boundary::constant(0.4));
        default:
            return of(boundary::reflect);
    }
}

}  // namespace random_programs
