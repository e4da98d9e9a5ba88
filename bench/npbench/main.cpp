// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of NPBench: the forms in which they may be written in Sinter, compared with plain C++, measured interleaved.
//
//   sinter_npbench [--filter jacobi] [--form slices] [--rounds 9] [--json FILE] [--data FOLDER] [--turns yes]
//
// Each line has the time of a form, divided by that of the best C++ form and by that of the best form in Sinter, and the
// time of its first call, which compiles it: to be measured with SINTER_CACHE=off. Every result is compared with that of
// plain C++; a difference is an error. With --data, arguments and results are written to that folder for bench/npbench.py.
// That has its turn with --turns: before the first round of a kernel and after each round, a line "turn KERNEL TOLERANCE" is
// printed and a line of standard input is awaited.
#include "measure.hpp"
#include "suite.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

namespace bench::npb {
namespace {

constexpr double slow = 1;  // seconds

struct Request {
    std::string filter, form, json, data, turns;
    int rounds = 9;
};

struct Measured {
    Kernel kernel;
    std::vector<double> first_calls;
    std::vector<Timing> timings;
};

bool is_plain(const Form& f) { return f.name.starts_with("c++"); }

/// The largest difference of two results, relative to the largest element.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double most = 0, scale = 1e-300;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) != std::isnan(b[i])) return INFINITY;
        if (a[i] == b[i] || std::isnan(a[i])) continue;
        most = std::max(most, std::abs(a[i] - b[i]));
    }
    for (double x : a)
        if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    return most / scale;
}

double seconds(const Form& form) {
    const auto start = std::chrono::steady_clock::now();
    form.call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls every form once, and keeps how long that takes. Returns false if one of them differs from plain C++.
bool check(const Kernel& kernel, std::vector<double>& first_calls) {
    kernel.forms[0].call();
    const std::vector<double> expected = kernel.forms[0].result();
    bool right = true;
    for (const Form& f : kernel.forms) {
        first_calls.push_back(seconds(f));
        const double d = difference(expected, f.result());
        if (d <= kernel.tolerance) continue;
        fmt::print(stderr, "{}: {} differs from plain C++ by {:.2g}\n", kernel.name, f.name, d);
        right = false;
    }
    return right;
}

void save(const Kernel& kernel, const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder) / kernel.name;
    std::filesystem::create_directories(path);
    for (const Input& i : kernel.inputs) i.save(path / (i.name + ".npy"));
    sinter::save_npy(path / "expected.npy", A1(sinter::from(kernel.forms[0].result())));
}

/// Whoever reads the output measures contenders of its own, and answers with a line.
void others_turn(const Kernel& kernel) {
    fmt::print("turn {} {}\n", kernel.name, kernel.tolerance);
    std::fflush(stdout);
    std::string answer;
    if (!std::getline(std::cin, answer)) std::exit(1);
}

/// One timing per form. A form that takes more than a second is called only once more.
std::vector<Timing> measure_forms(const Kernel& kernel, const Request& request) {
    std::vector<Timing> timings;
    std::vector<Contender> quick;
    for (const Form& f : kernel.forms) {
        const double once = seconds(f);
        timings.push_back({once, once});
        if (once < slow) quick.push_back({f.name, f.call, {}});
    }
    const auto turn = [&] { others_turn(kernel); };
    const bool takes_turns = !request.turns.empty();
    if (takes_turns) turn();
    const std::vector<Timing> measured = measure(quick, request.rounds, takes_turns ? turn : std::function<void()>());
    std::size_t next = 0;
    for (Timing& t : timings)
        if (t.median < slow) t = measured[next++];
    return timings;
}

double best(const Measured& m, bool plain) {
    double least = INFINITY;
    for (std::size_t k = 0; k < m.timings.size(); ++k)
        if (is_plain(m.kernel.forms[k]) == plain) least = std::min(least, m.timings[k].median);
    return least;
}

