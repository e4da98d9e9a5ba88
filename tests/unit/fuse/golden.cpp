// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/golden/fuse/*.txt: programs, and what fusion has to make of them. Lines of the form
//   # <strategy>: {%1 %2} {%3} manifest %2 %3       clusters in execution order, operations by first result
//   # unfused <strategy>: words                      some edge is not fused for this reason
//   # cost <strategy>: 3                             arrays read and written (scalars are free)
// `one_pass` is the optimum for a target with outer folds. These are expectations; all strategies have to give partitions
// that the verifier accepts and whose clusters extract well.
#include "support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

struct Expectation {
    std::string kind;  ///< "", "unfused" or "cost"
    std::string strategy, text;
};

struct Golden {
    std::string program;
    std::vector<Expectation> expectations;
};

constexpr const char* one_pass = "one_pass";

bool is_strategy(const std::string& name) {
    return std::any_of(std::begin(strategies), std::end(strategies), [&](const NamedStrategy& s) { return s.name == name; });
}

Golden read(const std::filesystem::path& path) {
    Golden golden;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] != '#') {
            golden.program += line + '\n';
            continue;
        }
        std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        std::istringstream head(line.substr(1, colon - 1));
        Expectation e;
        head >> e.strategy;
        if (e.strategy == "unfused" || e.strategy == "cost") e.kind = e.strategy, head >> e.strategy;
        e.text = line.substr(colon + 2);
        if (is_strategy(e.strategy) || e.strategy == one_pass) golden.expectations.push_back(e);
    }
    return golden;
}

bool has_reason(const Partition& partition, const std::string& words) {
    return std::any_of(partition.unfused.begin(), partition.unfused.end(),
                       [&](const Unfused& u) { return u.reason.find(words) != std::string::npos; });
}

std::string reasons(const Partition& partition) {
    std::string all;
    for (const Unfused& u : partition.unfused) all += u.reason + '\n';
    return all;
}

Partition partition_in_one_pass(const ir::Program& program) {
    const Target target{.outer_folds = true};
    Partition result = partition(program, program.body, {}, Strategy::optimal, {}, target);
    verify(program, program.body, {}, result);
    return result;
}

void check_expectation(const ir::Program& program, const Expectation& e, Strategy strategy) {
    Partition result = e.strategy == one_pass ? partition_in_one_pass(program) : partition_of(program, strategy);
    if (e.kind.empty()) {
        CHECK(e.strategy + ": " + text(program, result) == e.strategy + ": " + e.text);
    } else if (e.kind == "unfused") {
        INFO(reasons(result));
        CHECK(has_reason(result, e.text));
    } else {
        DepGraph graph = dep_graph(program, program.body, {});
        Prices units(CostFunction::reads_writes, Extents::nominal(program.sizes));
        CHECK(cost(graph, clusters_of(result), units) == std::stod(e.text));
    }
}

bool is_kernel(const ir::Program& program, const Cluster& cluster) {
    const ir::ArrayOp& op = program.body.bindings[cluster.operations[0].index].op;
    return !std::holds_alternative<ir::Force>(op) && !std::holds_alternative<ir::Cond>(op) &&
           !std::holds_alternative<ir::Loop>(op);
}

}  // namespace

TEST_CASE("Golden programs are partitioned as stated") {
    std::size_t expectations = 0;
    for (const auto& entry : std::filesystem::directory_iterator("tests/golden/fuse")) {
        INFO(entry.path().filename().string());
        Golden golden = read(entry.path());
        ir::Program program = ir::parse(golden.program);
        ir::verify(program);
        CHECK(!golden.expectations.empty());
        for (const NamedStrategy& s : strategies) {
            INFO(s.name);
            Partition result = partition_of(program, s.strategy);
            for (const Cluster& cluster : result.clusters)
                if (is_kernel(program, cluster))
                    ir::verify(extract(program, program.body, {}, cluster, result.manifest).program);
            for (const Expectation& e : golden.expectations)
                if (e.strategy == s.name) check_expectation(program, e, s.strategy), ++expectations;
        }
        for (const Expectation& e : golden.expectations)
            if (e.strategy == one_pass) check_expectation(program, e, Strategy::optimal), ++expectations;
    }
    CHECK(expectations > 60);
}
