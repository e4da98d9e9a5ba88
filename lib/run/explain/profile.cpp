// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/profile.hpp>

#include "run/calibration.hpp"
#include "run/explain/chrome_trace.hpp"
#include "run/explain/profile_table.hpp"

#include <fmt/format.h>

#include <fstream>

namespace sinter::profile {

namespace {

/// Where the recording that was started last is written.
struct Destination {
    std::mutex mutex;
    std::ofstream file;
};

Destination& destination() {
    static Destination* instance = new Destination;
    return *instance;
}

}  // namespace

void start(std::string_view trace, location where) {
    Destination& to = destination();
    const std::lock_guard lock(to.mutex);
    to.file = trace.empty() ? std::ofstream() : std::ofstream(std::string(trace));
    if (!trace.empty() && !to.file) throw UsageError(fmt::format("profile::start: cannot write {}", trace), where);
    Recorder::shared().start();
}

std::string stop() {
    Destination& to = destination();
    const std::lock_guard lock(to.mutex);
    const Recording recording = Recorder::shared().stop();
    if (to.file.is_open()) to.file << sinter::runtime::chrome_trace(recording);
    to.file.close();
    return sinter::runtime::profile_table(recording, sinter::runtime::copy_bandwidth());
}

}  // namespace sinter::profile
