// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/schedule/*.txt: what it shows, "# vectors: 256" (bits, of an x86 machine), "# arguments: 1000 7; 3 9" (sizes
/// of calls, on two threads), a kernel, "# expect", how each call runs. No code is generated and no clock is read.
/// SINTER_BLESS=1 writes what came out into the files; read the difference before committing it.
#include "ir/size_arithmetic.hpp"
#include "lower/flatten.hpp"
#include "lower/parse.hpp"
#include "schedule/decision.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinter;

namespace {

/// What stands between "# name:" and the end of its line.
std::string field(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("# " + name + ":");
    REQUIRE(at != std::string::npos);
    const std::size_t begin = at + name.size() + 3;
    return text.substr(begin, text.find('\n', begin) - begin);
}

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

std::string outcome(const std::string& text) {
    const std::size_t arguments_at = text.find("# arguments:"), begin = text.find('\n', arguments_at) + 1;
    const lower::Kernel kernel = lower::parse(text.substr(begin, text.find("# expect\n") - begin));
    const schedule::Machine machine = machine_with(std::stoi(field(text, "vectors")));
    std::istringstream calls(field(text, "arguments"));
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

TEST_CASE("golden schedules", "[schedule]") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator("tests/golden/schedule")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE(files.size() >= 8);
    for (const auto& path : files) {
        std::ostringstream stream;
        stream << std::ifstream(path).rdbuf();
        const std::string text = stream.str(), heading = text.substr(0, text.find("# expect\n") + 9);
        INFO(path.string());
        REQUIRE(heading.size() > 9);
        const std::string result = outcome(text);
        if (std::getenv("SINTER_BLESS"))
            std::ofstream(path) << heading << result;
        else
            CHECK(result == text.substr(heading.size()));
    }
}
