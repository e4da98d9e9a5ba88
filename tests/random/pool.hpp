// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a random program has made so far, and its random choices. Kinds of operations (kinds.hpp) grow it; a function of
// slices and the body of a loop or branch grow a copy that has its parameters as well.
#pragma once

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace random_programs {

using namespace sinter;

using Int = std::int32_t;
using Long = std::int64_t;
using Pair = std::tuple<Int, Int>;

/// Arrays of rank 1 and one extent.
struct Group {
    Long extent;  ///< negative: it depends on data
    std::vector<Delayed<Int, 1>> arrays;
    bool data_dependent() const { return extent < 0; }
};

/// The kinds of operations that programs have. A new kind changes the programs of all seeds that have it, so it comes to
/// `all`: seeds that failed once still make the programs that failed.
enum class Repertoire : std::uint8_t { first, all };

class Pool {
  public:
    explicit Pool(std::uint64_t seed, Repertoire repertoire = Repertoire::first);
    const Repertoire repertoire;

    // Choices.
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(*random_); }
    int between(int low, int high) { return low + static_cast<int>(pick(static_cast<std::size_t>(high - low + 1))); }
    bool chance(int percent) { return between(0, 99) < percent; }
    /// Late ones more often, so that programs grow deep as well as wide.
    template <class T>
    T any_of(const std::vector<T>& all) {
        std::size_t a = pick(all.size()), b = pick(all.size());
        return all[std::max(a, b)];
    }
    void reseed(std::uint64_t seed) { random_->seed(seed); }

    // Arrays: [], [n], [m], [n, m], [k, n, m], and those of data-dependent extents.
    Long n, m, k;
    std::vector<Delayed<Int, 0>> scalars;
    std::vector<Group> groups;  ///< of n, of m, then others
    std::vector<Delayed<Int, 2>> matrices;
    std::vector<Delayed<Int, 3>> cubes;
    std::vector<Exp<Long>> indices;  ///< of the loops around: small, not negative

    std::vector<Delayed<Int, 1>>& vectors() { return groups[0].arrays; }
    std::vector<Delayed<Int, 1>>& rows() { return groups[1].arrays; }
    Delayed<Int, 0> scalar() { return any_of(scalars); }
    Delayed<Int, 1> vector() { return any_of(vectors()); }
    Delayed<Int, 1> row() { return any_of(rows()); }
    Delayed<Int, 2> matrix() { return any_of(matrices); }
    Delayed<Int, 3> cube() { return any_of(cubes); }
    std::size_t any_group() { return chance(60) ? 0 : pick(groups.size()); }

    /// Adds an array of an extent that no other has.
    void add_group(const Delayed<Int, 1>& array) { groups.push_back({-1, {array}}); }

    /// Adds f(next) for one shape of rank 1 to 3, where next() is any array of it.
    template <class F>
    void grow_any_shape(F f) {
        switch (pick(5)) {
            case 0:
                grow_list(matrices, f);
                break;
            case 1:
                grow_list(cubes, f);
                break;
            default:
                grow_any_line(f);
                break;
        }
    }
    /// The same of rank 1.
    template <class F>
    void grow_any_line(F f) {
        std::size_t group = any_group();
        auto made = f([&] { return any_of(groups[group].arrays); });
        groups[group].arrays.push_back(made);
    }

    // Where it is.
    int depth = 0;        ///< of bodies
    bool sliced = false;  ///< in a function of slices: extents depend on none
    int body_steps() { return between(1, depth == 0 ? 4 : 2); }
    /// Random operations.
    void grow(int steps);

  private:
    template <class T, class F>
    void grow_list(std::vector<T>& list, F f) {
        auto made = f([&] { return any_of(list); });
        list.push_back(made);
    }

    std::shared_ptr<std::mt19937_64> random_;
};

}  // namespace random_programs
