// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card_events.hpp"

namespace sinter::gpu {

namespace {

using cuda::CardContext;

class CardMark final : public Mark {
  public:
    explicit CardMark(CardContext& context) : context_(context), generation_(context.generation()) {
        const CardContext::Current current(context_);
        context_.require(driver().create_event(&event_, 0), "cuEventCreate");
        context_.require(driver().record_event(event_, context_.stream()), "cuEventRecord");
    }
    ~CardMark() override {
        context_.clean_up(generation_, [&] { context_.note(driver().destroy_event(event_)); });
    }
    CardMark(const CardMark&) = delete;
    CardMark& operator=(const CardMark&) = delete;

    void wait() override {
        const CardContext::Current current(context_);
        context_.require(driver().synchronise_event(event_), "cuEventSynchronize");
    }

    double seconds_until(const CardMark& end) const {
        const CardContext::Current current(context_);
        float milliseconds = 0;
        context_.require(driver().elapsed_time(&milliseconds, event_, end.event_), "cuEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

  private:
    const cuda::Driver& driver() const { return context_.driver(); }

    CardContext& context_;
    std::uint64_t generation_;
    cuda::Event* event_ = nullptr;
};

class CardStopwatch final : public runtime::Stopwatch {
  public:
    explicit CardStopwatch(CardContext& context) : context_(context), begin_(context) {}
    double seconds() override {
        CardMark end(context_);
        end.wait();
        return begin_.seconds_until(end);
    }

  private:
    CardContext& context_;
    CardMark begin_;
};

}  // namespace

std::unique_ptr<Mark> mark_stream(CardContext& context) { return std::make_unique<CardMark>(context); }

std::unique_ptr<runtime::Stopwatch> start_stopwatch(CardContext& context) {
    return std::make_unique<CardStopwatch>(context);
}

}  // namespace sinter::gpu
