// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bundle adjustment: where cameras see points, and where they should.
#pragma once

#include "common.hpp"

#include <array>

namespace gradbench {

constexpr Long camera_size = 11;  ///< rotation, centre, focal length, principal point, two coefficients of distortion
constexpr Long observed_size = camera_size + 3 + 1;  ///< a camera, a point in space, and the weight of the observation

using Space = std::array<Real, 3>;

inline Real dot(const Space& a, const Space& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Space cross(const Space& a, const Space& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The point, rotated about an axis by the length of that axis (Rodrigues' formula).
inline Space rotated(const Space& axis, const Space& point) {
    const Real square = dot(axis, axis);
    auto turn = [=] {
        const Real angle = sqrt(square), c = cos(angle), s = sin(angle);
        const Space unit{axis[0] / angle, axis[1] / angle, axis[2] / angle}, aside = cross(unit, point);
        const Real along = dot(unit, point) * (1.0 - c);
        Space turned;
        for (std::size_t k = 0; k < 3; ++k) turned[k] = point[k] * c + aside[k] * s + unit[k] * along;
        return turned;
    };
    auto turn_little = [=] {
        const Space aside = cross(axis, point);
        return Space{point[0] + aside[0], point[1] + aside[1], point[2] + aside[2]};
    };
    const auto turned = cond(square != 0.0, turn, turn_little);
    return {turned[0], turned[1], turned[2]};
}

/// The weighted error of an observation, whose camera, point and weight are in one vector.
inline Vector reprojection_error(Vector observed, Vector feature) {
    auto at = [=](Long k) { return observed(k); };
    auto space = [=](Long k) { return Space{at(k), at(k + 1), at(k + 2)}; };
    const Space centre = space(3), point = space(camera_size);
    const Space seen = rotated(space(0), {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]});
    const Real x = seen[0] / seen[2], y = seen[1] / seen[2], square = x * x + y * y;
    const Real distortion = 1.0 + at(9) * square + at(10) * square * square, weight = at(camera_size + 3);
    const Real right = x * distortion * at(6) + at(7), up = y * distortion * at(6) + at(8);
    return generate(shape(2), [=](Index k) { return weight * (select(k == 0, right, up) - feature(k)); });
}

inline Real weight_error(Real weight) { return 1.0 - weight * weight; }

/// The numbers that the observations depend on, one row each. `seen`: for each the numbers of its camera and its point.
inline Matrix observations(Matrix cameras, Matrix points, Vector weights, Delayed<Long, 2> seen) {
    auto element = [=](Index i, Index k) {
        return cond(
            k < camera_size, [=] { return cameras(seen(i, 0), k); },
            [=] {
                return cond(
                    k < camera_size + 3, [=] { return points(seen(i, 1), k - camera_size); }, [=] { return weights(i); });
            });
    };
    return generate(shape(size(weights), observed_size), element);
}

inline Matrix reprojection_errors(Matrix observed, Matrix features) { return vmap(reprojection_error, observed, features); }
/// For each observation, two rows of derivatives.
inline Delayed<double, 3> reprojection_jacobians(Matrix observed, Matrix features) {
    return vmap([](Vector o, Vector f) { return jacobian(reprojection_error)(o, f); }, observed, features);
}
inline Vector weight_errors(Vector weights) { return map(weight_error, weights); }
inline Vector weight_derivatives(Vector weights) {
    return map([](Real w) { return grad(weight_error)(w); }, weights);
}

}  // namespace gradbench
