// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points in space that are seen or measured: ba, ht.
#include "functions/ba.hpp"
#include "functions/ht.hpp"
#include "module.hpp"

namespace gradbench {

namespace {

/// An adjustment whose cameras, points and observations are all alike, as the suite's are.
struct Scene {
    Long cameras, points, observations;
    Array<double, 2> observed, features;
    Array<double> weights;
};

Array<double, 2> repeated(const Json& row, Long times) {
    std::vector<double> elements;
    for (Long k = 0; k < times; ++k)
        for (double e : row.get<std::vector<double>>()) elements.push_back(e);
    return from(elements, shape(times, static_cast<Long>(row.size())));
}

Scene scene(const Json& input) {
    const Long n = input.at("n"), m = input.at("m"), p = input.at("p");
    const Array<double> weights = run(fill(shape(p), input.at("w").get<double>()));
    const Array<Long, 2> seen = run(generate(shape(p, 2), [=](Index i, Index k) { return select(k == 0, i % n, i % m); }));
    const auto gather = compile(observations);
    const auto observed = gather(repeated(input.at("cam"), n), repeated(input.at("x"), m), weights, seen);
    return {n, m, p, observed, repeated(input.at("feat"), p), weights};
}

/// The derivatives of the first observation and of the last weight, with their places in the whole sparse Jacobian, the way
/// the suite abbreviates it.
Json sparse(const Scene& s, const Array<double, 3>& jacobian, const Array<double>& of_weights) {
    const std::vector<double> all = jacobian.to_vector();
    const std::size_t shown = 2 * observed_size;
    std::vector<double> values(all.begin(), all.begin() + shown);
    values.push_back(of_weights.to_vector().back());
    auto column = [&](Long observation, Long k) {
        if (k < camera_size) return camera_size * (observation % s.cameras) + k;
        if (k < camera_size + 3) return camera_size * s.cameras + 3 * (observation % s.points) + k - camera_size;
        return camera_size * s.cameras + 3 * s.points + observation;
    };
    std::vector<Long> columns, ends;
    for (std::size_t k = 0; k < shown; ++k) {
        columns.push_back(column(0, static_cast<Long>(k) % observed_size));
        const Long row = static_cast<Long>(k), of_errors = 2 * s.observations;
        ends.push_back(observed_size * std::min(row, of_errors) + std::max<Long>(row - of_errors, 0));
    }
    columns.push_back(column(s.observations - 1, observed_size - 1));
    ends.push_back((2 * observed_size + 1) * s.observations);
    return {{"rows", ends}, {"cols", columns}, {"vals", values}};
}

}  // namespace

Module ba() {
    auto objective = compile([](Matrix observed, Matrix features, Vector weights) {
        return std::tuple(reprojection_errors(observed, features), weight_errors(weights));
    });
    auto jacobian = compile([](Matrix observed, Matrix features, Vector weights) {
        return std::tuple(reprojection_jacobians(observed, features), weight_derivatives(weights));
    });
    auto of_scene = [](auto f, auto write) -> Function {
        return [=](const Json& input) {
            const Scene s = scene(input);
            return call(f, [=](const auto& results) { return write(s, results); }, s.observed, s.features, s.weights);
        };
    };
    auto errors = [](const Scene& s, const auto& results) {
        const auto& [reprojection, weight] = results;
        return Json{{"reproj_error", {{"elements", {reprojection(0, 0), reprojection(0, 1)}}, {"repeated", s.observations}}},
                    {"w_err", {{"element", weight(0)}, {"repeated", s.observations}}}};
    };
    auto derivatives = [](const Scene& s, const auto& results) {
        return sparse(s, std::get<0>(results), std::get<1>(results));
    };
    return {{"objective", of_scene(objective, errors)}, {"jacobian", of_scene(jacobian, derivatives)}};
}

namespace {

template <std::size_t N>
Array<std::array<double, N>> elements_of(const Json& rows,
                                         const std::function<double(const Json&, std::size_t)>& component) {
    std::vector<std::array<double, N>> made(rows.size());
    for (std::size_t i = 0; i < made.size(); ++i)
        for (std::size_t k = 0; k < N; ++k) made[i][k] = component(rows[i], k);
    return from(made);
}
Array<Transform> transforms_of(const Json& matrices) {
    return elements_of<12>(matrices, [](const Json& m, std::size_t k) { return m[k / 4][k % 4].get<double>(); });
}
Array<Long> integers_of(const Json& json) { return from(json.get<std::vector<Long>>()); }
Array<Long, 2> triangles_of(const Json& json) {
    std::vector<Long> corners;
    for (const Json& triangle : json)
        for (std::size_t k = 0; k < 3; ++k) corners.push_back(triangle[k].get<Long>());
    return from(corners, shape(static_cast<Long>(json.size()), 3));
}

}  // namespace

Module ht() {
    auto of_hand = [](auto with_vertices, auto with_triangles, auto write) -> Function {
        return [=](const Json& input) {
            const Json &data = input.at("data"), &model = data.at("model"), &us = input.at("us");
            const Array<double> pose = vector_of(input.at("theta"));
            const auto parents = integers_of(model.at("parents"));
            const auto relatives = transforms_of(model.at("base_relatives"));
            const auto absolutes = transforms_of(model.at("inverse_base_absolutes"));
            const Array<double, 2> weights = matrix_of(model.at("weights"));
            const auto vertices =
                elements_of<3>(model.at("base_positions"), [](const Json& p, std::size_t k) { return p[k].get<double>(); });
            const bool mirrored = model.at("is_mirrored");
            const auto correspondences = integers_of(data.at("correspondences"));
            const Array<double, 2> points = matrix_of(data.at("points"));
            if (us.empty())
                return call(with_vertices, write, pose, parents, relatives, absolutes, weights, vertices, mirrored,
                            correspondences, points);
            return call(with_triangles, write, pose, matrix_of(us), parents, relatives, absolutes, weights, vertices,
                        mirrored, triangles_of(model.at("triangles")), correspondences, points);
        };
    };
    using Ints = Delayed<Long>;
    using Bones = Delayed<Transform>;
    using Vertices = Delayed<Space3>;
    auto near = [](Vector pose, Ints parents, Bones r, Bones a, Matrix w, Vertices v, Exp<bool> mirrored, Ints c, Matrix p) {
        return distances(pose, Hand{parents, r, a, w, v, mirrored}, c, p);
    };
    auto on_skin = [](Vector pose, Matrix us, Ints parents, Bones r, Bones a, Matrix w, Vertices v, Exp<bool> mirrored,
                      Delayed<Long, 2> triangles, Ints c,
                      Matrix p) { return distances(pose, us, Hand{parents, r, a, w, v, mirrored}, triangles, c, p); };
    auto flat = [](const Array<double, 2>& a) { return Json(a.to_vector()); };
    auto near_jacobian = [=](Vector pose, Ints parents, Bones r, Bones a, Matrix w, Vertices v, Exp<bool> mirrored, Ints c,
                             Matrix p) { return distances_jacobian(pose, Hand{parents, r, a, w, v, mirrored}, c, p); };
    auto skin_jacobian = [=](Vector pose, Matrix us, Ints parents, Bones r, Bones a, Matrix w, Vertices v,
                             Exp<bool> mirrored, Delayed<Long, 2> triangles, Ints c, Matrix p) {
        return distances_jacobian(pose, us, Hand{parents, r, a, w, v, mirrored}, triangles, c, p);
    };
    return {{"objective", of_hand(compile(near), compile(on_skin), flat)},
            {"jacobian", of_hand(compile(near_jacobian), compile(skin_jacobian), rows)}};
}

}  // namespace gradbench
