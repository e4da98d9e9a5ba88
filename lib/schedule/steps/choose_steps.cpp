// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile's price is that of its instructions, halos included, and of the bytes that it brings from memory and takes there;
// what it keeps for itself has to fit the second cache. Few depths and sizes are compared.
#include "schedule/steps/time_steps.hpp"
#include "schedule/tuning.hpp"

#include <fmt/format.h>

namespace sinter::schedule {

namespace {

class Chooser {
  public:
    Chooser(const Iteration& iteration, std::int64_t count, int threads)
        : iteration_(iteration), count_(count), threads_(threads) {
        for (std::size_t k = 0; k < iteration.states; ++k) states_ += bytes_of(k);
        byte_ =
            states_ * 2 < static_cast<double>(tuning::shared_cache_bytes) ? tuning::shared_cache_byte : tuning::memory_byte;
    }

    StepsChoice run() {
        for (const StepLaunch& launch : iteration_.launches) {
            choice_.plain_price += launch.work + tuning::part_launch;
            for (double bytes : launch.bytes_read) choice_.plain_bytes += bytes;
            for (std::size_t value : launch.writes) choice_.plain_bytes += written * bytes_of(value);
        }
        choice_.plain_price += byte_ * choice_.plain_bytes;
        choice_.price = tuning::worthwhile_tiles * choice_.plain_price;
        const std::int64_t most = std::min(count_, tuning::most_steps_together);
        for (std::int64_t rounds = std::max<std::int64_t>(1, (count_ + most - 1) / most); rounds <= count_; ++rounds) {
            const std::int64_t steps = (count_ + rounds - 1) / rounds;
            if (count_ / rounds < 2) break;
            if (rounds > 1 && steps == (count_ + rounds - 2) / (rounds - 1)) continue;
            find_rows(static_cast<std::size_t>(steps));
        }
        return choice_;
    }

  private:
    static constexpr double written = 2;  ///< a line is read before it is written

    double bytes_of(std::size_t value) const {
        return static_cast<double>(iteration_.values[value].elements * iteration_.values[value].bytes_each);
    }

    /// The most rows whose tiles fit, and so that threads have equally many.
    void find_rows(std::size_t steps) {
        const std::int64_t total = TimeSteps(iteration_, steps, INT64_MAX).rows();
        const double most = static_cast<double>(total) * static_cast<double>(tuning::tile_bytes) / states_;
        std::int64_t rows = std::min((total + threads_ - 1) / threads_, static_cast<std::int64_t>(most));
        for (; rows > 0; rows = rows * 4 / 5)
            if (fits(TimeSteps(iteration_, steps, rows))) break;
        if (rows == 0) return;
        const TimeSteps all(iteration_, steps, rows);
        const std::int64_t even = (all.tiles() + threads_ - 1) / threads_ * threads_;
        compare(TimeSteps(iteration_, steps, std::max<std::int64_t>(1, (total + even - 1) / even)));
    }

    bool fits(const TimeSteps& steps) const {
        const std::vector<TileOfSteps> middle{steps.tile(steps.tiles() / 2)};
        return memory_of(iteration_, steps, middle).bytes <= tuning::tile_bytes;
    }

    void compare(const TimeSteps& steps) {
        const TileOfSteps tile = steps.tile(steps.tiles() / 2);
        double price = 0, bytes = 0;
        for (const TileOfSteps::Part& part : tile.parts) {
            const StepLaunch& launch = iteration_.launches[part.launch];
            const double share = static_cast<double>(part.indices.length()) / static_cast<double>(launch.facts.extent);
            price += launch.work * share + tuning::part_launch;
            for (std::size_t k = 0; k < launch.reads.size(); ++k)
                if (!launch.reads[k]) price += byte_ * launch.bytes_read[k] * share, bytes += launch.bytes_read[k] * share;
        }
        double moved = 0;
        for (std::size_t k = 0; k < iteration_.states; ++k) {
            const auto each = static_cast<double>(iteration_.values[k].bytes_each);
            moved += static_cast<double>(tile.needed[0][k].length()) * each;
            moved += written * static_cast<double>(tile.results[k].length()) * each;
        }
        const double tiles = static_cast<double>(steps.tiles()), count = static_cast<double>(steps.steps());
        price = (price + byte_ * moved) * tiles / count;
        if (price >= choice_.price) return;
        choice_.steps = steps.steps(), choice_.rows = steps.rows();
        choice_.price = price, choice_.bytes = (bytes + moved) * tiles / count;
    }

    const Iteration& iteration_;
    const std::int64_t count_, threads_;
    double states_ = 0, byte_ = 0;
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

bool may_be_stepped(double bytes) { return bytes >= static_cast<double>(tuning::least_stepped_bytes); }

StepsChoice choose_steps(const Iteration& iteration, std::int64_t count, int threads, std::optional<std::int64_t> rows) {
    double bytes = 0;
    for (std::size_t k = 0; k < iteration.states; ++k)
        bytes += static_cast<double>(iteration.values[k].elements * iteration.values[k].bytes_each);
    if (count < 2 || !are_made(iteration, 2)) return {};
    if (rows) return {.steps = static_cast<std::size_t>(std::min(count, tuning::wanted_steps)), .rows = *rows};
    if (!may_be_stepped(bytes)) return {};
    return Chooser(iteration, count, threads).run();
}

std::string print(const StepsChoice& choice) {
    if (choice.steps < 2)
        return fmt::format("step by step: {:.3g}, {:.3g} MB", choice.plain_price, choice.plain_bytes / 1e6);
    return fmt::format("{} steps at once, tiles of {} rows: {:.3g} against {:.3g}, {:.3g} MB a step against {:.3g}",
                       choice.steps, choice.rows, choice.price, choice.plain_price, choice.bytes / 1e6,
                       choice.plain_bytes / 1e6);
}

}  // namespace sinter::schedule
