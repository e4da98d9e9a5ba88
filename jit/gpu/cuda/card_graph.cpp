// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs are captured instead of being built node by node: then only one place describes what is launched, and no layouts of
// the driver's node parameters have to be declared. The capture has a stream of its own, because the stream of the context
// receives what other threads start in the meantime.
#include "jit/gpu/cuda/card_graph.hpp"

#include "jit/gpu/cuda/card_streams.hpp"

#include <utility>

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
    Capture(CardContext& context, std::size_t streams, std::size_t events) : driver_(context.driver()), streams_(context) {
        streams_.create(streams, events);
        capturing_ = driver_.begin_capture(stream(), cuda::capture_of_thread) == cuda::success;
    }
    ~Capture() override {
        finish();
        streams_.destroy();
        if (graph_) driver_.destroy_graph(graph_);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    void enter(std::size_t stream) override {
        streams_.enter(stream);
        CardContext::Diverted::to(streams_.current());
    }
    void mark(std::size_t event) override { streams_.mark(event); }
    void wait(std::size_t event) override { streams_.wait(event); }

    cuda::Stream* stream() const { return streams_.stream(0); }
    bool capturing() const { return capturing_; }
    /// Null if something was started that a graph cannot contain.
    cuda::Graph* finish() {
        if (std::exchange(capturing_, false) && driver_.end_capture(stream(), &graph_) != cuda::success) graph_ = nullptr;
        return graph_;
    }

  private:
    const cuda::Driver& driver_;
    CardStreams streams_;
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
