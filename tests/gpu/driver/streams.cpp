// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams.hpp"

#include "memory.hpp"
#include "settings.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace driver {

namespace {

constexpr std::size_t most_tasks = 200;

bool is_on_card(std::uint64_t address) {
    const Allocation* allocation = Memory::get().find(address, 1);
    return allocation && !allocation->pinned;
}

void check_on_card(std::uint64_t address, std::size_t bytes, const char* what) {
    if (!Memory::get().find(address, bytes)) violation(std::string(what) + " beyond memory of the card");
}

}  // namespace

void Stream::start(Task task) {
    if (is_capturing_) return captured_.push_back(std::move(task));
    tasks_.push_back(std::move(task));
    ++started_;
    if (tasks_.size() > most_tasks || chance().one_in(16)) finish_until(done_ + 1 + chance().below(4));
}

void Stream::finish_until(std::uint64_t time) {
    while (done_ < time && !tasks_.empty()) {
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        ++done_;
        task();
    }
}

void Stream::abandon() {
    tasks_.clear();
    done_ = started_;
}

Graph Stream::end_capture() {
    is_capturing_ = false;
    return std::exchange(captured_, {});
}

Task copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    const bool from_card = is_on_card(from), to_card = is_on_card(to);
    auto now = std::make_shared<std::vector<unsigned char>>(from_card ? 0 : bytes);
    if (!from_card) std::memcpy(now->data(), reinterpret_cast<const void*>(from), bytes);
    return [=] {
        if (to_card) check_on_card(to, bytes, "a copy");
        if (from_card)
            return check_on_card(from, bytes, "a copy"),
                   void(std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes));
        std::vector<unsigned char> then(bytes);
        if (!read_safely(then.data(), from, bytes) || then != *now)
            violation("what is to be copied to the card has changed, or gone, before it was");
        std::memcpy(reinterpret_cast<void*>(to), then.data(), bytes);
    };
}

Task fill(std::uint64_t to, unsigned char value, std::size_t bytes) {
    return [=] {
        check_on_card(to, bytes, "cuMemsetD8Async");
        std::memset(reinterpret_cast<void*>(to), value, bytes);
    };
}

}  // namespace driver
