// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/foreign.hpp"

#include "support/check.hpp"
#include "support/float_environment.hpp"
#include "support/process.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace sinter {

namespace {

/// A deque does not move what it holds. Never destroyed: compiled functions may outlive main.
struct Registry {
    ForkMutex mutex;
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

namespace {

const ForeignFunction& function_of(std::size_t number) {
    std::lock_guard lock(registry().mutex);
    check(number < registry().functions.size(), "a foreign function is registered before it is called");
    return registry().functions[number];
}

}  // namespace

std::vector<ForeignArray> call_foreign(std::size_t number, std::span<const ForeignArray> arguments) {
    const FloatEnvironment ours;
    return function_of(number)(arguments);
}

}  // namespace sinter
