// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives cost: (value and gradient, or a Jacobian) beside the function, medians of interleaved calls, and the most
// memory that the derivative's arrays have at once, beside its arguments and results. Arguments
// are parts of the names of the rows wanted; --once calls each function twice and takes no time (for SINTER_LOG=launch),
// --processor takes processor time instead of time, for busy machines (with SINTER_THREADS=1). GradBench's functions are
// those of bench/gradbench.
#include "table.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

namespace derivatives {

namespace {

double now(bool of_processor) {
    timespec time{};
    clock_gettime(of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// The most memory of arrays beside those there are and the results, in MB.
double megabytes(const MeasuredCall& call) {
    profile::start();
    const double of_results = call();
    const std::string table = profile::stop(), before = " MB, ";
    const std::size_t at = table.rfind(before);
    return at == std::string::npos ? 0 : std::max(0.0, std::stod(table.substr(at + before.size())) - of_results);
}

/// A number of a goal, if there is one.
std::string text(bool set, double number) {
    char digits[32] = "";
    if (set) std::snprintf(digits, sizeof digits, "%.1f", number);
    return digits;
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

double Table::milliseconds(const Call& call, int times) const {
    const double begin = now(of_processor);
    for (int k = 0; k < times; ++k) call();
    return (now(of_processor) - begin) / times;
}

int Table::repetitions(const Call& call) const {
    call();
    return std::max(1, static_cast<int>(10 / milliseconds(call, 1)));
}

bool Table::wants(const std::string& name) const {
    auto named = [&](const std::string& part) { return name.find(part) != std::string::npos; };
    return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), named);
}

void Table::row(const std::string& name, const Goal& goal, const Call& primal, const MeasuredCall& derivative) const {
    if (!wants(name)) return;
    if (once) {
        std::printf("%s\n", name.c_str());
        std::fflush(stdout);
        for (const Call& call : {primal, primal, Call(derivative), Call(derivative)}) call();
        return;
    }
    const int of_primal = repetitions(primal), of_derivative = repetitions(derivative);
    std::vector<double> first, second, ratios;
    for (int turn = 0; turn < turns; ++turn) {
        first.push_back(milliseconds(primal, of_primal));
        second.push_back(milliseconds(derivative, of_derivative));
        ratios.push_back(second.back() / first.back());
    }
    const double memory = megabytes(derivative);
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("| %-32s | %9.3f | %9.3f | %6.2f | %6.2f | %6.2f | %5s | %6.1f | %5s |\n", name.c_str(), median(first),
                median(second), median(ratios), *least, *most, text(goal.ratio > 0, goal.ratio).c_str(), memory,
                text(goal.megabytes.has_value(), goal.megabytes.value_or(0)).c_str());
    std::fflush(stdout);
}

std::vector<double> numbers(Long count, double low, double high, unsigned seed) {
    std::mt19937 random(seed + 1);
    std::uniform_real_distribution<double> between(low, high);
    std::vector<double> made(static_cast<std::size_t>(count));
    for (double& e : made) e = between(random);
    return made;
}

}  // namespace derivatives

int main(int argc, char** argv) {
    derivatives::Table table;
    for (int k = 1; k < argc; ++k)
        if (std::strcmp(argv[k], "--once") == 0)
            table.once = true;
        else if (std::strcmp(argv[k], "--processor") == 0)
            table.of_processor = true;
        else
            table.wanted.push_back(argv[k]);
    std::printf("| %-32s | %9s | %9s | %6s | %6s | %6s | %5s | %6s | %5s |\n|---|---|---|---|---|---|---|---|---|\n",
                "program", "ms", "deriv. ms", "ratio", "least", "most", "goal", "MB", "goal");
    derivatives::rows_of_vectors(table);
    derivatives::rows_of_models(table);
    derivatives::rows_of_scenes(table);
    derivatives::rows_of_loops(table);
    derivatives::rows_of_physics(table);
}
