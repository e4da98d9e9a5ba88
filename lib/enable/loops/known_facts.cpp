// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/known_facts.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// low <= high, as programs say it.
Guard guard_of(SizeTable& sizes, const AtMost& fact) {
    Guard guard;
    guard.left = sizes.maximum(fact.low, fact.high), guard.right = fact.high;
    guard.message = "extents of this call";
    return guard;
}

}  // namespace

bool is_known(Program& program, const AtMost& fact) {
    const std::vector<Guard>& guards = program.body.guards;
    if (guards.empty()) return false;
    return std::find(guards.begin(), guards.end(), guard_of(program.sizes, fact)) != guards.end();
}

void add_known(Program& program, const AtMost& fact) {
    if (!is_known(program, fact)) program.body.guards.push_back(guard_of(program.sizes, fact));
}

}  // namespace sinter::enable
