// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/schedule_card/*.txt: how a card runs kernels. "# blocks: 2112": those that keep it busy, 16 for each of its
/// multiprocessors.
#include "calls.hpp"

#include "schedule/card/decision.hpp"

using namespace sinter;
namespace card = schedule::card;

TEST_CASE("golden schedules of a card", "[schedule]") {
    test::check_golden("tests/golden/schedule_card", 8, [](const std::string& heading) {
        const std::int64_t blocks = std::stoll(test::field(heading, "blocks"));
        return test::outcome(heading, [&](const lower::Kernel& kernel, const std::vector<std::int64_t>& sizes) {
            const card::Candidates candidates = card::candidates_of(kernel);
            return card::print(candidates, card::decide(kernel, candidates, sizes.data(), {blocks}));
        });
    });
}
