// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which fusions happen in the benchmarks of Henriksen and Oancea, A T2 Graph-Reduction Approach To Fusion (FHPC 2013),
// section 4.3, that are among our examples: shortest paths (P3), matrix multiplication (P4), maximal segment sum (P5), and
// option pricing (P0 is another contract of the same kind). Prints the table of docs/fusion.md.
#include <sinter/sinter.hpp>

#include <option_pricing/payoffs.hpp>
#include <programs/matmul.hpp>
#include <programs/max_segment_sum.hpp>
#include <programs/shortest_paths.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace sinter;

namespace {

struct Kinds {
    std::map<std::string, int> edges;  ///< "fold o map": consumer o producer
    int vertical = 0, diagonal = 0, horizontal = 0;
    std::size_t before = 0, after = 0;  ///< clusters
    std::int64_t bytes_before = 0, bytes_after = 0;
};

/// "%5 map" or "%5 map_indexed" to "map".
std::string kind_of(const std::string& label) {
    const std::string name = label.substr(label.find(' ') + 1);
    return name == "map_indexed" || name == "generate" ? "map" : name;
}

/// Counts the edges inside clusters of the explanation's graph.
template <class E>
Kinds count(const E& expression) {
    const Explanation before = explain(expression, {.fusion = Fusion::none}), after = explain(expression);
    Kinds kinds;
    kinds.before = before.clusters().size(), kinds.after = after.clusters().size();
    kinds.bytes_before = before.bytes_moved(), kinds.bytes_after = after.bytes_moved();
    std::map<std::string, std::string> names;  // by node
    std::map<std::string, int> readers;        // by cluster and array in memory
    std::vector<std::pair<std::string, std::string>> inside;
    const std::regex node(R"re(^\s*(b\d+c\d+o\d+) \[shape=box.*?label="([^"]*)")re");
    const std::regex edge(R"re(^\s*(\w+) -> (b\d+c\d+)(o\d+) \[style=(\w+), fontsize=9, label="([^"\\]*))re");
    std::map<std::string, bool> stored;  // operations with a result in memory
    std::istringstream lines(after.dot());
    std::smatch m;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, m, node)) names[m[1]] = m[2];
        if (std::regex_search(line, m, edge)) {
            if (m[4] == "solid") inside.emplace_back(m[1], std::string(m[2]) + std::string(m[3]));
            if (m[4] == "dashed") ++readers[std::string(m[2]) + " " + std::string(m[1])];
            if (std::string(m[5]).find("broadcast") != std::string::npos)
                ++kinds.edges[kind_of(names[std::string(m[2]) + std::string(m[3])]) + " ∘ replicate"];
        } else if (line.find(" -> b") != std::string::npos && line.find('v') != std::string::npos) {
            stored[line.substr(2, line.find(" ->") - 2)] = true;
        }
    }
    for (const auto& [from, to] : inside) {
        ++kinds.edges[kind_of(names[to]) + " ∘ " + kind_of(names[from])];
        ++(stored[from] ? kinds.diagonal : kinds.vertical);
    }
    for (const auto& [array, times] : readers) kinds.horizontal += times - 1;
    return kinds;
}

void print(const std::vector<std::pair<const char*, Kinds>>& programs) {
    std::map<std::string, int> all;
    for (const auto& [name, kinds] : programs)
        for (const auto& [edge, times] : kinds.edges) all[edge] += times;
    auto row = [&](const std::string& title, auto value) {
        std::printf("| %s |", title.c_str());
        for (const auto& [name, kinds] : programs) std::printf(" %s |", value(kinds).c_str());
        std::printf("\n");
    };
    auto number = [](auto n) { return n == 0 ? std::string() : std::to_string(n); };
    std::printf("| |");
    for (const auto& [name, kinds] : programs) std::printf(" %s |", name);
    std::printf("\n|---|");
    for (std::size_t k = 0; k < programs.size(); ++k) std::printf("---:|");
    std::printf("\n");
    for (const auto& [edge, times] : all)
        row(edge, [&](const Kinds& k) { return number(k.edges.count(edge) ? k.edges.at(edge) : 0); });
    row("vertical", [&](const Kinds& k) { return number(k.vertical); });
    row("diagonal", [&](const Kinds& k) { return number(k.diagonal); });
    row("horizontal (reads shared)", [&](const Kinds& k) { return number(k.horizontal); });
    row("kernels, not fused", [&](const Kinds& k) { return number(k.before); });
    row("kernels, fused", [&](const Kinds& k) { return number(k.after); });
    row("bytes, not fused", [&](const Kinds& k) { return number(k.bytes_before); });
    row("bytes, fused", [&](const Kinds& k) { return number(k.bytes_after); });
}

}  // namespace

int main() {
    constexpr std::int64_t n = 256;
    const auto graph = programs::sparse_graph<std::int32_t>(n);
    const auto x = programs::factor<float>(1, n, n, 8.f), y = programs::factor<float>(2, n, n, 8.f);
    print({{"option pricing", count(option_pricing::sum_of_payoffs(65536))},
           {"P3 shortest paths", count(programs::shortest_paths<std::int32_t>(graph, programs::rounds_for(n)))},
           {"P4 matrix product", count(programs::matrix_product<float>(x, y, n, n, n))},
           {"P5 max. segment sum", count(programs::maximum_segment_sum(programs::segment_input(1 << 20)))},
           {"P5 with its place", count(programs::maximum_segment(programs::segment_input(1 << 20)))}});
}
