// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six programs, step by step: the bits of their results are the same for any number of ranks, also if the job stops half-way
// and goes on from a checkpoint on another number of ranks.
//   restart whole|begin|resume FOLDER
#include "programs/breadth_first.hpp"
#include "programs/kmeans.hpp"
#include "programs/lulesh.hpp"
#include "programs/multigrid.hpp"

#include <sinter/checkpoint_file.hpp>
#include <sinter/ranks.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

using namespace sinter;

namespace {

using Long = std::int64_t;

std::string_view part;
std::string folder;
bool first = true;

std::string name_of(std::size_t k) { return "state" + std::to_string(k); }

template <class T, int Rank>
Array<T, Rank> load(const Array<T, Rank>&, const std::string& path, std::size_t k) {
    return load_checkpoint<T, Rank>(path, name_of(k).c_str());
}

template <class T, int Rank>
void show(const char* name, std::size_t k, const Array<T, Rank>& a) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const T& element : a.to_vector()) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &element, sizeof(T));
        for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    }
    if (first) std::printf("%s %zu: %016" PRIx64 "\n", name, k, hash);
}

/// Makes the steps that this part of the job has, from the states that the part before it has saved.
template <class Step, class... States, std::size_t... K>
void go(const char* name, int steps, Step step, std::tuple<States...> states, std::index_sequence<K...>) {
    const std::string path = folder + "/" + name + ".npz";
    if (part == "resume") states = {load(std::get<K>(states), path, K)...};
    const int begin = part == "resume" ? steps / 2 : 0, end = part == "begin" ? steps / 2 : steps;
    for (int k = begin; k < end; ++k) states = std::apply(step, states);
    if (part == "begin")
        std::apply([&](const auto&... all) { save_checkpoint(path, all...); },
                   std::tuple_cat(std::make_tuple(name_of(K), std::get<K>(states))...));
    else
        (show(name, K, std::get<K>(states)), ...);
}

template <class Step, class... States>
void go(const char* name, int steps, Step step, std::tuple<States...> states) {
    go(name, steps, step, std::move(states), std::index_sequence_for<States...>());
}

/// Mean payoffs of a European call, batch by batch.
void option() {
    auto step = compile([](Delayed<double> state) {
        const Exp<Long> batch = cast<Long>(state(0));
        auto payoff = [=](Exp<Long> i) {
            auto bits = cast<float>((i * 2654435761 + batch * 40503) % 16777213) * (1.f / 16777213.f) + 1e-7f;
            auto turn = cast<float>((i * 40503 + 7) % 65521) * (6.2831853f / 65521.f);
            auto end = 100.f * exp(-0.02f + 0.2f * sqrt(-2.f * log(bits)) * cos(turn));
            return select(end > 105.f, end - 105.f, 0.f);
        };
        const Exp<double> mean = cast<double>(sum(generate(shape(1 << 18), payoff))() * (1.f / (1 << 18)));
        const Exp<double> before = state(1);
        return generate(shape(2), [=](auto i) { return select(i == 0, cast<double>(batch + 1), before + mean); });
    });
    go("option", 6, [=](const Array<double>& s) { return std::tuple(step(s)); }, std::tuple(run(fill(shape(2), 0.0))));
}

void heat() {
    auto step = compile([](Delayed<float, 2> u) {
        return stencil([](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); }, boundary::clamp, u);
    });
    const auto plate = run(generate(shape(501, 300), [](auto i, auto j) { return select(i < 8 || j == 3, 100.f, 20.f); }));
    go("heat", 20, [=](const Array<float, 2>& u) { return std::tuple(step(u)); }, std::tuple(plate));
}

void kmeans() {
    using programs::Point;
    const Array<Point> points = programs::blobs(1 << 18, 8);
    auto move = compile([](Delayed<Point> centres, Delayed<Point> p) { return programs::recentre(8, centres, p); });
    auto step = [=](const Array<float>& x, const Array<float>& y) { return run(unzip(move(run(zip(x, y)), points))); };
    go("kmeans", 6, step, run(unzip(take(points, 8))));
}

