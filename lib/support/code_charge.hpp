// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts the memory of compiled programs: plans, kernels and machine code.
#pragma once

#include <cstddef>
#include <utility>

namespace sinter {

/// The memory of the parts, in bytes. Measured by the growth of a process that runs tens of thousands of different programs,
/// each with a map and a fold of some ten operations: 27 KB each, for which these numbers give 37.
namespace code_bytes {
constexpr std::size_t plan = 8000, binding = 2500, instruction = 500;         ///< for programs
constexpr std::size_t kernel = 6000, kernel_instruction = 250, image = 4096;  ///< for what is compiled, without its machine
                                                                              ///< code
}  // namespace code_bytes

/// Charges approximately the bytes that a part of a compiled program takes, for as long as this object lives.
class CodeCharge {
  public:
    CodeCharge() = default;
    explicit CodeCharge(std::size_t bytes);
    CodeCharge(CodeCharge&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
    CodeCharge& operator=(CodeCharge&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~CodeCharge();

    /// The sum of all charges that live.
    static std::size_t total();

  private:
    std::size_t bytes_ = 0;
};

/// The bytes that compiled programs may take together before those that have not been used for longest are dropped:
/// SINTER_CODE_LIMIT, else 256 MiB.
std::size_t code_limit();

}  // namespace sinter
