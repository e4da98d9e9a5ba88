// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/code_charge.hpp"

#include "support/text/byte_count.hpp"

#include <atomic>

namespace sinter {

namespace {

constexpr std::size_t default_limit = std::size_t{256} << 20;
constinit std::atomic<std::size_t> charged{0};

}  // namespace

CodeCharge::CodeCharge(std::size_t bytes) : bytes_(bytes) { charged.fetch_add(bytes_, std::memory_order_relaxed); }

CodeCharge::~CodeCharge() { charged.fetch_sub(bytes_, std::memory_order_relaxed); }

std::size_t CodeCharge::total() { return charged.load(std::memory_order_relaxed); }

std::size_t code_limit() {
    static const std::size_t limit = byte_count_setting("SINTER_CODE_LIMIT").value_or(default_limit);
    return limit;
}

}  // namespace sinter
