// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ba and ht of GradBench.
#include "gradbench/functions/ba.hpp"
#include "gradbench/functions/ht.hpp"

#include "gradbench/reference.hpp"

namespace gradbench::reference {

namespace {

template <class T>
using Triple = std::array<T, 3>;

/// Rotation matrix about an axis by its length: I + sin K + (1 - cos) K^2, where K v is the cross product with the unit
/// axis.
template <class T>
std::array<Triple<T>, 3> rotation_about(const Triple<T>& axis) {
    const T angle = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const T x = axis[0] / angle, y = axis[1] / angle, z = axis[2] / angle;
    const T k[3][3] = {{0, -z, y}, {z, 0, -x}, {-y, x, 0}};
    std::array<Triple<T>, 3> made;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            T square = 0;
            for (std::size_t e = 0; e < 3; ++e) square += k[i][e] * k[e][j];
            made[i][j] = (i == j ? 1.0 : 0.0) + std::sin(angle) * k[i][j] + (1.0 - std::cos(angle)) * square;
        }
    return made;
}

/// Number `row` of the two errors of an observation.
template <class T>
T reprojection(const List<T>& o, const double* feature, std::size_t row) {
    const auto turn = rotation_about<T>({o[0], o[1], o[2]});
    Triple<T> seen{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) seen[i] += turn[i][j] * (o[11 + j] - o[3 + j]);
    const T x = seen[0] / seen[2], y = seen[1] / seen[2], r = x * x + y * y;
    const T place = (row == 0 ? x : y) * (1.0 + o[9] * r + o[10] * r * r) * o[6] + o[7 + row];
    return o[14] * (place - feature[row]);
}

}  // namespace

TEST_CASE("ba of GradBench", "[gradbench]") {
    for (auto [n, m, p] : {std::array<Long, 3>{1, 1, 1}, {3, 4, 10}, {5, 30, 67}}) {
        CAPTURE(n, m, p);
        const auto cameras = numbers(11 * n, 0.1, 1), points = numbers(3 * m, 2, 3, 2), weights = numbers(p, 0.2, 1, 3);
        const auto features = numbers(2 * p, -1, 1, 4);
        List<double> errors, derivatives, of_weights, gathered;
        List<Long> seen;
        for (Long i = 0; i < p; ++i) {
            const Long camera = i % n, point = (i * 7) % m;
            seen.insert(seen.end(), {camera, point});
            List<double> o(cameras.begin() + 11 * camera, cameras.begin() + 11 * (camera + 1));
            o.insert(o.end(), points.begin() + 3 * point, points.begin() + 3 * (point + 1));
            o.push_back(weights[static_cast<std::size_t>(i)]);
            gathered.insert(gathered.end(), o.begin(), o.end());
            const double* feature = &features[static_cast<std::size_t>(2 * i)];
            for (std::size_t row = 0; row < 2; ++row) {
                errors.push_back(reprojection(o, feature, row));
                const auto slopes = gradient([=](const List<Complex>& z) { return reprojection(z, feature, row); }, o);
                derivatives.insert(derivatives.end(), slopes.begin(), slopes.end());
            }
            of_weights.push_back(-2 * weights[static_cast<std::size_t>(i)]);
        }
        const auto observed = matrix(gathered, p, observed_size), wanted = matrix(features, p, 2);
        check(gathered, observations, matrix(cameras, n, 11), matrix(points, m, 3), from(weights), from(seen, shape(p, 2)));
        check(errors, reprojection_errors, observed, wanted);
        check(derivatives, reprojection_jacobians, observed, wanted);
        check(of_weights, weight_derivatives, from(weights));
    }
}

