// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs are captured instead of being built node by node: then only one place describes what is launched, and no layouts of
// the driver's node parameters have to be declared. The capture has a stream of its own, because the stream of the context
// receives what other threads start in the meantime.
#include "jit/gpu/cuda/card_graph.hpp"

#include <utility>
#include <vector>

namespace sinter::gpu {

namespace {

using cuda::CardContext;

class CardGraph final : public Recording {
  public:
    CardGraph(CardContext& context, cuda::GraphExec* exec)
        : context_(context), generation_(context.generation()), exec_(exec) {}
    ~CardGraph() override {
        context_.clean_up(generation_, [&] {
            context_.note(context_.driver().destroy_graph_exec(exec_));
        });  // after the launches of it that have been started
    }
    CardGraph(const CardGraph&) = delete;
    CardGraph& operator=(const CardGraph&) = delete;

    void start() override {
        const CardContext::Current current(context_);
        context_.require(context_.driver().launch_graph(exec_, context_.stream()), "cuGraphLaunch");
        context_.started();
    }

  private:
    CardContext& context_;
    std::uint64_t generation_;
    cuda::GraphExec* exec_;
};

/// A stream that captures, those that join it, and the events between them. The context has to be current.
class Capture final : public Streams {
  public:
    Capture(CardContext& context, std::size_t streams, std::size_t events) : context_(context), driver_(context.driver()) {
        try {
            for (std::size_t k = 0; k < streams; ++k)
                context.require(driver_.create_stream(&streams_.emplace_back(), cuda::stream_non_blocking),
                                "cuStreamCreate");
            for (std::size_t k = 0; k < events; ++k)
                context.require(driver_.create_event(&events_.emplace_back(), cuda::event_without_time), "cuEventCreate");
        } catch (...) {
            destroy();
            throw;
        }
        capturing_ = driver_.begin_capture(streams_[0], cuda::capture_of_thread) == cuda::success;
    }
    ~Capture() override {
        finish();
        destroy();
        if (graph_) driver_.destroy_graph(graph_);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    void enter(std::size_t stream) override { CardContext::Diverted::to(streams_[stream]); }
    void mark(std::size_t event) override {
        context_.require(driver_.record_event(events_[event], context_.stream()), "cuEventRecord");
    }
    void wait(std::size_t event) override {
        context_.require(driver_.wait_for_event(context_.stream(), events_[event], 0), "cuStreamWaitEvent");
    }

    cuda::Stream* stream() const { return streams_[0]; }
    bool capturing() const { return capturing_; }
    /// Null if something was started that a graph cannot contain.
    cuda::Graph* finish() {
        if (std::exchange(capturing_, false) && driver_.end_capture(streams_[0], &graph_) != cuda::success) graph_ = nullptr;
        return graph_;
    }

  private:
    /// The last of either may be one that could not be created.
    void destroy() {
        for (cuda::Event* event : events_)
            if (event) driver_.destroy_event(event);
        for (cuda::Stream* stream : streams_)
            if (stream) driver_.destroy_stream(stream);
    }

    CardContext& context_;
    const cuda::Driver& driver_;
    std::vector<cuda::Stream*> streams_;
    std::vector<cuda::Event*> events_;
    cuda::Graph* graph_ = nullptr;
    bool capturing_ = false;
};

}  // namespace

std::unique_ptr<Recording> record_graph(CardContext& context, std::size_t streams, std::size_t events,
                                        const std::function<void(Streams&)>& start) {
    const CardContext::Current current(context);
    Capture capture(context, streams, events);
    if (!capture.capturing()) return nullptr;
    {
        const CardContext::Diverted diverted(context, capture.stream());
        start(capture);
    }
    cuda::Graph* graph = capture.finish();
    cuda::GraphExec* exec = nullptr;
    if (!graph || context.driver().instantiate_graph(&exec, graph, 0) != cuda::success) return nullptr;
    return std::make_unique<CardGraph>(context, exec);
}

}  // namespace sinter::gpu
