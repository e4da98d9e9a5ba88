// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small programs with stencils, from a seed.
#pragma once

#include "fuse/partition.hpp"
#include "fuse/tuning.hpp"
#include "large_program.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <string>

namespace sinter::fuse::test {

/// Stencils and others of one cheap map, whose inputs are read by others too.
class Stencils {
  public:
    explicit Stencils(std::uint64_t seed) : random_(seed), distance_(pick(2) ? 1 : 2000) {}

    std::string program() {
        const std::size_t a = lines_.add(vector, "input"), b = lines_.add(vector, "input");
        const std::size_t u = pick(2) ? lines_.map1(vector, a, "sqrt") : a, v = pick(3) ? b : u;
        const std::size_t c = pick(4) ? lines_.map2(vector, u, v, "add") : lines_.map1(vector, u, "negate");
        const std::size_t first = stencil(c, 2 + pick(3));
        std::string results = fmt::format("%{}", first);
        if (pick(3) == 0) results += fmt::format(", %{}", pick(2) ? u : stencil(u, 1 + pick(2)));
        std::size_t last = first;
        if (pick(3) == 0) last = forced(first);
        if (pick(2))
            results += fmt::format(", %{}", pick(2) ? lines_.map2(vector, c, last, "mul") : stencil(c, 1 + pick(2)));
        if (pick(3) == 0) results += fmt::format(", %{}", lines_.map2(vector, stencil(last, 2), v, "mul"));
        return lines_.take(results);
    }

    double launch() { return std::array{0.0, 2048.0, tuning::launch_bytes, 50'000.0}[pick(4)]; }

  private:
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
    std::size_t forced(std::size_t of) { return lines_.add(vector, fmt::format("force (%{})", of)); }

    /// One map of so many neighbours.
    std::size_t stencil(std::size_t of, std::size_t looks) {
        std::string arguments, parameters, code;
        for (std::size_t k = 0; k < looks; ++k) {
            const std::size_t look =
                k == 0 && pick(2) ? of : lines_.add(vector, fmt::format("shift wrap [{}] %{}", (k + 1) * distance_, of));
            arguments += fmt::format("{}%{}", k ? ", " : "", look);
            parameters += fmt::format("{}x{}: f32", k ? ", " : "", k);
        }
        std::size_t sum = 0;
        for (std::size_t k = 1; k < looks; ++k, sum = looks + k - 2)
            code += fmt::format("x{} = add x{} x{}; ", looks + k - 1, sum, k);
        code += fmt::format("x{} = sqrt x{}; x{}", 2 * looks - 1, sum, 2 * looks - 1);
        return lines_.add(vector, fmt::format("map ({}) {{{} -> {}}}", arguments, parameters, code));
    }

    inline static const std::string vector = "f32[n0]";
    std::mt19937_64 random_;
    std::size_t distance_;  ///< between what a stencil looks at: in one course (label.hpp), or in one each
    Lines lines_;
};

/// Calls check(text, launch) with the program of a seed.
template <class F>
void with_stencils(std::uint64_t seed, F check) {
    INFO("seed " << seed);
    Stencils stencils(seed);
    const std::string text = stencils.program();
    check(text, stencils.launch());
}

}  // namespace sinter::fuse::test
