// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs: the interpreter, the host with 1 and 2 threads (or the gpu, with SINTER_TARGET), and every fusion
// strategy agree to the last bit.
//
// SINTER_RANDOM_SEED (default: a fixed one) and SINTER_RANDOM_COUNT (default 300) choose what is run. A failure prints the
// seed and those of the program's steps that it takes; SINTER_RANDOM_STEPS=2,5 runs only these of each program. Every tenth
// program is run by a caller whose floating-point modes are odd, on three threads as well; and, with SINTER_MEMORY_LIMIT,
// again while arrays leave little of that.
#include "conform/support.hpp"
#include "hostile/odd_environment.hpp"
#include "random/pool.hpp"
#include "random/steps.hpp"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

using namespace sinter;
using namespace random_programs;

namespace {

Steps all_steps(std::uint64_t seed) {
    Steps steps;
    if (const char* text = std::getenv("SINTER_RANDOM_STEPS")) {
        std::stringstream list(text);
        for (std::string step; std::getline(list, step, ',');) steps.push_back(std::atoi(step.c_str()));
    } else {
        for (int k = 0; k < 3 + static_cast<int>(seed % 10); ++k) steps.push_back(k);
    }
    return steps;
}

/// One array of each shape.
auto results_of(random_programs::Pool& pool) {
    auto irregular = pool.any_of(pool.any_of(pool.groups).arrays);
    return std::tuple(pool.scalar(), pool.vector(), pool.row(), pool.matrix(), pool.cube(), irregular);
}

template <class Results>
bool same(const Results& expected, const Results& actual) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((std::get<I>(expected).shape() == std::get<I>(actual).shape() &&
                 std::get<I>(expected).to_vector() == std::get<I>(actual).to_vector()) &&
                ...);
    }(std::make_index_sequence<std::tuple_size_v<Results>>{});
}

std::string name_of(Fusion fusion, const Target& target) {
    return "strategy " + std::to_string(static_cast<int>(fusion)) + ", target number " + std::to_string(target.number);
}

/// How often programs were run while memory was short, and how.
struct Shortages {
    int right = 0, failed = 0;
};
Shortages shortages;

/// While it lives, arrays leave about so many bytes of SINTER_MEMORY_LIMIT.
class Shortage {
  public:
    explicit Shortage(std::size_t left) {
        const Array<std::int8_t> room = array(left);
        for (std::size_t bytes = std::size_t{1} << 36; bytes > 0; bytes /= 2) take_all(bytes);
    }

  private:
    static Array<std::int8_t> array(std::size_t bytes) { return run(fill(shape(bytes), std::int8_t{0})); }
    void take_all(std::size_t bytes) try {
        for (;;) arrays_.push_back(array(bytes));
    } catch (const MemoryError&) {
    }

    std::vector<Array<std::int8_t>> arrays_;
};

/// What is wrong, if anything, with a program while memory is short and afterwards.
template <class Program, class Results>
std::optional<std::string> disagreement_when_short(const Program& program, const Results& expected,
                                                   const std::vector<Target>& targets, std::size_t left) {
    auto attempt = [&](const Options& options) {
        try {
            const bool right = same(expected, run(program, options));
            shortages.right += right;
            return right;
        } catch (const MemoryError&) {
            ++shortages.failed;
            return true;
        }
    };
    for (Fusion fusion : conform::strategies) {
        std::optional<Shortage> shortage(left);
        for (const Target& target : targets)
            if (!attempt({.target = target, .fusion = fusion}))
                return "values differ where memory is short: " + name_of(fusion, target);
        shortage.reset();
        for (const Target& target : targets)
            if (!same(expected, run(program, {.target = target, .fusion = fusion})))
                return "values differ after memory was short: " + name_of(fusion, target);
    }
    return std::nullopt;
}

/// What is wrong, if anything.
std::optional<std::string> disagreement(std::uint64_t seed, const Steps& steps, Repertoire repertoire) try {
    random_programs::Pool pool(seed, repertoire);
    for (int step : steps) {
        pool.reseed(seed * 100 + static_cast<std::uint64_t>(step));
        pool.grow(1);
    }
    pool.reseed(seed * 100 + 99);
    auto program = results_of(pool);
    const bool odd = seed % 10 == 0;
    std::optional<hostile::Odd> environment;
    if (odd) environment.emplace();
    auto expected = run(program, {.target = Target::interpreter()});
    std::vector<Target> targets = conform::targets();
    if (odd && targets[0].kind == Target::Kind::host) targets.push_back(Target::host(3));
    for (Fusion fusion : conform::strategies) {
        for (Target target : targets) {
            auto actual = run(program, {.target = target, .fusion = fusion});
            if (!same(expected, actual)) return "values differ: " + name_of(fusion, target);
        }
    }
    if (!odd || !std::getenv("SINTER_MEMORY_LIMIT")) return std::nullopt;
    constexpr std::size_t left[] = {0, 100, 1000, 10'000, 100'000};
    targets.push_back(Target::interpreter());
    return disagreement_when_short(program, expected, targets, left[seed / 10 % std::size(left)]);
} catch (const std::exception& error) {
    return error.what();
}

void check_programs(std::uint64_t first, std::uint64_t count, Repertoire repertoire) {
    WARN("seeds " << first << " to " << first + count - 1);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Steps steps = all_steps(seed);
        if (!disagreement(seed, steps, repertoire)) continue;
        steps = reduced(steps, [&](const Steps& fewer) { return disagreement(seed, fewer, repertoire).has_value(); });
        CAPTURE(seed, listed(steps));
        CHECK(disagreement(seed, steps, repertoire).value_or("") == "");
    }
}

}  // namespace

TEST_CASE("random programs agree on every target with every strategy", "[random]") {
    const std::uint64_t count = setting("SINTER_RANDOM_COUNT", 300);
    check_programs(setting("SINTER_RANDOM_SEED", 20260101), count, Repertoire::first);
    if (std::getenv("SINTER_MEMORY_LIMIT") && count >= 100) {
        WARN(shortages.right << " runs while memory was short, " << shortages.failed << " more ended with a MemoryError");
        CHECK(shortages.right > 0);
        CHECK(shortages.failed > 0);
    }
}

TEST_CASE("random programs with flat indices, repeated values, short rows and guarded reads agree", "[random]") {
    check_programs(setting("SINTER_RANDOM_SEED", 20261128), setting("SINTER_RANDOM_COUNT", 300) / 3, Repertoire::all);
}
