// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/run_control.hpp"

#include <fmt/format.h>

#include <chrono>

namespace sinter {

namespace {

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

RunControl* RunControl::of(const Options& options, std::optional<RunControl>& room) {
    if (!options.stop && !options.deadline && !options.progress) return nullptr;
    return &room.emplace(options);
}

RunControl::Reason RunControl::reason() const {
    if (options_.stop.requested()) return Reason::request;
    return options_.deadline && now() >= options_.deadline.nanoseconds() ? Reason::deadline : Reason::none;
}

bool RunControl::stops() const {
    if (stopped()) return true;
    const Reason found = reason();
    if (found != Reason::none) reason_.store(found, std::memory_order_release);
    return found != Reason::none;
}

void RunControl::end(const std::string& operation, const std::string& extent, location where) const {
    if (reason_.load() == Reason::request)
        throw Stopped(fmt::format("{}: stopped, as was requested{}", operation, extent), where);
    throw Stopped(fmt::format("{}: stopped, since its deadline has passed{}", operation, extent), where);
}

void RunControl::begin(std::int64_t steps) { steps_ = steps; }

void RunControl::step_done() {
    ++done_;
    report(0, 0);
}

void RunControl::report(std::int64_t iterations, std::int64_t count) const {
    if (options_.progress) options_.progress({done_, steps_, iterations, count});
}

RunControl::Loop::Loop(RunControl* control, std::int64_t count) : control_(control), count_(count) {
    if (control_) ++control_->loops_;
}

RunControl::Loop::~Loop() {
    if (control_) --control_->loops_;
}

void RunControl::Loop::end(const std::string& operation, std::int64_t iterations, location where) const {
    const std::string all = count_ > 0 ? fmt::format(" of {}", count_) : "";
    control_->end(operation, fmt::format(", after {}{} iterations", iterations, all), where);
}

}  // namespace sinter