void multigrid() {
    constexpr Long n = 32;
    const Array<double, 3> v = programs::right_hand_side(n);
    auto step = compile([](programs::Cube u, programs::Cube right) {
        return u + programs::v_cycle(right - programs::apply(programs::poisson, u), n, programs::smoother_a);
    });
    go(
        "multigrid", 4, [=](const Array<double, 3>& u) { return std::tuple(step(u, v)); },
        std::tuple(run(fill(shape(n, n, n), 0.))));
}

void lulesh() {
    namespace lulesh = programs::lulesh;
    constexpr Long n = 10;
    using Cells = Delayed<double, 3>;
    const lulesh::Grid grid = lulesh::grid(n);
    auto joined = [](Cells x, Cells y, Cells z) {
        return map([](auto a, auto b, auto c) { return lulesh::element({a, b, c}); }, x, y, z);
    };
    auto step = compile([=](Cells x, Cells y, Cells z, Cells u, Cells v, Cells w, Cells e, Cells p, Cells q, Cells volume,
                            Cells sound, Delayed<double> time) {
        auto [pos, vel, e1, p1, q1, v1, ss1, t, dt] =
            lulesh::step(grid, joined(x, y, z), joined(u, v, w), e, p, q, volume, sound, time(0), time(1));
        auto component = [](const auto& a, std::size_t k) { return map([=](auto s) { return s[k]; }, a); };
        return std::tuple(component(pos, 0), component(pos, 1), component(pos, 2), component(vel, 0), component(vel, 1),
                          component(vel, 2), e1, p1, q1, v1, ss1,
                          generate(shape(2), [t = t, dt = dt](auto i) { return select(i == 0, t, dt); }));
    });
    auto nodes = [](int axis) {
        return run(generate(shape(n + 1, n + 1, n + 1), [=](auto z, auto y, auto x) {
            return 1.125 * cast<double>(axis == 0 ? x : axis == 1 ? y : z) / static_cast<double>(n);
        }));
    };
    const auto rest = run(fill(shape(n + 1, n + 1, n + 1), 0.)), zero = run(fill(shape(n, n, n), 0.));
    const auto blast = run(generate(shape(n, n, n), [](auto z, auto y, auto x) {
        return select(z == 0 && y == 0 && x == 0, Exp<double>(3.948746e7), 0.);
    }));
    const auto time = run(generate(shape(2), [](auto i) { return select(i == 0, Exp<double>(0.), 1e-7); }));
    go(
        "lulesh", 10, [=](const auto&... states) { return step(states...); },
        std::tuple(nodes(0), nodes(1), nodes(2), rest, rest, rest, blast, zero, zero, run(fill(shape(n, n, n), 1.)), zero,
                   time));
}

/// One round of programs::breadth_first_by_mask() a step; and all rounds at once.
void search() {
    const programs::Graph graph = programs::random_graph(20000, 6);
    const Array<Long> origin = programs::origins(graph);
    auto step = compile([=](Delayed<std::int32_t> levels, Delayed<std::int32_t> depth) {
        const Exp<std::int32_t> now = depth(0);
        auto places =
            map([=](Exp<Long> node,
                    Exp<Long> there) { return select(levels(node) == now && levels(there) == programs::far, there, -1); },
                origin, graph.target);
        auto marks = map([=](Exp<Long>) { return now + 1; }, places);
        return std::tuple(scatter(programs::nearer, levels, places, marks), depth + 1);
    });
    go(
        "search", 8, [=](const auto& levels, const auto& depth) { return step(levels, depth); },
        std::tuple(Array<std::int32_t>(run(programs::only(graph, 3))), run(fill(shape(1), std::int32_t{0}))));
    if (part != "begin") show("all levels", 0, run(programs::breadth_first(graph, origin, 3)));
}

}  // namespace

int main(int argc, char** argv) {
    const Ranks ranks(argc, argv);
    first = ranks.first();
    part = argv[1];
    folder = argv[2];
    option();
    heat();
    kmeans();
    multigrid();
    lulesh();
    search();
}
