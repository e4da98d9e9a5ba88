// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/schedule/*.txt: how the host runs kernels, on two threads. "# vectors: 256": bits, of an x86 machine.
#include "calls.hpp"

#include "lower/index/flatten.hpp"
#include "schedule/decision.hpp"

#include <set>

using namespace sinter;

namespace {

schedule::Machine machine_with(int bits) {
    schedule::Machine m;
    m.vector_bits = bits;
    m.x86 = true;
    m.mask_registers = m.masked_narrow = bits == 512;
    m.masked_memory = bits >= 256;
    m.nontemporal = true;
    m.registers = bits == 512 ? 32 : 16;
    return m;
}

/// Code on disk is found by the description of its way.
void check_descriptions(const schedule::Candidates& candidates) {
    std::set<std::string> descriptions;
    for (const schedule::Way& way : candidates.ways) CHECK(descriptions.insert(schedule::describe(way)).second);
}

/// As the host decides, flat form included.
std::string decide(const lower::Kernel& kernel, const schedule::Machine& machine, const std::vector<std::int64_t>& sizes) {
    const auto candidates = schedule::candidates_of(kernel, machine);
    check_descriptions(candidates);
    if (schedule::may_gain_flat(kernel, candidates, sizes.data())) {
        const lower::Kernel flat = lower::flatten(kernel);
        const auto of_flat = schedule::candidates_of(flat, machine);
        const auto prices = schedule::compare_flat(kernel, candidates, flat, of_flat, sizes.data());
        const bool pays = prices.pays();
        const auto own = pays ? schedule::flat_sizes(kernel, flat, sizes.data()) : sizes;
        auto decision = schedule::decide(pays ? flat : kernel, pays ? of_flat : candidates, own.data(), 2);
        decision.flat = prices;
        return schedule::print(pays ? of_flat : candidates, decision);
    }
    return schedule::print(candidates, schedule::decide(kernel, candidates, sizes.data(), 2));
}

}  // namespace

TEST_CASE("golden schedules", "[schedule]") {
    test::check_golden("tests/golden/schedule", 8, [](const std::string& heading) {
        const schedule::Machine machine = machine_with(std::stoi(test::field(heading, "vectors")));
        return test::outcome(heading, [&](const lower::Kernel& kernel, const std::vector<std::int64_t>& sizes) {
            return decide(kernel, machine, sizes);
        });
    });
}
