// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers on one thread, beside C++26's std::philox4x32 with the distributions of the standard library: nanoseconds
// of processor time per number of arrays of 65,536, the median of so many samples. bench/random_numbers.py runs it beside
// NumPy.
//
//   SINTER_THREADS=1 sinter_random [samples]
#include <sinter/random.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace sinter;

namespace {

constexpr std::int64_t n = 65536;

#ifdef __cpp_lib_philox_engine
using Philox = std::philox4x32;
#else
/// std::philox4x32, [rand.eng.philox], where the standard library has none yet.
class Philox {
  public:
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    explicit Philox(std::uint32_t seed) : key_{seed, 0} {}
    result_type operator()() {
        if (next_ == 4) {
            next_ = 0;
            words_ = block();
            for (std::uint32_t& word : counter_)
                if (++word != 0) break;
        }
        return words_[next_++];
    }

  private:
    using Block = std::array<std::uint32_t, 4>;
    Block block() const {
        Block x = counter_;
        std::array<std::uint32_t, 2> key = key_;
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0], b = std::uint64_t{0xCD9E8D57} * x[2];
            x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
                 static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
            key[0] += 0x9E3779B9, key[1] += 0xBB67AE85;
        }
        return x;
    }
    std::array<std::uint32_t, 2> key_;
    Block counter_{}, words_{};
    std::size_t next_ = 4;
};
#endif

double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Row {
    std::string name;
    std::function<void()> sinter, standard;
};

template <class T, class Distribution>
Row row(const char* name, std::function<void()> call, Distribution distribution) {
    return {name, std::move(call), [distribution, engine = Philox(1), to = std::vector<T>(n)]() mutable {
                for (T& x : to) x = static_cast<T>(distribution(engine));
            }};
}

template <class F>
std::function<void()> compiled(F f) {
    return [f = compile(f)] { f(0); };
}

/// Samples of both take turns.
void print(const Row& row, int samples) {
    std::array<std::vector<double>, 2> times;
    for (int sample = -1; sample < samples; ++sample)
        for (const std::size_t who : {std::size_t{0}, std::size_t{1}}) {
            const double start = processor_time();
            for (int repeat = 0; repeat < 8; ++repeat) (who == 0 ? row.sinter : row.standard)();
            if (sample >= 0) times[who].push_back((processor_time() - start) / (8. * n));
        }
    for (std::vector<double>& each : times) std::nth_element(each.begin(), each.begin() + samples / 2, each.end());
    std::printf("%s %.3f %.3f\n", row.name.c_str(), times[0][static_cast<std::size_t>(samples / 2)],
                times[1][static_cast<std::size_t>(samples / 2)]);
}

}  // namespace

int main(int argc, char** argv) {
    const int samples = argc > 1 ? std::atoi(argv[1]) : 7;
    using Any = Exp<std::int64_t>;
    const auto k = key(1);
    const Row rows[] = {
        row<std::uint32_t>("bits", compiled([=](Any) { return random::bits<std::uint32_t>(k, shape(n)); }),
                           [](Philox& engine) { return engine(); }),
        row<float>("uniform<float>", compiled([=](Any) { return uniform<float>(k, shape(n)); }),
                   std::uniform_real_distribution<float>()),
        row<double>("uniform<double>", compiled([=](Any) { return uniform<double>(k, shape(n)); }),
                    std::uniform_real_distribution<double>()),
        row<float>("normal<float>", compiled([=](Any) { return normal<float>(k, shape(n)); }),
                   std::normal_distribution<float>()),
        row<double>("normal<double>", compiled([=](Any) { return normal<double>(k, shape(n)); }),
                    std::normal_distribution<double>()),
    };
    for (const Row& each : rows) print(each, samples);
}
