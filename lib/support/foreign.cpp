// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/foreign.hpp"

#include "support/check.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace sinter {

namespace {

/// A deque does not move what it holds. Never destroyed: compiled functions may outlive main.
struct Registry {
    std::mutex mutex;
    std::deque<ForeignFunction> functions;
};

Registry& registry() {
    static auto* shared = new Registry;
    return *shared;
}

}  // namespace

std::size_t register_foreign(ForeignFunction function) {
    std::lock_guard lock(registry().mutex);
    registry().functions.push_back(std::move(function));
    return registry().functions.size() - 1;
}

const ForeignFunction& foreign_function(std::size_t number) {
    std::lock_guard lock(registry().mutex);
    check(number < registry().functions.size(), "a foreign function is registered before it is called");
    return registry().functions[number];
}

}  // namespace sinter
