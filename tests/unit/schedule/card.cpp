// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/schedule_card/*.txt: how a card runs kernels. "# blocks: 2112": those that keep it busy, 16 for each of its
/// multiprocessors.
#include "calls.hpp"

#include "lower/text/parse.hpp"
#include "schedule/card/decision.hpp"
#include "schedule/card/tuning.hpp"

#include <map>
#include <set>

using namespace sinter;
namespace card = schedule::card;

namespace {

/// The sum of one of many arrays, with an operator of which one block per chunk leaves a result.
lower::Kernel sum_beside(std::size_t unused) {
    std::string text = "kernel fold\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : f32[s0] in\n";
    for (std::size_t k = 0; k < unused; ++k) text += "buffer " + std::to_string(k + 1) + " : f32[s0] in\n";
    const std::string out = std::to_string(unused + 1);
    return lower::parse(
        text + "buffer " + out + " : f32[s1] out\nspace\n{->\n  x0 = size #0;\n  x1: f32 = constant 0;\n" +
        "  x2: f32 = reduce #257 x0 x1 {x2: i64 -> x3: f32 = load #0 x2; x3} {x2: f32, x3: f32 -> x4 = add x2 " +
        "x3; x4};\n  x3: i64 = constant 0;\n  store #" + out + " x3 x2;\n}\n");
}

card::Decision decision_for(const lower::Kernel& kernel, const card::Candidates& candidates, std::int64_t elements) {
    const std::vector<std::int64_t> sizes{elements, 1};
    return card::decide(kernel, candidates, sizes.data(), {2112});
}

/// A card's code is found by the kernel and the number of its way, whatever the extents and the card are: all that a way
/// says of itself has to be the same then.
class Codes {
  public:
    void check(const lower::Kernel& kernel, const card::Candidates& candidates, const card::Decision& decision) {
        const std::string summary = card::summary(candidates, decision), way = summary.substr(0, summary.find(": "));
        const std::size_t number = card::code_number(decision.way);
        auto& ways = ways_[lower::print(kernel)];
        CHECK(ways.try_emplace(number, way).first->second == way);
        for (const auto& [other, text] : ways) CHECK((other == number || text != way));
        numbers_.insert(number);
    }
    const std::set<std::size_t>& numbers() const { return numbers_; }

  private:
    std::map<std::string, std::map<std::size_t, std::string>> ways_;
    std::set<std::size_t> numbers_;
};

}  // namespace

TEST_CASE("code for a card is found by its way", "[schedule]") {
    Codes codes;
    test::check_golden("tests/golden/schedule_card", 7, [&](const std::string& heading) {
        const std::int64_t blocks = std::stoll(test::field(heading, "blocks"));
        return test::outcome(heading, [&](const lower::Kernel& kernel, const std::vector<std::int64_t>& sizes) {
            const card::Candidates candidates = card::candidates_of(kernel);
            for (const bool tensor_cores : {false, true})
                for (const std::int64_t factor : {1, 3, 50}) {
                    std::vector<std::int64_t> more = sizes;
                    for (std::int64_t& size : more) size *= factor;
                    codes.check(kernel, candidates, card::decide(kernel, candidates, more.data(), {blocks, tensor_cores}));
                }
            return card::print(candidates, card::decide(kernel, candidates, sizes.data(), {blocks}));
        });
    });
    CHECK(codes.numbers().count(card::way_count) == 1);  // narrow tiles
    CHECK(*codes.numbers().rbegin() < card::code_count);
}

TEST_CASE("golden schedules of a card", "[schedule]") {
    test::check_golden("tests/golden/schedule_card", 7, [](const std::string& heading) {
        const std::int64_t blocks = std::stoll(test::field(heading, "blocks"));
        return test::outcome(heading, [&](const lower::Kernel& kernel, const std::vector<std::int64_t>& sizes) {
            const card::Candidates candidates = card::candidates_of(kernel);
            return card::print(candidates, card::decide(kernel, candidates, sizes.data(), {blocks}));
        });
    });
}

TEST_CASE("states count as parameters", "[schedule]") {
    constexpr std::size_t sizes = 2, buffers = card::tuning::most_parameters - card::tuning::own_parameters - sizes;
    const lower::Kernel most = sum_beside(buffers - 2);
    const card::Candidates candidates = card::candidates_of(most);
    CHECK(std::holds_alternative<card::Blocks>(decision_for(most, candidates, 5000).way));
    const card::Decision in_chunks = decision_for(most, candidates, 1000000);
    CHECK(in_chunks.reason == card::Reason::parameters);
    CHECK(std::holds_alternative<card::OnHost>(in_chunks.way));
    CHECK(card::summary(candidates, in_chunks) == "on the host: 507 arrays and sizes");
    CHECK(in_chunks.launch.stages.empty());

    const lower::Kernel fewer = sum_beside(buffers - 3);
    CHECK(std::holds_alternative<card::ReduceChunks>(decision_for(fewer, card::candidates_of(fewer), 1000000).way));
    const lower::Kernel more = sum_beside(buffers - 1);
    CHECK(std::holds_alternative<card::OnHost>(decision_for(more, card::candidates_of(more), 5000).way));
}
