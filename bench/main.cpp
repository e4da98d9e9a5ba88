// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Throughput of Sinter beside hand-written code and beside what the machine can do, all measured interleaved.
//
//   sinter_bench [--filter text] [--type f32|f64] [--sizes 14,20,26] [--rounds 9] [--peers on|off]
//                [--json file]
//
// A line: Sinter, the best hand-written version and the fastest other library; GB/s are those bytes that any implementation
// has to move; "of limit" is the share of the machine's bandwidth at this size (best copy, or reading where almost nothing
// is written).
#include "problem.hpp"
#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace bench {
namespace {

struct Options {
    std::string filter, type, json;
    std::vector<int> sizes = {14, 16, 18, 20, 22, 24, 26};
    int rounds = 9;
    bool peers = true;
};

std::vector<int> numbers(const std::string& list) {
    std::vector<int> result;
    for (std::size_t at = 0; at < list.size(); at = list.find(',', at) + 1) {
        result.push_back(std::atoi(list.c_str() + at));
        if (list.find(',', at) == std::string::npos) break;
    }
    return result;
}

/// Nothing: that is not how it is used.
std::optional<Options> parse(int argc, char** argv) {
    Options o;
    for (int k = 1; k < argc; k += 2) {
        const std::string_view name = argv[k];
        if (k + 1 == argc) return std::nullopt;
        const std::string value = argv[k + 1];
        if (name == "--filter")
            o.filter = value;
        else if (name == "--type")
            o.type = value;
        else if (name == "--json")
            o.json = value;
        else if (name == "--peers")
            o.peers = value == "on";
        else if (name == "--rounds")
            o.rounds = std::max(1, std::atoi(value.c_str()));
        else if (name == "--sizes")
            o.sizes = numbers(value);
        else
            return std::nullopt;
    }
    return o;
}

int say_usage() {
    std::string cases;
    for (const char* name : case_names) cases += fmt::format("{}{}", cases.empty() ? "" : ", ", name);
    fmt::print(stderr,
               "usage: sinter_bench [--filter text] [--type f32|f64] [--sizes 14,20,26] [--rounds 9] [--peers on|off]\n"
               "                    [--json file]\n"
               "sizes are powers of two; cases: {}\n",
               cases);
    return 2;
}

void append(std::vector<Contender>& all, std::vector<Contender> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Every implementation's result against the first one's. Sums of 10^8 rounded numbers differ; wrong code differs more.
/// Other libraries' running sums of f32 may lose some per cent; one that loses more is left out.
void compare_results(const Row& row, std::vector<Contender>& contenders, std::size_t own) {
    double expected = NAN;
    std::vector<Contender> peers;
    for (std::size_t k = 0; k < contenders.size(); ++k) {
        Contender& c = contenders[k];
        bool agrees = true;
        if (c.check) {
            c.call();
            const double got = c.check();
            if (std::isnan(expected)) expected = got;
            agrees = std::abs(got - expected) <= (k < own ? 2e-3 : 0.1) * std::abs(expected);
            if (!agrees)
                fmt::print(stderr, "{} {} 2^{}: {} gives {}, not {}\n", row.name, row.type, std::log2(row.n), c.name, got,
                           expected);
        }
        if (!agrees && k < own) std::exit(1);
        if (agrees && k >= own) peers.push_back(std::move(c));
    }
    contenders.resize(own);
    append(contenders, std::move(peers));
}

template <class T>
Row run_case(const std::string& name, index n, int rounds, bool peers) {
    const Problem<T> p = make_problem<T>(name, n);
    Row row{name, sizeof(T) == 4 ? "f32" : "f64", n, bytes_of(p), bytes_written(p), {}};
    std::vector<Contender> contenders = hand_contenders(p);
    append(contenders, sinter_contenders(p));
    const std::size_t own = contenders.size();
    if (peers) append(contenders, peer_contenders(p));
    compare_results(row, contenders, own);
    append(contenders, machine_limits(p));
    const std::vector<Timing> timings = measure(contenders, rounds);
    for (std::size_t c = 0; c < contenders.size(); ++c) row.results.push_back({contenders[c].name, timings[c]});
    return row;
}

/// A barrier waits for the thread that lost its processor: under load, threaded code measures the scheduler.
void warn_of_load() {
    double load = 0;
    if (getloadavg(&load, 1) == 1 && load > 0.5)
        fmt::print(stderr, "warning: the load average is {:.1f}; only a quiet machine gives ratios that mean something\n",
                   load);
}

int run(const Options& o) {
    std::vector<Row> rows;
    warn_of_load();
    print_header();
    for (const char* name : case_names) {
        if (std::string_view(name).find(o.filter) == std::string_view::npos) continue;
        for (const bool wide : {false, true}) {
            if (!o.type.empty() && o.type != (wide ? "f64" : "f32")) continue;
            for (const int size : o.sizes) {
                const index n = index{1} << size;
                rows.push_back(wide ? run_case<double>(name, n, o.rounds, o.peers)
                                    : run_case<float>(name, n, o.rounds, o.peers));
                print_row(rows.back());
                if (!o.json.empty()) write_json(o.json, rows);
            }
        }
    }
    return rows.empty() ? 1 : 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const auto options = bench::parse(argc, argv);
    return options ? bench::run(*options) : bench::say_usage();
}
