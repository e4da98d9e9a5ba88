// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hand tracking: how far measured points are from a hand of bones and skin in a pose of 26 parameters.
#pragma once

#include "common.hpp"

#include <array>

namespace gradbench {

/// The first three rows of a matrix that transforms points: a rotation and a translation.
using Transform = std::array<double, 12>;
using Space3 = std::array<double, 3>;

inline Exp<Transform> composed(Exp<Transform> a, Exp<Transform> b) {
    std::array<Real, 12> made;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            Real e = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j];
            made[4 * i + j] = j == 3 ? e + a[4 * i + 3] : e;
        }
    return made;
}
inline Exp<Space3> transformed(Exp<Transform> a, Exp<Space3> p) {
    std::array<Real, 3> made;
    for (std::size_t i = 0; i < 3; ++i) made[i] = a[4 * i] * p[0] + a[4 * i + 1] * p[1] + a[4 * i + 2] * p[2] + a[4 * i + 3];
    return made;
}

/// The rotation by these angles about x, then y, then z.
inline Exp<Transform> rotation(Real x, Real y, Real z) {
    const Real cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z), zero = 0.0;
    return std::array<Real, 12>{cy * cz,
                                sx * sy * cz - cx * sz,
                                sx * sz + cx * sy * cz,
                                zero,
                                cy * sz,
                                cx * cz + sx * sy * sz,
                                cx * sy * sz - sx * cz,
                                zero,
                                -sy,
                                sx * cy,
                                cx * cy,
                                zero};
}

/// The rotation about an axis by its length; none if that is below 1e-4.
inline Exp<Transform> axis_rotation(Real ax, Real ay, Real az, std::array<Real, 3> moved) {
    const Real length = sqrt(ax * ax + ay * ay + az * az);
    auto turned = [=] {
        const Real x = ax / length, y = ay / length, z = az / length, s = sin(length), c = cos(length), r = 1.0 - c;
        return std::array<Real, 12>{
            x * x + (1.0 - x * x) * c, x * y * r - z * s,         x * z * r + y * s,         moved[0],
            x * y * r + z * s,         y * y + (1.0 - y * y) * c, y * z * r - x * s,         moved[1],
            x * z * r - y * s,         y * z * r + x * s,         z * z + (1.0 - z * z) * c, moved[2]};
    };
    auto still = [=] {
        const Real one = 1.0, zero = 0.0;
        return std::array<Real, 12>{one, zero, zero, moved[0], zero, one, zero, moved[1], zero, zero, one, moved[2]};
    };
    return cond(length < 1e-4, still, turned);
}

/// The angles of a bone. After the forearm and the wrist come five fingers of four bones: the first bone of a finger has two
/// parameters, the next two have one each, and the last is fixed.
inline Exp<Transform> bend(Vector pose, Index bone) {
    const Index finger = (bone - 2) / 4, joint = (bone - 2) % 4, first = 6 + 4 * finger;
    const Exp<bool> moves = bone >= 2 && bone < 22 && joint < 3;
    const Real x = cond(moves, [=] { return pose(select(joint == 0, first, first + joint + 1)); }, [] { return Real(0.0); });
    const Real z = cond(moves && joint == 0, [=] { return pose(first + 1); }, [] { return Real(0.0); });
    return rotation(x, 0.0, z);
}

struct Hand {
    Delayed<Long> parents;  ///< of each bone: an earlier one, or -1
    Delayed<Transform> base_relatives, inverse_absolutes;
    Matrix weights;  ///< of each vertex and bone
    Delayed<Space3> vertices;
    Exp<bool> mirrored;
};