// A camera that is not turned: no axis.
TEST_CASE("ba of GradBench without a rotation", "[gradbench]") {
    auto o = numbers(observed_size, 0.1, 1);
    o[0] = o[1] = o[2] = 0;
    o[13] += 3;
    const auto made = compile(reprojection_jacobians)(matrix(o, 1, observed_size), matrix({0.1, 0.2}, 1, 2)).to_vector();
    // The function around that point, by central differences: its limit is the same from both branches.
    for (std::size_t k = 0; k < 3; ++k) {
        auto errors = [&](double step) {
            auto moved = o;
            moved[k] = step;
            return compile(reprojection_errors)(matrix(moved, 1, observed_size), matrix({0.1, 0.2}, 1, 2)).to_vector();
        };
        const double h = 1e-5;
        const auto above = errors(h), below = errors(-h);
        for (std::size_t row = 0; row < 2; ++row)
            CHECK(made[row * observed_size + k] == Approx((above[row] - below[row]) / (2 * h)).epsilon(1e-6));
    }
}

namespace {

template <class T>
using Square = std::array<std::array<T, 4>, 4>;

template <class T, class A, class B>
Square<T> product(const Square<A>& a, const Square<B>& b) {
    Square<T> made{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) made[i][j] += a[i][k] * b[k][j];
    return made;
}

template <class T>
Square<T> turned(T x, T z) {
    const Square<T> rx{{{1, 0, 0, 0}, {0, std::cos(x), -std::sin(x), 0}, {0, std::sin(x), std::cos(x), 0}, {0, 0, 0, 1}}};
    const Square<T> rz{{{std::cos(z), -std::sin(z), 0, 0}, {std::sin(z), std::cos(z), 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    return product<T>(rz, rx);
}

struct Model {
    bool mirrored;
    std::size_t bones = 22, vertices = 30, wanted = 9;
    List<Long> parents, correspondences, corners;
    List<Square<double>> relatives, inverses;
    List<double> weights, places, points;

    explicit Model(bool is_mirrored) : mirrored(is_mirrored) {
        for (std::size_t b = 0; b < bones; ++b) {
            const Long first = b % 4 == 2 ? 1 : static_cast<Long>(b) - 1;
            parents.push_back(b < 2 ? static_cast<Long>(b) - 1 : first);
            relatives.push_back(some_transform(unsigned(b)));
            inverses.push_back(some_transform(unsigned(b + 100)));
        }
        weights = numbers(static_cast<Long>(bones * vertices), 0, 1, 3);
        places = numbers(static_cast<Long>(3 * vertices), -1, 1, 4);
        points = numbers(static_cast<Long>(3 * wanted), -1, 1, 5);
        for (std::size_t i = 0; i < wanted; ++i) correspondences.push_back(static_cast<Long>((i * 11) % vertices));
        for (std::size_t i = 0; i < 3 * vertices; ++i) corners.push_back(static_cast<Long>((i * 17 + 5) % vertices));
    }
    static Square<double> some_transform(unsigned seed) {
        const auto e = numbers(12, -0.7, 0.7, seed);
        Square<double> made{};
        for (std::size_t k = 0; k < 12; ++k) made[k / 4][k % 4] = e[k];
        made[3][3] = 1;
        return made;
    }

    template <class T>
    List<Triple<T>> posed(const List<T>& pose) const {
        List<Square<T>> absolute(bones);
        List<Triple<T>> made(vertices);
        const auto whole = rotation_about<T>({pose[0], pose[1], pose[2]});
        for (std::size_t b = 0; b < bones; ++b) {
            T x = 0, z = 0;
            if (b >= 2 && b % 4 != 1) {
                // Fingers from bone 2 on; the first joint of each has two angles.
                const std::size_t joint = (b - 2) % 4, first = 6 + (b - 2) / 4 * 4;
                x = pose[joint == 0 ? first : first + joint + 1];
                if (joint == 0) z = pose[first + 1];
            }
            const auto relative = product<T>(relatives[b], turned(x, z));
            absolute[b] = parents[b] < 0 ? relative : product<T>(absolute[static_cast<std::size_t>(parents[b])], relative);
            const auto transform = product<T>(absolute[b], inverses[b]);
            for (std::size_t v = 0; v < vertices; ++v)
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 4; ++j)
                        made[v][i] += weights[v * bones + b] * transform[i][j] * (j < 3 ? places[3 * v + j] : 1.0);
        }
        for (auto& p : made) {
            if (mirrored) p[0] = -p[0];
            Triple<T> moved{pose[3], pose[4], pose[5]};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) moved[i] += whole[i][j] * p[j];
            p = moved;
        }
        return made;
    }

    /// Number `e` of the distances. x: the pose, then, if they matter, two coordinates per point.
    template <class T>
    T distance(const List<T>& x, std::size_t e) const {
        const auto at = posed(List<T>(x.begin(), x.begin() + 26));
        const std::size_t i = e / 3, k = e % 3, c = static_cast<std::size_t>(correspondences[i]);
        if (x.size() == 26) return points[e] - at[c][k];
        auto corner = [&](std::size_t number) { return at[static_cast<std::size_t>(corners[3 * c + number])][k]; };
        const T u = x[26 + 2 * i], v = x[27 + 2 * i];
        return points[e] - (u * corner(0) + v * corner(1) + (1.0 - u - v) * corner(2));
    }
};

Array<Transform> transforms(const List<Square<double>>& matrices) {
    List<Transform> made(matrices.size());
    for (std::size_t i = 0; i < made.size(); ++i)
        for (std::size_t k = 0; k < 12; ++k) made[i][k] = matrices[i][k / 4][k % 4];
    return from(made);
}

}  // namespace

TEST_CASE("ht of GradBench", "[gradbench]") {
    for (bool mirrored : {false, true}) {
        const Model model(mirrored);
        auto x = numbers(26, -0.5, 0.5);
        const auto us = numbers(static_cast<Long>(2 * model.wanted), 0, 0.5, 8);
        List<Space3> places(model.vertices);
        for (std::size_t e = 0; e < 3 * model.vertices; ++e) places[e / 3][e % 3] = model.places[e];
        const auto vertices = static_cast<Long>(model.vertices), wanted = static_cast<Long>(model.wanted);
        const auto pose = from(x);
        auto on_hand = [&](const List<double>& expected, const auto& f, const auto&... more) {
            check(expected, f, pose, more..., from(model.parents), transforms(model.relatives), transforms(model.inverses),
                  matrix(model.weights, vertices, static_cast<Long>(model.bones)), from(places), model.mirrored,
                  from(model.corners, shape(vertices, 3)), from(model.correspondences), matrix(model.points, wanted, 3));
        };
        using Ints = Delayed<Long>;
        using Bones = Delayed<Transform>;
        using Places = Delayed<Space3>;
        using Corners = Delayed<Long, 2>;
        auto expected = [&](bool derivatives) {
            List<double> made;
            for (std::size_t e = 0; e < 3 * model.wanted; ++e) {
                auto f = [&]<class T>(const List<T>& at) { return model.distance(at, e); };
                if (!derivatives) {
                    made.push_back(f(x));
                    continue;
                }
                const auto slopes = gradient(f, x);
                if (x.size() > 26) made.insert(made.end(), {slopes[26 + 2 * (e / 3)], slopes[27 + 2 * (e / 3)]});
                made.insert(made.end(), slopes.begin(), slopes.begin() + 26);
            }
            return made;
        };
        on_hand(expected(false), [](Vector t, Ints b, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirror, Corners,
                                    Ints c, Matrix p) { return distances(t, Hand{b, r, a, w, v, mirror}, c, p); });
        on_hand(expected(true), [](Vector t, Ints b, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirror, Corners, Ints c,
                                   Matrix p) { return distances_jacobian(t, Hand{b, r, a, w, v, mirror}, c, p); });
        x.insert(x.end(), us.begin(), us.end());
        const auto coordinates = matrix(us, wanted, 2);
        on_hand(
            expected(false),
            [](Vector t, Matrix u, Ints b, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirror, Corners k, Ints c,
               Matrix p) { return distances(t, u, Hand{b, r, a, w, v, mirror}, k, c, p); },
            coordinates);
        on_hand(
            expected(true),
            [](Vector t, Matrix u, Ints b, Bones r, Bones a, Matrix w, Places v, Exp<bool> mirror, Corners k, Ints c,
               Matrix p) { return distances_jacobian(t, u, Hand{b, r, a, w, v, mirror}, k, c, p); },
            coordinates);
    }
}

}  // namespace gradbench::reference
