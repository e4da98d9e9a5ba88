// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmm, kmeans and lstm of GradBench.
#include "gradbench/functions/gmm.hpp"
#include "gradbench/functions/kmeans.hpp"
#include "gradbench/functions/lstm.hpp"

#include "gradbench/reference.hpp"

namespace gradbench::reference {

namespace {

/// A mixture of k Gaussians in d dimensions, and n points. The parameters follow one another: alpha, means, q, l.
struct Mixture {
    std::size_t d, k, n;
    double gamma;
    Long m;
    List<double> points = numbers(static_cast<Long>(n * d), -2, 2, 9);

    std::size_t below() const { return d * (d - 1) / 2; }
    List<double> parameters() const { return numbers(static_cast<Long>(k * (1 + 2 * d + below())), -1, 1, 4); }
    /// Where the parts of the parameters end.
    std::array<std::size_t, 4> ends() const { return {k, k + k * d, k + 2 * k * d, k * (1 + 2 * d + below())}; }
    List<double> part(std::size_t number) const {
        const auto all = parameters();
        auto at = [&](std::size_t end) { return all.begin() + static_cast<Long>(end); };
        return {number == 0 ? all.begin() : at(ends()[number - 1]), at(ends()[number])};
    }

    template <class T>
    T log_gaussian(const List<T>& p, std::size_t component, std::size_t point) const {
        const T *mean = &p[k + component * d], *q = &p[ends()[1] + component * d],
                *l = p.data() + ends()[2] + component * below();
        T square = 0, trace = 0;
        for (std::size_t i = 0; i < d; ++i) {
            auto centred = [&](std::size_t j) { return points[point * d + j] - mean[j]; };
            T row = std::exp(q[i]) * centred(i);
            // Column j of the lower triangle has d - 1 - j elements.
            for (std::size_t j = 0; j < i; ++j) row += l[j * (2 * d - j - 1) / 2 + i - j - 1] * centred(j);
            square += row * row;
            trace += q[i];
        }
        return p[component] + trace - 0.5 * square;
    }

    template <class T>
    T prior(const List<T>& p) const {
        const double rows = static_cast<double>(d), freedom = rows + static_cast<double>(m) + 1;
        double log_gamma = 0.25 * rows * (rows - 1) * std::log(M_PI);
        for (std::size_t j = 0; j < d; ++j) log_gamma += std::lgamma(0.5 * freedom - 0.5 * static_cast<double>(j));
        T squares = 0, trace = 0;
        for (std::size_t i = ends()[1]; i < ends()[2]; ++i) squares += std::exp(2.0 * p[i]), trace += p[i];
        for (std::size_t i = ends()[2]; i < ends()[3]; ++i) squares += p[i] * p[i];
        const double scale = freedom * rows * (std::log(gamma) - 0.5 * std::log(2.0)) - log_gamma;
        return static_cast<double>(k) * scale - 0.5 * gamma * gamma * squares + static_cast<double>(m) * trace;
    }

