// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/schedule/*.txt: what it shows, "# vectors: 256" (bits, of an x86 machine), "# arguments: 1000 7; 3 9" (sizes
/// of calls, on two threads), a kernel, "# expect", how each call runs. No code is generated and no clock is read.
#include "ir/size_arithmetic.hpp"
#include "lower/flatten.hpp"
#include "lower/parse.hpp"
#include "schedule/decision.hpp"
#include "tests/golden_files.hpp"

#include <sstream>

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

std::vector<std::int64_t> sizes_of(const ir::SizeTable& table, const std::vector<std::int64_t>& arguments) {
    using Kind = ir::Size::Kind;
    std::vector<std::int64_t> v;
    for (std::size_t k = 0; k < table.count(); ++k) {
        const ir::Size& s = table[ir::SizeId(k)];
        if (s.kind == Kind::argument)
            v.push_back(arguments.at(static_cast<std::size_t>(s.index)));
        else if (s.kind == Kind::constant)
            v.push_back(s.index);
        else
            v.push_back(ir::apply(s.kind, v[s.left.index], v[s.right.index]));
    }
    return v;
}

/// As the host decides, flat form included.
std::string decide(const lower::Kernel& kernel, const schedule::Machine& machine, const std::vector<std::int64_t>& sizes) {
    const auto candidates = schedule::candidates_of(kernel, machine);
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

std::string outcome(const std::string& heading) {
    const lower::Kernel kernel = lower::parse(test::without_comments(heading));
    const schedule::Machine machine = machine_with(std::stoi(test::field(heading, "vectors")));
    std::istringstream calls(test::field(heading, "arguments"));
    std::string result;
    for (std::string call; std::getline(calls, call, ';');) {
        std::istringstream numbers(call);
        std::vector<std::int64_t> arguments;
        for (std::int64_t n; numbers >> n;) arguments.push_back(n);
        result +=
            call.substr(call.find_first_not_of(' ')) + "\n" + decide(kernel, machine, sizes_of(kernel.sizes, arguments));
    }
    return result;
}

}  // namespace

TEST_CASE("golden schedules", "[schedule]") { test::check_golden("tests/golden/schedule", 8, outcome); }
