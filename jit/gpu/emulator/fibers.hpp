// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that wait for each other on one thread of the host, each with a stack of its own.
#pragma once

#include <ucontext.h>
#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace sinter::gpu {

class Fibers {
  public:
    static constexpr std::size_t stack_bytes = 256u << 10;

    explicit Fibers(std::size_t count);
    std::size_t count() const { return stacks_.size(); }
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    using Body = std::function<void(std::size_t fiber)>;
    /// Begins `body` in every fiber. Earlier bodies have to have ended.
    void begin(Body body);
    /// Continues a fiber until it pauses or ends. Returns true if it has ended.
    bool resume(std::size_t fiber);
    /// Called by a fiber: returns control to whoever resumed it.
    void pause();

  private:
    struct Stack {
        ucontext_t first;    ///< entered once; from then on by longjmp
        std::jmp_buf place;  ///< where the fiber continues
        bool entered = false;
        bool ended = true;
        std::unique_ptr<std::byte[]> memory;
    };
    static void enter(unsigned low, unsigned high);
    [[noreturn]] void serve();

    std::vector<Stack> stacks_;
    Body body_;
    std::size_t current_ = 0;
    std::jmp_buf caller_;
};

}  // namespace sinter::gpu
