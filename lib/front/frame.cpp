// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/frame.hpp"

#include "support/threads/thread_vector.hpp"

#include <sinter/detail/trace.hpp>

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace sinter::front {
namespace {

std::atomic<std::uint64_t> last_trace{0};

/// Frames that have ended recently, so that a handle that outlived its function can be explained.
struct Ended {
    std::uint64_t serial = 0;
    const char* combinator = "";
    location where;
    bool function = true;
};
constexpr std::size_t remembered = 64;
constinit thread_local std::array<Ended, remembered> ended{};
constinit thread_local ThreadVector<std::unique_ptr<Frame>> frame_stack;
constinit thread_local ThreadVector<ControlFrame> control_stack;

const char* file_name(const location& where) {
    const char* slash = std::strrchr(where.file_name(), '/');
    return slash ? slash + 1 : where.file_name();
}

std::string describe_frame(const char* combinator, location where, bool function) {
    return fmt::format("{} {}{}", function ? "the function given to" : "the program of", combinator, describe(where));
}

}  // namespace

std::vector<std::unique_ptr<Frame>>& frames() { return frame_stack.get(); }

std::vector<ControlFrame>& controls() { return control_stack.get(); }

bool is_tracing() { return !frame_stack.empty(); }

void trim_stacks() noexcept {
    frame_stack.trim();
    control_stack.trim();
}

Frame& push_frame(const char* combinator, location where, std::variant<FunctionFrame, ProgramFrame> body) {
    std::uint64_t serial = last_trace.fetch_add(1, std::memory_order_relaxed) + 1;
    frames().push_back(std::make_unique<Frame>(Frame{serial, combinator, where, std::move(body)}));
    return *frames().back();
}

Frame& innermost(const char* what) {
    if (is_tracing()) return *frames().back();
    if (!controls().empty()) {  // no frame is below it, and its operands are the first to need one
        const ControlFrame& control = controls().back();
        throw UsageError(fmt::format("{} on scalars is only possible inside a function given to a combinator, while it is "
                                     "traced; outside, a state has to be an array, such as fill(shape(), 0.f)",
                                     control.name),
                         control.where);
    }
    std::string text = fmt::format("{} is only possible inside a function given to a combinator, while it is traced", what);
    const Ended* last = &ended[0];
    for (const Ended& one : ended)
        if (one.serial > last->serial) last = &one;
    if (last->serial != 0)
        text += fmt::format("; the last one, {}, has returned, and its Exps went with it",
                            describe_frame(last->combinator, last->where, last->function));
    throw UsageError(text, last->where);
}

Frame* find_frame(std::uint64_t serial) {
    for (auto& frame : frames())
        if (frame->serial == serial) return frame.get();
    return nullptr;
}

ProgramFrame& innermost_program(const char* what, location where) {
    Frame& frame = innermost(what);
    if (auto* program = std::get_if<ProgramFrame>(&frame.body)) return *program;
    throw UsageError(fmt::format("{}: only scalars are possible inside {}", what, describe(frame)), where);
}

std::string describe(location where) {
    return where.line() == 0 ? std::string() : fmt::format(" at {}:{}", file_name(where), where.line());
}

std::string describe(const Frame& frame) {
    return describe_frame(frame.combinator, frame.where, std::holds_alternative<FunctionFrame>(frame.body));
}

void throw_not_open(Handle handle) {
    location where = frames().empty() ? location() : frames().back()->where;
    if (handle.trace == 0) throw UsageError("an Exp without a value is used: it was declared but never assigned", where);
    for (const Ended& one : ended)
        if (one.serial == handle.trace)
            throw UsageError(fmt::format("an Exp of {} is used after it has returned; an Exp is only meaningful while "
                                         "its function is traced",
                                         describe_frame(one.combinator, one.where, one.function)),
                             frames().empty() ? one.where : where);
    throw UsageError("an Exp is used outside the function it belongs to, or on another thread", where);
}

}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

std::uint64_t open_function(const char* combinator, location where, const Scalar* parameters, std::size_t count) {
    FunctionFrame function;
    open_recorded_block(function);
    for (std::size_t i = 0; i < count; ++i) add_value(function, parameters[i]);
    return push_frame(combinator, where, std::move(function)).serial;
}

std::uint64_t open_program(const char* combinator, location where) {
    return push_frame(combinator, where, ProgramFrame{}).serial;
}

void close_trace(std::uint64_t serial) noexcept {
    auto& stack = frames();
    bool open = false;
    for (auto& frame : stack) open = open || frame->serial == serial;
    while (open) {
        Frame& last = *stack.back();
        open = last.serial != serial;
        ended[last.serial % remembered] = {last.serial, last.combinator, last.where,
                                           std::holds_alternative<FunctionFrame>(last.body)};
        stack.pop_back();
    }
    trim_stacks();
}

void forbid_tracing(const char* what, location where) {
    if (!is_tracing()) return;
    throw UsageError(fmt::format("{} needs values, but inside {} there are none yet", what, describe(*frames().back())),
                     where);
}

LeafRef program_parameter(Scalar scalar, std::size_t rank) {
    Frame& frame = *frames().back();
    auto& program = std::get<ProgramFrame>(frame.body);
    auto position = static_cast<std::uint32_t>(program.params.size());
    program.params.push_back(make_node(Parameter{position}, {{scalar, std::vector<Extent>(rank, unknown)}}, frame.where));
    return to_ref({program.params.back(), 0});
}

void retain(Node* node) noexcept { front::retain(node); }
void release(Node* node) noexcept { front::release(node); }

}  // namespace sinter::detail
