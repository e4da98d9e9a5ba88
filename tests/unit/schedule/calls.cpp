// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calls.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "lower/text/parse.hpp"

#include <sstream>

using namespace sinter;

namespace {

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

}  // namespace

std::string test::outcome(const std::string& heading, const Decide& decide) {
    const lower::Kernel kernel = lower::parse(without_comments(heading));
    std::istringstream calls(field(heading, "arguments"));
    std::string result;
    for (std::string call; std::getline(calls, call, ';');) {
        std::istringstream numbers(call);
        std::vector<std::int64_t> arguments;
        for (std::int64_t n; numbers >> n;) arguments.push_back(n);
        result += call.substr(call.find_first_not_of(' ')) + "\n" + decide(kernel, sizes_of(kernel.sizes, arguments));
    }
    return result;
}
