// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the search for the cheapest partition takes, and what it gains: on programs like real ones and on random mazes,
// of growing length. Medians of five.
//
//   sinter_fusion [deadline in milliseconds (20)] [results.json]      bench/plot_fusion.py draws the results
#include "fuse/strategy/optimal.hpp"
#include "fuse/strategy/strategies.hpp"
#include "ir/text/parse.hpp"
#include "unit/fuse/large_program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace sinter;
using namespace sinter::fuse;

namespace {

template <class F>
double milliseconds(F f) {
    std::vector<double> times;
    for (int k = 0; k < 5; ++k) {
        auto start = std::chrono::steady_clock::now();
        f();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    return times[2];
}

struct Result {
    std::string program;
    int length;
    std::size_t vertices;
    double heuristic, search, gap, t2, none;  ///< milliseconds; of the cost; costs over the best
};

Result measure(const char* name, int length, const std::string& text, double deadline) {
    ir::Program program = ir::parse(text);
    DepGraph graph = dep_graph(program, program.body, {});
    Prices prices = Prices::bytes(Extents::nominal(program.sizes));
    Optimum best = optimal(graph, prices, std::chrono::duration<double, std::milli>(deadline));
    double search = milliseconds([&] { optimal(graph, prices, std::chrono::duration<double, std::milli>(deadline)); });
    double heuristic = milliseconds([&] { t2(graph); });
    Result r{name,
             length,
             graph.vertices.size(),
             heuristic,
             search,
             1 - best.lower / best.cost,
             cost(graph, t2(graph), prices) / best.cost,
             cost(graph, none(graph), prices) / best.cost};
    std::printf("%-22s %5d %9zu %9.2f %9.2f %8.4f %8.3f %8.3f\n", name, length, r.vertices, r.heuristic, r.search, r.gap,
                r.t2, r.none);
    return r;
}

void write_json(const char* path, double deadline, const std::vector<Result>& results) {
    std::ofstream out(path);
    out << fmt::format("{{\"deadline_ms\": {}, \"results\": [", deadline);
    const char* separator = "\n";
    for (const Result& r : results) {
        out << separator
            << fmt::format(
                   "  {{\"program\": \"{}\", \"length\": {}, \"vertices\": {}, \"t2_ms\": {}, \"search_ms\": {}, "
                   "\"gap\": {}, \"t2\": {}, \"none\": {}}}",
                   r.program, r.length, r.vertices, r.heuristic, r.search, r.gap, r.t2, r.none);
        separator = ",\n";
    }
    out << "\n]}\n";
}

}  // namespace

int main(int argc, char** argv) {
    double deadline = argc > 1 ? std::atof(argv[1]) : 20;
    std::printf("%-22s %5s %9s %9s %9s %8s %8s %8s\n", "program", "size", "vertices", "t2 ms", "search ms", "gap", "t2/best",
                "none/best");
    std::vector<Result> results;
    auto add = [&](const char* name, int n, const std::string& text) {
        results.push_back(measure(name, n, text, deadline));
    };
    for (int n : {1, 4, 16, 64, 142}) add("softmaxes", n, test::softmaxes(n));
    for (int n : {1, 5, 20, 60, 140}) add("conjugate gradients", n, test::conjugate_gradients(n));
    for (int n : {20, 50, 100, 200, 300, 500, 1000}) add("maze", n, test::layered(n, 1));
    if (argc > 2) write_json(argv[2], deadline, results);
}
