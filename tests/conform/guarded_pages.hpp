// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory between pages that cannot be read: a load beyond an array at its end, or before one at its beginning, ends the
// process.
#pragma once

#include <catch2/catch.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>

namespace conform {

class GuardedPages {
  public:
    explicit GuardedPages(std::size_t bytes)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          bytes_((bytes + page_ - 1) / page_ * page_ + 2 * page_),
          begin_(
              static_cast<std::byte*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        REQUIRE(begin_ != MAP_FAILED);
        REQUIRE(mprotect(begin_, page_, PROT_NONE) == 0);
        REQUIRE(mprotect(begin_ + bytes_ - page_, page_, PROT_NONE) == 0);
    }
    GuardedPages(const GuardedPages&) = delete;
    GuardedPages& operator=(const GuardedPages&) = delete;
    ~GuardedPages() { munmap(begin_, bytes_); }

    /// The first n elements that can be read.
    template <class T>
    std::span<T> first(std::size_t n) const {
        return {reinterpret_cast<T*>(begin_ + page_), n};
    }
    /// The last n elements that can be read.
    template <class T>
    std::span<T> last(std::size_t n) const {
        return {reinterpret_cast<T*>(begin_ + bytes_ - page_) - n, n};
    }

  private:
    const std::size_t page_, bytes_;
    std::byte* const begin_;
};

}  // namespace conform