    template <class T>
    T log_posterior(const List<T>& p) const {
        T total = prior(p), weights = 0;
        for (std::size_t c = 0; c < k; ++c) weights += std::exp(p[c]);
        for (std::size_t i = 0; i < n; ++i) {
            T sum = 0;
            for (std::size_t c = 0; c < k; ++c) sum += std::exp(log_gaussian(p, c, i));
            total += std::log(sum) - std::log(weights) - 0.5 * static_cast<double>(d) * std::log(2 * M_PI);
        }
        return total;
    }
};

}  // namespace

TEST_CASE("gmm of GradBench", "[gradbench]") {
    for (const Mixture& g :
         {Mixture{1, 1, 1, 1.0, 0}, Mixture{2, 3, 5, 1.0, 0}, Mixture{5, 4, 20, 1.5, 2}, Mixture{4, 1, 33, 0.5, 1}}) {
        CAPTURE(g.d, g.k, g.n);
        const Long d = static_cast<Long>(g.d), k = static_cast<Long>(g.k), below = static_cast<Long>(g.below());
        auto on = [&](const List<double>& expected, const auto& f) {
            check(expected, f, from(g.part(0)), matrix(g.part(1), k, d), matrix(g.part(2), k, d),
                  matrix(g.part(3), k, below), matrix(g.points, static_cast<Long>(g.n), d), g.gamma, g.m);
        };
        on({g.log_posterior(g.parameters())}, log_posterior);
        on(gradient([&](const List<Complex>& p) { return g.log_posterior(p); }, g.parameters()),
           grad<0, 1, 2, 3>(log_posterior));
    }
}

// The cost of the points next to a centre c is least in their mean, and a step of Newton's method leads there: the quotient
// of gradient and curvature is c minus the mean.
TEST_CASE("kmeans of GradBench", "[gradbench]") {
    for (auto [n, k, d] : {std::array<std::size_t, 3>{1, 1, 1}, {40, 3, 2}, {200, 7, 5}, {300, 10, 16}}) {
        CAPTURE(n, k, d);
        const auto points = numbers(static_cast<Long>(n * d), 0, 1);
        const List<double> centres(points.end() - static_cast<Long>(k * d), points.end());
        List<double> step = centres, total(k * d), members(k);
        double cost_of_all = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t nearest = 0;
            double least = HUGE_VAL;
            for (std::size_t c = 0; c < k; ++c) {
                double square = 0;
                for (std::size_t j = 0; j < d; ++j) square += std::pow(points[i * d + j] - centres[c * d + j], 2);
                if (square < least) least = square, nearest = c;
            }
            cost_of_all += least;
            members[nearest] += 1;
            for (std::size_t j = 0; j < d; ++j) total[nearest * d + j] += points[i * d + j];
        }
        for (std::size_t e = 0; e < k * d; ++e) step[e] -= total[e] / members[e / d];
        const auto of_centres = matrix(centres, static_cast<Long>(k), static_cast<Long>(d));
        const auto of_points = matrix(points, static_cast<Long>(n), static_cast<Long>(d));
        check({cost_of_all}, cost, of_centres, of_points);
        check(step, newton_step, of_centres, of_points);
    }
}

namespace {

/// A network of `layers` layers of this width, and a sequence. The parameters follow one another: main, extra.
struct Network {
    std::size_t layers, width, length;
    List<double> state = numbers(static_cast<Long>(2 * layers * width), -1, 1, 5);
    List<double> sequence = numbers(static_cast<Long>(length * width), 0, 1, 6);

    std::size_t main() const { return 8 * layers * width; }
    List<double> parameters() const { return numbers(static_cast<Long>(main() + 3 * width), -1, 1, 7); }

    template <class T>
    T loss(const List<T>& p) const {
        auto sigmoid = [](T x) { return 1.0 / (1.0 + std::exp(-x)); };
        List<T> s(state.begin(), state.end());
        T total = 0;
        for (std::size_t t = 0; t + 1 < length; ++t) {
            List<T> guess(width);
            T sum = 2;
            for (std::size_t j = 0; j < width; ++j) {
                T through = sequence[t * width + j] * p[main() + j];
                for (std::size_t i = 0; i < layers; ++i) {
                    auto gate = [&](T x, std::size_t g) {
                        const std::size_t weight = (2 * i * 4 + g) * width + j;
                        return x * p[weight] + p[weight + 4 * width];
                    };
                    T &out = s[2 * i * width + j], &memory = s[(2 * i + 1) * width + j];
                    memory = memory * sigmoid(gate(through, 0)) + sigmoid(gate(out, 1)) * std::tanh(gate(out, 3));
                    out = sigmoid(gate(through, 2)) * std::tanh(memory);
                    through = out;
                }
                guess[j] = through * p[main() + width + j] + p[main() + 2 * width + j];
                sum += std::exp(guess[j]);
            }
            for (std::size_t j = 0; j < width; ++j) total += sequence[(t + 1) * width + j] * (guess[j] - std::log(sum));
        }
        return -total / static_cast<double>((length - 1) * width);
    }
};

}  // namespace

TEST_CASE("lstm of GradBench", "[gradbench]") {
    for (const Network& w : {Network{1, 1, 2}, Network{2, 3, 5}, Network{3, 14, 40}}) {
        CAPTURE(w.layers, w.width, w.length);
        const auto all = w.parameters();
        const auto split = all.begin() + static_cast<Long>(w.main());
        const Long layers = static_cast<Long>(w.layers), width = static_cast<Long>(w.width);
        auto on = [&](const List<double>& expected, const auto& f) {
            check(expected, f, matrix({all.begin(), split}, 2 * layers, 4 * width), matrix({split, all.end()}, 3, width),
                  matrix(w.state, 2 * layers, width), matrix(w.sequence, static_cast<Long>(w.length), width));
        };
        on({w.loss(all)}, loss);
        on(gradient([&](const List<Complex>& p) { return w.loss(p); }, all), grad<0, 1>(loss));
    }
}

}  // namespace gradbench::reference
