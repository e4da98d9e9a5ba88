// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models that are fitted to data.
#include "gradbench/functions/gmm.hpp"
#include "gradbench/functions/kmeans.hpp"
#include "gradbench/functions/lstm.hpp"
#include "table.hpp"

namespace derivatives {

void rows_of_models(const Table& table) {
    auto mixture = [&](const std::string& name, Long d, Long k, Long n) {
        using gradbench::Matrix, gradbench::Vector;
        auto f = [](Vector alpha, Matrix means, Matrix q, Matrix below, Matrix points, Exp<double> gamma, Exp<Long> m) {
            return gradbench::log_posterior(alpha, means, q, below, points, gamma, m);
        };
        table.compare(name, 2.5, f, value_and_gradients<0, 1, 2, 3>(f), vector(k, -1, 1), matrix(k, d, -1, 1, 1),
                      matrix(k, d, -1, 1, 2), matrix(k, d * (d - 1) / 2, -1, 1, 3), matrix(n, d, -2, 2, 4), 1.0, Long(0));
    };
    mixture("gmm d10 k25 n10000", 10, 25, 10000);
    mixture("gmm d32 k50 n1000", 32, 50, 1000);
    mixture("gmm d64 k25 n1000", 64, 25, 1000);
    auto of_centres = [](gradbench::Matrix c, gradbench::Matrix p) { return value_and_grad(gradbench::cost)(c, p); };
    const auto centres = matrix(32, 16, 0, 1), points = matrix(100000, 16, 0, 1, 1);
    table.compare("kmeans n100000 d16 k32", 1.7, gradbench::cost, of_centres, centres, points);
    table.compare("kmeans with the Hessian", 2.5, gradbench::cost, gradbench::newton_step, centres, points);
    const auto of_weights = value_and_gradients<0, 1>(gradbench::loss);
    auto network = [&](const std::string& name, Long layers, Long width, Long length) {
        table.compare(name, 3, gradbench::loss, of_weights, matrix(2 * layers, 4 * width, -1, 1), matrix(3, width, -1, 1, 1),
                      matrix(2 * layers, width, -1, 1, 2), matrix(length, width, 0, 1, 3));
    };
    network("lstm l2 c1024", 2, 14, 1024);
    network("lstm l4 c4096", 4, 14, 4096);
}

}  // namespace derivatives
