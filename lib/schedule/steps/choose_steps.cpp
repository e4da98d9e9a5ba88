// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile's price is that of its instructions, halos included, and of the bytes that it brings from where the states are and
// takes there; what it keeps for itself has to fit a nearer cache. Few depths and sizes are compared.
#include "schedule/steps/time_steps.hpp"
#include "schedule/tuning.hpp"

#include <fmt/format.h>

namespace sinter::schedule {

namespace {

/// Where the states are from iteration to iteration, and what tiles may take of a nearer cache.
struct Level {
    double byte;              ///< the price of moving one from or to the states
    std::int64_t tile_bytes;  ///< of a tile's own arrays
    double worthwhile = tuning::worthwhile_tiles;
    double tile_byte = 0;  ///< the price of moving one within a tile
    double launch = tuning::part_launch;
    double written = 2;  ///< bytes that are moved for one that is written where nothing was read: a line is read first
    std::int64_t most_steps = tuning::most_steps_together;
};

/// `bytes`: of two generations of states.
Level level_of(double bytes, int threads, const Caches& caches) {
    if (bytes <= static_cast<double>(caches.second) * threads)
        return {.byte = tuning::second_cache_byte,
                .tile_bytes = caches.first,
                .worthwhile = tuning::worthwhile_near_tiles,
                .launch = tuning::near_part_launch,
                .most_steps = tuning::most_near_steps};
    if (bytes >= static_cast<double>(tuning::shared_cache_bytes))
        return {.byte = tuning::memory_byte, .tile_bytes = tuning::tile_bytes};
    if (caches.second < tuning::large_second_cache)
        return {.byte = tuning::shared_cache_byte, .tile_bytes = tuning::tile_bytes};
    return {.byte = tuning::far_cache_byte,
            .tile_bytes = caches.second,
            .worthwhile = tuning::worthwhile_near_tiles,
            .tile_byte = tuning::byte_in_tile,
            .launch = tuning::near_part_launch,
            .written = tuning::far_cache_written};
}

class Chooser {
  public:
    Chooser(const Iteration& iteration, std::int64_t count, int threads, const Caches& caches)
        : iteration_(iteration), count_(count), threads_(threads) {
        for (std::size_t k = 0; k < iteration.states; ++k) states_ += bytes_of(k);
        level_ = level_of(states_ * 2, threads, caches);
    }

    StepsChoice run() {
        price_plain();
        const std::int64_t most = std::min(count_, level_.most_steps);
        std::int64_t last = 0;
        for (std::int64_t wanted = most; wanted >= 2; wanted = wanted * 3 / 4) {
            const std::int64_t rounds = (count_ + wanted - 1) / wanted, steps = (count_ + rounds - 1) / rounds;
            if (steps != last && count_ / rounds >= 2) find_rows(static_cast<std::size_t>(last = steps));
        }
        return choice_;
    }

    /// The iteration alone, `bytes` of values in all. Its tiles belong in a large second cache, wherever the values are.
    StepsChoice run_once(double bytes, const Caches& caches) {
        level_ = level_of(bytes, static_cast<int>(threads_), caches);
        if (caches.second >= tuning::large_second_cache) {
            level_.tile_bytes = caches.second;
            level_.tile_byte = tuning::byte_in_tile;
            level_.launch = tuning::near_part_launch;
        }
        price_plain();
        find_rows(1);
        return choice_;
    }

    /// Tiles in a part of the second cache, or in a farther one.
    StepsChoice run_cascade(double bytes, const Caches& caches) {
        level_ = level_of(bytes, static_cast<int>(threads_), caches);
        level_.worthwhile = tuning::worthwhile_cascade;
        price_plain();
        level_.tile_byte = level_.tile_bytes > caches.second ? tuning::far_cache_byte : tuning::byte_in_tile;
        find_rows(1);
        level_.tile_bytes = caches.second / tuning::cascade_share;
        level_.tile_byte = tuning::byte_in_tile;
        level_.launch = tuning::near_part_launch;
        find_rows(1);
        return choice_;
    }

  private:
    void price_plain() {
        for (const StepLaunch& launch : iteration_.launches) {
            choice_.plain_price += launch.work + level_.launch;
            for (double bytes : launch.bytes_read) choice_.plain_bytes += bytes;
            for (std::size_t o = 0; o < launch.writes.size(); ++o) {
                const auto copied = launch.copied(o);
                const bool is_read = copied && launch.bytes_read[*copied] > 0;
                choice_.plain_bytes += (is_read ? 1 : level_.written) * bytes_of(launch.writes[o]);
            }
        }
        choice_.plain_price += level_.byte * choice_.plain_bytes;
        choice_.price = level_.worthwhile * choice_.plain_price;
    }

    double bytes_of(std::size_t value) const {
        return static_cast<double>(iteration_.values[value].elements * iteration_.values[value].bytes_each);
    }

    /// The most rows whose tiles fit, and so that threads have equally many.
    void find_rows(std::size_t steps) {
        const std::int64_t total = TimeSteps(iteration_, steps, INT64_MAX).rows();
        const double most = static_cast<double>(total) * static_cast<double>(level_.tile_bytes) / std::max(states_, 1.0);
        std::int64_t rows = std::min((total + threads_ - 1) / threads_, static_cast<std::int64_t>(most));
        for (; rows > 0; rows = rows * 4 / 5)
            if (fits(TimeSteps(iteration_, steps, rows))) break;
        if (rows == 0) return;
        const TimeSteps all(iteration_, steps, rows);
        const std::int64_t even = (all.tiles() + threads_ - 1) / threads_ * threads_;
        compare(TimeSteps(iteration_, steps, std::max<std::int64_t>(1, (total + even - 1) / even)));
    }