void print(const Measured& m) {
    for (std::size_t k = 0; k < m.timings.size(); ++k) {
        const double time = m.timings[k].median;
        fmt::print("{:<16}{:<24}{:>11.3f} ms{:>9.2f}", m.kernel.name, m.kernel.forms[k].name, time * 1e3,
                   time / best(m, true));
        if (!is_plain(m.kernel.forms[k])) fmt::print("{:>9.2f}{:>11.1f} ms", time / best(m, false), m.first_calls[k] * 1e3);
        fmt::print("\n");
    }
    std::fflush(stdout);
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

void write_json(const std::string& path, const std::vector<Measured>& all) {
    std::ofstream file(path);
    file << fmt::format("{{\"machine\": {{\"processor\": \"{}\", \"threads\": {}}},\n\"rows\": [", processor(),
                        std::thread::hardware_concurrency());
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Kernel& kernel = all[k].kernel;
        file << fmt::format("{}\n{{\"name\": \"{}\", \"size\": \"{}\", \"tolerance\": {}, \"results\": [", k == 0 ? "" : ",",
                            kernel.name, kernel.size, kernel.tolerance);
        for (std::size_t f = 0; f < kernel.forms.size(); ++f)
            file << fmt::format("{}{{\"name\": \"{}\", \"median\": {:.6g}, \"fastest\": {:.6g}, \"first\": {:.6g}}}",
                                f == 0 ? "" : ", ", kernel.forms[f].name, all[k].timings[f].median,
                                all[k].timings[f].fastest, all[k].first_calls[f]);
        file << "]}";
    }
    file << "\n]}\n";
}

void print_first_calls(const std::vector<Measured>& all) {
    double sum = 0, most = 0;
    int count = 0;
    for (const Measured& m : all)
        for (std::size_t k = 0; k < m.first_calls.size(); ++k) {
            if (is_plain(m.kernel.forms[k])) continue;
            sum += m.first_calls[k];
            most = std::max(most, m.first_calls[k]);
            ++count;
        }
    if (count > 0) fmt::print("first calls: {:.1f} ms on average, {:.1f} ms at most\n", sum / count * 1e3, most * 1e3);
}

/// Plain C++ stays, to compare with.
void keep_forms(Kernel& kernel, std::string_view wanted) {
    std::erase_if(kernel.forms, [&](const Form& f) { return !is_plain(f) && f.name.find(wanted) == std::string::npos; });
}

int run(const Request& request) {
    fmt::print("{:<16}{:<24}{:>14}{:>9}{:>9}{:>14}\n", "kernel", "form", "time", "of c++", "of best", "first call");
    std::vector<Measured> all;
    bool right = true;
    for (auto make :
         {jacobi_1d, jacobi_2d, heat_3d, hdiff, vadv,       fdtd_2d, atax,    bicg,           mvt,    gemver, lu, cholesky,
          softmax,   mlp,       conv2d,  nbody, mandelbrot, spmv,    azimint, floyd_warshall, go_fast}) {
        Kernel kernel = make();
        if (kernel.name.find(request.filter) == std::string::npos) continue;
        keep_forms(kernel, request.form);
        std::vector<double> first_calls;
        right = check(kernel, first_calls) && right;
        if (!request.data.empty()) save(kernel, request.data);
        const auto timings = request.rounds > 0 ? measure_forms(kernel, request) : std::vector<Timing>();
        all.push_back({kernel, first_calls, timings});
        print(all.back());
        for (Form& f : all.back().kernel.forms) f.call = nullptr, f.result = nullptr;
        all.back().kernel.inputs.clear();
    }
    print_first_calls(all);
    if (!request.json.empty()) write_json(request.json, all);
    return right ? 0 : 1;
}

}  // namespace
}  // namespace bench::npb

int main(int argc, char** argv) {
    bench::npb::Request request;
    for (int k = 1; k < argc; k += 2) {
        const std::string_view name = argv[k];
        std::string* text = name == "--filter"  ? &request.filter
                            : name == "--form"  ? &request.form
                            : name == "--json"  ? &request.json
                            : name == "--data"  ? &request.data
                            : name == "--turns" ? &request.turns
                                                : nullptr;
        if (k + 1 == argc || (!text && name != "--rounds")) {
            fmt::print(stderr,
                       "usage: sinter_npbench [--filter text] [--form text] [--rounds 9] [--json file] [--data folder] "
                       "[--turns yes]\n");
            return 2;
        }
        if (text)
            *text = argv[k + 1];
        else
            request.rounds = std::max(0, std::atoi(argv[k + 1]));
    }
    return bench::npb::run(request);
}