/// Where the vertices are in a pose.
inline Delayed<Space3> posed(Vector pose, const Hand& hand) {
    const auto relatives =
        map_indexed([=](Index bone, Exp<Transform> base) { return composed(base, bend(pose, bone)); }, hand.base_relatives);
    auto place = [=, parents = hand.parents](Index bone, Delayed<Transform> absolutes) {
        const Index parent = parents(bone);
        const auto absolute =
            cond(parent < 0, [=] { return relatives(bone); }, [=] { return composed(absolutes(parent), relatives(bone)); });
        return update(absolutes, index(bone), absolute);
    };
    const auto absolutes = for_loop(size(hand.parents), place, relatives);
    const auto transforms = map(composed, absolutes, hand.inverse_absolutes);
    const auto whole = axis_rotation(pose(0), pose(1), pose(2), {pose(3), pose(4), pose(5)});
    auto skin = [=, weights = hand.weights, mirrored = hand.mirrored](Index vertex, Exp<Space3> p) {
        auto add = [=](Index bone, Exp<Space3> sum) {
            const Exp<Space3> moved = transformed(transforms(bone), p);
            const Real weight = weights(vertex, bone);
            return Exp<Space3>(
                std::array<Real, 3>{sum[0] + weight * moved[0], sum[1] + weight * moved[1], sum[2] + weight * moved[2]});
        };
        const Exp<Space3> q = for_loop(size(transforms), add, Exp<Space3>(std::array<Real, 3>{0.0, 0.0, 0.0}));
        return transformed(whole, std::array<Real, 3>{select(mirrored, -q[0], q[0]), q[1], q[2]});
    };
    return map_indexed(skin, hand.vertices);
}

/// From each vertex to the point that belongs to it.
inline Matrix distances(Vector pose, const Hand& hand, Delayed<Long> vertices, Matrix points) {
    const auto positions = posed(pose, hand);
    return generate(shape(size(vertices), 3), [=](Index i, Index k) {
        const Exp<Space3> p = positions(vertices(i));
        return points(i, k) - select(k == 0, p[0], select(k == 1, p[1], p[2]));
    });
}

/// The same for points on triangles, with the first two barycentric coordinates of each.
inline Matrix distances(Vector pose, Matrix barycentric, const Hand& hand, Delayed<Long, 2> triangles,
                        Delayed<Long> correspondences, Matrix points) {
    const auto positions = posed(pose, hand);
    return generate(shape(size(correspondences), 3), [=](Index i, Index k) {
        auto corner = [=](Long c) {
            const Exp<Space3> p = positions(triangles(correspondences(i), c));
            return select(k == 0, p[0], select(k == 1, p[1], p[2]));
        };
        const Real u = barycentric(i, 0), v = barycentric(i, 1);
        return points(i, k) - (u * corner(0) + v * corner(1) + (1.0 - u - v) * corner(2));
    });
}

/// The derivatives of all distances, one row each, with respect to the pose.
inline Matrix distances_jacobian(Vector pose, const Hand& hand, Delayed<Long> vertices, Matrix points) {
    auto flat = [=](Vector p) { return flatten(distances(p, hand, vertices, points)); };
    return jacfwd(flat)(pose);
}

/// The same on triangles. The first two columns are the derivatives with respect to the coordinates on the distance's own
/// triangle: those of one direction for all.
inline Matrix distances_jacobian(Vector pose, Matrix barycentric, const Hand& hand, Delayed<Long, 2> triangles,
                                 Delayed<Long> correspondences, Matrix points) {
    auto flat = [=](Vector p, Matrix u) { return flatten(distances(p, u, hand, triangles, correspondences, points)); };
    auto along = [=](Long column) {
        const auto direction =
            generate(shape(extent(barycentric, 0), 2), [=](Index, Index k) { return select(k == column, 1.0, 0.0); });
        return jvp([=](Matrix u) { return flat(pose, u); }, primals(barycentric), tangents(direction)).second;
    };
    const Matrix of_coordinates = transpose(stack(along(0), along(1)));
    return concat(of_coordinates, jacfwd(flat)(pose, barycentric), axis(1));
}

}  // namespace gradbench
