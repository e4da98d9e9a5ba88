// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A card's primary context, with the stream in which everything is done that is not in one of its branches.
#pragma once

#include "jit/gpu/cuda/driver.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace sinter::gpu::cuda {

/// Where the driver writes what is wrong with code.
struct ErrorLog {
    static constexpr unsigned count = 2;
    char text[4096] = {};
    int options[count] = {option_error_log, option_error_log_bytes};
    void* values[count] = {text, reinterpret_cast<void*>(sizeof text)};
};

/// A context. Thread-safe.
class CardContext {
  public:
    /// `number`: the card's in messages.
    CardContext(const Driver& driver, int number, DeviceId device) : driver_(driver), number_(number), device_(device) {
        open();
    }
    CardContext(const CardContext&) = delete;
    CardContext& operator=(const CardContext&) = delete;

    const Driver& driver() const { return driver_; }
    int number() const { return number_; }
    /// The stream in which this thread starts work: that of the context, after what is in its branches, unless it is
    /// diverted.
    Stream* stream();
    /// That of the context.
    Stream* own_stream() const { return stream_; }
    /// A stream in which nothing is done that takes time: memory that was allocated in it is there at once for all others.
    Stream* memory_stream() const { return memory_stream_; }

    /// Other streams, in which something may be done.
    class Branches {
      public:
        virtual ~Branches() = default;
        /// What the context's stream gets from now on comes after what was started in the others, and what they get comes
        /// after what it has now.
        virtual void join() = 0;
        virtual void forget() = 0;
    };
    void set_branches(Branches& branches) { branches_ = &branches; }

    /// While it lives, work that this thread starts goes to another stream.
    class Diverted {
      public:
        Diverted(const CardContext& card, Stream* stream);
        ~Diverted();
        static void to(Stream* stream);
        Diverted(const Diverted&) = delete;
        Diverted& operator=(const Diverted&) = delete;
    };

    /// As Driver::require(); a failure after which nothing can be used is remembered.
    void require(int error, const char* call, const std::string& kernel = {}, const std::string& log = {});
    void note(int error) noexcept {
        if (is_sticky(error)) lost_ = true;
    }
    bool lost() const { return lost_; }
    /// Makes a new context in place of a lost one. Throws DeviceError as long as others in the process hold on to that.
    void renew();
    /// Changes when the context does: what was loaded or allocated before is void.
    std::uint64_t generation() const { return generation_; }

    /// Notes that something was started in the stream.
    void started();
    /// Copies memory of another card's, where nothing writes it any more, in this context's stream.
    void copy_from(const CardContext& other, Address to, Address from, std::size_t bytes);
    /// What is started from now on comes after what was started in the other context before.
    void follow(CardContext& other);
    /// Waits until everything that was started is done. `name`: that of the kernel that failed, for the message.
    void wait(const std::string& name);

    /// Makes the context current while it lives.
    class Current {
      public:
        explicit Current(CardContext& card) : driver_(card.driver_) {
            card.require(driver_.push_context(card.context_), "cuCtxPushCurrent");
        }
        ~Current() {
            Context* popped = nullptr;
            driver_.pop_context(&popped);
        }
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

      private:
        const Driver& driver_;
    };

    /// For destructors: calls f with the context current, unless what was made in this generation has been lost together
    /// with its context. What cannot be done now is left to the end of the context.
    template <class F>
    void clean_up(std::uint64_t generation, F f) noexcept {
        if (generation != generation_ || lost_) return;
        if (const int error = driver_.push_context(context_)) return note(error);
        try {
            f();
        } catch (...) {
        }
        Context* popped = nullptr;
        driver_.pop_context(&popped);
    }

  private:
    void open();
    void close();

    const Driver& driver_;
    const int number_;
    const DeviceId device_;
    Context* context_ = nullptr;
    Stream *stream_ = nullptr, *memory_stream_ = nullptr;
    std::mutex following_;  ///< held while event_ is recorded and others wait for it
    Event* event_ = nullptr;
    Branches* branches_ = nullptr;
    std::mutex renewing_;
    std::atomic<bool> lost_{false};
    std::atomic<std::uint64_t> generation_{0};
    std::atomic<std::uint64_t> started_{0}, finished_{0};  ///< how much was started, and how much of it is known to be done
};

}  // namespace sinter::gpu::cuda
