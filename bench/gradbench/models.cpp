// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models that are fitted to data: gmm, kmeans, lstm.
#include "functions/gmm.hpp"
#include "functions/kmeans.hpp"
#include "functions/lstm.hpp"
#include "module.hpp"

namespace gradbench {

Module gmm() {
    auto of_mixture = [](auto f, auto write) -> Function {
        return [=](const Json& input) {
            auto matrix = [&](const char* name) { return matrix_of(input.at(name)); };
            return call(f, write, vector_of(input.at("alpha")), matrix("mu"), matrix("q"), matrix("l"), matrix("x"),
                        input.at("gamma").get<double>(), input.at("m").get<Long>());
        };
    };
    auto gradient = [](const auto& parts) {
        const auto& [alpha, means, q, below] = parts;
        return Json{{"alpha", numbers(alpha)}, {"mu", rows(means)}, {"q", rows(q)}, {"l", rows(below)}};
    };
    return {{"objective", of_mixture(compile(log_posterior), number)},
            {"jacobian", of_mixture(compile(grad<0, 1, 2, 3>(log_posterior)), gradient)}};
}

Module kmeans() {
    auto of_points = [](auto f, auto write) -> Function {
        return [=](const Json& input) {
            return call(f, write, matrix_of(input.at("centroids")), matrix_of(input.at("points")));
        };
    };
    return {{"cost", of_points(compile(cost), number)}, {"dir", of_points(compile(newton_step), rows)}};
}

Module lstm() {
    auto of_sequence = [](auto f, auto write) -> Function {
        return [=](const Json& input) {
            auto matrix = [&](const char* name) { return matrix_of(input.at(name)); };
            return call(f, write, matrix("main_params"), matrix("extra_params"), matrix("state"), matrix("sequence"));
        };
    };
    auto gradient = [](const auto& parts) {
        std::vector<double> all = std::get<0>(parts).to_vector();
        for (double e : std::get<1>(parts).to_vector()) all.push_back(e);
        return Json(all);
    };
    return {{"objective", of_sequence(compile(loss), number)},
            {"jacobian", of_sequence(compile(grad<0, 1>(loss)), gradient)}};
}

}  // namespace gradbench