    /// A whole tile, with as many neighbours as possible.
    static TileOfSteps middle_of(const TimeSteps& steps) { return steps.tile((steps.tiles() - 1) / 2); }

    bool fits(const TimeSteps& steps) const {
        const std::vector<TileOfSteps> middle{middle_of(steps)};
        return memory_of(iteration_, steps, middle).bytes <= level_.tile_bytes;
    }

    void compare(const TimeSteps& steps) {
        const TileOfSteps tile = middle_of(steps);
        double price = 0, bytes = 0;
        for (const TileOfSteps::Part& part : tile.parts) {
            const StepLaunch& launch = iteration_.launches[part.launch];
            const double share = static_cast<double>(part.indices.length()) / static_cast<double>(launch.facts.extent);
            price += launch.work * share + launch.work_of_part + level_.launch;
            for (std::size_t k = 0; k < launch.reads.size(); ++k) {
                const double read = launch.bytes_read[k] * share;
                price += (launch.reads[k] ? level_.tile_byte : level_.byte) * read;
                if (!launch.reads[k]) bytes += read;
            }
            for (std::size_t value : launch.writes) price += level_.tile_byte * 2 * bytes_of(value) * share;
        }
        double moved = 0;
        for (std::size_t k = 0; k < iteration_.states; ++k) {
            const auto each = static_cast<double>(iteration_.values[k].bytes_each);
            moved += static_cast<double>(tile.needed[0][k].length()) * each;
            moved += level_.written * static_cast<double>(tile.results[k].length()) * each;
        }
        const double tiles = static_cast<double>(steps.tiles()), count = static_cast<double>(steps.steps());
        price = (price + level_.byte * moved) * tiles / count;
        if (price >= choice_.price) return;
        choice_.steps = steps.steps(), choice_.rows = steps.rows();
        choice_.price = price, choice_.bytes = (bytes + moved) * tiles / count;
    }

    const Iteration& iteration_;
    const std::int64_t count_, threads_;
    double states_ = 0;
    Level level_{};
    StepsChoice choice_;
};

/// Whether every state is, after so many steps, what an iteration has made, or was never changed.
bool are_made(const Iteration& iteration, std::size_t steps) {
    const TimeSteps plan(iteration, steps, 1);
    std::vector<Made> seen;
    for (std::size_t k = 0; k < iteration.states; ++k) {
        if (plan.is_constant(k)) continue;
        if (plan.result(k).step == 0 || std::find(seen.begin(), seen.end(), plan.result(k)) != seen.end()) return false;
        seen.push_back(plan.result(k));
    }
    return !seen.empty();
}

}  // namespace

bool may_be_stepped(double bytes, std::int64_t count, const Caches& caches) {
    const bool is_long = bytes >= static_cast<double>(tuning::least_stepped_bytes) ||
                         bytes * static_cast<double>(count) >= static_cast<double>(tuning::least_stepped_traffic);
    return is_long && bytes * 2 > static_cast<double>(caches.first);
}

StepsChoice choose_steps(const Iteration& iteration, std::int64_t count, int threads, const Caches& caches,
                         std::optional<std::int64_t> rows) {
    double bytes = 0;
    for (std::size_t k = 0; k < iteration.states; ++k)
        bytes += static_cast<double>(iteration.values[k].elements * iteration.values[k].bytes_each);
    if (count < 2 || !are_made(iteration, 2)) return {};
    if (rows) return {.steps = static_cast<std::size_t>(std::min(count, tuning::wanted_steps)), .rows = *rows};
    if (!may_be_stepped(bytes, count, caches)) return {};
    return Chooser(iteration, count, threads, caches).run();
}

namespace {

double bytes_of_values(const Iteration& iteration) {
    double bytes = 0;
    for (const Iteration::Value& value : iteration.values) bytes += static_cast<double>(value.elements * value.bytes_each);
    return bytes;
}

}  // namespace

StepsChoice choose_rows(const Iteration& iteration, int threads, const Caches& caches, std::optional<std::int64_t> rows) {
    const double bytes = bytes_of_values(iteration);
    if (!are_made(iteration, 1)) return {};
    if (rows) return {.steps = 1, .rows = *rows};
    if (bytes <= static_cast<double>(caches.second) * threads) return {};
    return Chooser(iteration, 1, threads, caches).run_once(bytes, caches);
}

StepsChoice choose_rows_of_cascade(const Iteration& iteration, int threads, const Caches& caches,
                                   std::optional<std::int64_t> rows) {
    if (!are_made(iteration, 1)) return {};
    if (rows) return {.steps = 1, .rows = *rows};
    return Chooser(iteration, 1, threads, caches).run_cascade(bytes_of_values(iteration), caches);
}

std::string print(const StepsChoice& choice) {
    if (choice.steps < 2 && choice.rows > 0)
        return fmt::format("tiles of {} rows: {:.3g} against {:.3g}, {:.3g} MB against {:.3g}", choice.rows, choice.price,
                           choice.plain_price, choice.bytes / 1e6, choice.plain_bytes / 1e6);
    if (choice.steps < 2)
        return fmt::format("step by step: {:.3g}, {:.3g} MB", choice.plain_price, choice.plain_bytes / 1e6);
    return fmt::format("{} steps at once, tiles of {} rows: {:.3g} against {:.3g}, {:.3g} MB a step against {:.3g}",
                       choice.steps, choice.rows, choice.price, choice.plain_price, choice.bytes / 1e6,
                       choice.plain_bytes / 1e6);
}

}  // namespace sinter::schedule
