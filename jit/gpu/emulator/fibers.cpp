// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context of the operating system gives a fiber its stack; after that, fibers switch by longjmp, without system calls.
// They are kept: a fiber that has ended waits for the next body.
#include "jit/gpu/emulator/fibers.hpp"

#include <cstdint>
#include <utility>

namespace sinter::gpu {

/// Memory that is short is noticed before any body has begun: one that had would never end.
Fibers::Fibers(std::size_t count) : stacks_(count) {
    for (Stack& stack : stacks_) stack.memory.reset(new std::byte[stack_bytes]);
}

void Fibers::begin(Body body) {
    body_ = std::move(body);
    for (Stack& stack : stacks_) stack.ended = false;
}

bool Fibers::resume(std::size_t fiber) {
    current_ = fiber;
    Stack& stack = stacks_[fiber];
    if (_setjmp(caller_) == 0) {
        if (stack.entered) _longjmp(stack.place, 1);
        stack.entered = true;
        getcontext(&stack.first);
        stack.first.uc_stack.ss_sp = stack.memory.get();
        stack.first.uc_stack.ss_size = stack_bytes;
        stack.first.uc_link = nullptr;
        const auto self = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&stack.first, reinterpret_cast<void (*)()>(&Fibers::enter), 2, static_cast<unsigned>(self),
                    static_cast<unsigned>(self >> 32));
        setcontext(&stack.first);
    }
    return stacks_[current_].ended;
}

void Fibers::enter(unsigned low, unsigned high) {
    const auto self = static_cast<std::uintptr_t>(high) << 32 | low;
    reinterpret_cast<Fibers*>(self)->serve();
}

void Fibers::serve() {
    for (;;) {
        body_(current_);
        stacks_[current_].ended = true;
        pause();
    }
}

void Fibers::pause() {
    if (_setjmp(stacks_[current_].place) == 0) _longjmp(caller_, 1);
}

}  // namespace sinter::gpu
