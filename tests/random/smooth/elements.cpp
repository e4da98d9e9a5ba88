// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps, reads, views and products.
#include "random/smooth/smooth.hpp"

#include <sinter/linalg.hpp>

namespace random_programs {

void maps(Smooth& p) {
    switch (p.pick(6)) {
        case 0:
            p.add(map([&](D0 a) { return p.unary(a); }, p.matrix()));
            return;
        case 1:
            p.add(map([&](D0 a) { return p.unary(a); }, p.vector()));
            return;
        case 2: {
            const D0 s = p.number();
            p.add(map([&](D0 a) { return p.binary(a, s); }, p.vector()));
            return;
        }
        case 3: {
            const auto both =
                map([&](D0 a, D0 b) { return std::tuple(p.binary(a, b), p.unary(b)); }, p.vector(), p.vector());
            p.add(std::get<0>(unzip(both)));
            if (p.chance(50)) p.add(std::get<1>(unzip(both)));
            return;
        }
        case 4:
            p.add(map([&](D0 a, D0 b) { return p.binary(a, b); }, p.matrix(), p.matrix()));
            return;
        default:
            p.add(map([&](D0 a, D0 b) { return p.binary(a, b); }, p.vector(), p.vector()));
    }
}

void reads(Smooth& p) {
    const D1 x = p.vector(), y = p.vector();
    const Long step = p.between(1, 3), first = p.between(0, 4);
    switch (p.pick(5)) {
        case 0: {
            const auto places = p.places(p.extent);
            p.add(map([&](I i, D0 a) { return p.binary(a, x(i)); }, places, y));
            return;
        }
        case 1:
            p.add(gather(p.places(p.extent), x));
            return;
        case 2: {
            const D1 r = p.row();
            p.add(map_indexed([&](auto i, D0 a) { return p.binary(a, r(i % Smooth::columns)); }, y));
            return;
        }
        case 3: {
            const D2 m = p.matrix();
            p.add(map_indexed([&](auto i, D0 a) { return p.unary(m(i, 0)) * a + m(size(y) - 1 - i, i % Smooth::columns); },
                              y));
            return;
        }
        default:
            p.add(
                map_indexed([&](auto i, D0 a) { return p.binary(a, x((i * step + first) % size(x))) + 0.2 * x(i / 2); }, y));
    }
}

void smooth_views(Smooth& p) {
    const D1 x = p.vector();
    switch (p.pick(10)) {
        case 0:
            p.add(rotate(x, p.between(-2, 2)));
            return;
        case 1:
            p.add(reverse(x));
            return;
        case 2: {
            const Long part = p.between(0, p.extent);
            p.add(concat(drop(x, part), take(p.vector(), part)));
            return;
        }
        case 3:
            p.add(transpose(replicate(Smooth::columns, x)));
            return;
        case 4:
            p.add(replicate(p.extent, p.row()));
            return;
        case 5:
            p.add(reshape(reverse(flatten(p.matrix())), shape(p.extent, Smooth::columns)));
            return;
        case 6:
            p.add(column(p.matrix(), p.between(0, Smooth::columns - 1)));
            return;
        case 7:
            p.rows.push_back(row(p.matrix(), p.between(0, p.extent - 1)));
            return;
        case 8: {
            const Long before = p.between(0, 2);
            const std::array<std::pair<Long, Long>, 1> widths{std::pair(before, Long{2})};
            const D1 wider = p.chance(30)   ? pad(x, widths, boundary::clamp)
                             : p.chance(30) ? pad(x, widths, boundary::wrap)
                             : p.chance(30) ? pad(x, widths, boundary::symmetric)
                                            : pad(x, widths, 0.3);
            p.add(slice(map([&](D0 a) { return p.unary(a); }, wider), range(2, p.extent + 2)));
            return;
        }
        default: {
            const D1 even = slice(x, range(0, p.extent, 2));
            p.add(concat(even, slice(p.vector(), range((p.extent + 1) / 2, p.extent))));
        }
    }
}

void products(Smooth& p) {
    const D2 a = p.matrix(), b = p.matrix();
    const D2 small = map([](D0 v) { return tanh(v); }, matmul(transpose(a), b));
    switch (p.pick(4)) {
        case 0:
            p.add(matmul(a, small));
            return;
        case 1:
            p.add_sum(dot(p.vector(), p.vector()));
            return;
        case 2:
            p.add(matmul(a, p.row()));
            return;
        default:
            p.rows.push_back(row(small, 1));
    }
}

}  // namespace random_programs
