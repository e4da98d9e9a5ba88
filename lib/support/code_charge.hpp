// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much memory compiled programs take: plans, kernels and machine code.
#pragma once

#include <cstddef>
#include <utility>

namespace sinter {

/// What parts take, in bytes. Measured by the growth of a process that runs tens of thousands of different programs of a map
/// and a fold with some ten operations: 27 KB each, for which these make 37.
namespace code_bytes {
constexpr std::size_t plan = 8000, binding = 2500, instruction = 500;         ///< of programs
constexpr std::size_t kernel = 6000, kernel_instruction = 250, image = 4096;  ///< of what is compiled, machine code apart
}  // namespace code_bytes

/// Bytes that something of a compiled program takes, for as long as this lives; about.
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

    /// Of all that live.
    static std::size_t total();

  private:
    std::size_t bytes_ = 0;
};

/// What they may take together before those that were not used for longest are dropped: SINTER_CODE_LIMIT, else 256 MiB.
std::size_t code_limit();

}  // namespace sinter
