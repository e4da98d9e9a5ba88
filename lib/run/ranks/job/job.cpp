// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/job/job.hpp"

#include "fuse/solve/problem/deadline.hpp"
#include "place/layout.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/emulated.hpp"
#include "run/ranks/job/meeting.hpp"
#include "support/log.hpp"
#include "support/settings.hpp"
#include "support/threads/process.hpp"

#include <sinter/detail/rank_explanation.hpp>
#include <sinter/detail/ranks.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sinter::runtime {

namespace {

std::atomic<const sinter_transport*> joined{nullptr};
std::atomic<bool> in_job{false};
std::atomic<bool> ended{false};  ///< a job cannot be joined again: MPI can be started once per process
std::atomic<bool> apart{false}, lost{false};
std::atomic<bool> forked{false};
std::atomic<std::thread::id> speaker{std::thread::id()};

/// A launcher that starts several processes, and the plug-in that communicates with it.
struct Launcher {
    const char* size;  ///< the environment variable with the number of processes
    const char* plugin;
    const char* needs = nullptr;  ///< another variable that has to be set
};
constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "openmpi"}, {"PMI_SIZE", "mpich"}, {"SLURM_NTASKS", "openmpi", "PMIX_RANK"}};

const Launcher* find_launcher() {
    for (const Launcher& launcher : launchers) {
        // A batch script has the number of tasks, too; it counts only if the process is one of them.
        if (launcher.needs != nullptr && std::getenv(launcher.needs) == nullptr) continue;
        if (const char* size = std::getenv(launcher.size); size && std::atoi(size) > 1) return &launcher;
    }
    return nullptr;
}

/// The folder of libsinter.so.
std::string own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&find_launcher), &info) == 0) return {};
    const std::string path = info.dli_fname;
    return path.substr(0, path.rfind('/') + 1);
}

std::string plugin_path(const Launcher& launcher) {
    if (const std::string_view named = setting("SINTER_TRANSPORT"); !named.empty()) return std::string(named);
    return own_folder() + "sinter/transport-" + launcher.plugin + ".so";
}

const sinter_transport* join_launched(const Launcher& launcher, int* argc, char*** argv, location where) {
    const std::string path = plugin_path(launcher);
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
        const char* reason = dlerror();
        throw DeviceError(fmt::format("Ranks: a launcher has started {} processes, and the transport between them cannot be "
                                      "loaded ({}); build Sinter with SINTER_MPI=ON, set SINTER_TRANSPORT, or "
                                      "SINTER_RANKS=off, which lets every process be alone",
                                      std::getenv(launcher.size), reason ? reason : path),
                          where);
    }
    auto* entry = reinterpret_cast<decltype(&sinter_join_transport)>(dlsym(library, "sinter_join_transport"));
    const sinter_transport* made = entry ? entry(argc, argv) : nullptr;
    if (made == nullptr || made->version != sinter_transport_version)
        throw DeviceError(
            fmt::format("Ranks: the transport {} does not belong to this version of Sinter, or cannot start", path), where);
    return made;
}

/// Null if nobody has started several processes, and none are to be emulated.
const sinter_transport* join(int* argc, char*** argv, location where) {
    const std::string_view wish = setting("SINTER_RANKS");
    const Launcher* launcher = wish.empty() ? find_launcher() : nullptr;
    if (!launcher && (wish.empty() || wish == "off")) return nullptr;
    if (ended.load()) throw UsageError("Ranks: the job has ended, and cannot be joined again in this process", where);
    if (launcher) return join_launched(*launcher, argc, argv, where);
    const std::optional<Emulation> emulation = parse_emulation(wish);
    if (!emulation) throw UsageError(means_nothing("SINTER_RANKS", wish), where);
    return emulation->count > 1 ? start_emulation(*emulation, where) : nullptr;
}

/// For SINTER_LOG=launch.
void report_traffic(const sinter_transport& transport) noexcept {
    if (!log_setting().launches) return;
    const Traffic& all = traffic();
    const std::string line =
        fmt::format("ranks: {} of {} has met the others {} times, and received {} bytes besides in {} messages\n",
                    transport.rank, transport.count, all.meetings, all.received - all.met, all.messages);
    std::fputs(line.c_str(), stderr);
}

/// A process that a rank forks is none: its messages would go out under that rank's name.
void leave_forked() {
    if (!joined.exchange(nullptr)) return;
    forked.store(true), ended.store(true);
}

}  // namespace

const sinter_transport* job() { return joined.load(std::memory_order_acquire); }
bool has_ranks() { return in_job.load(std::memory_order_relaxed); }
bool speaks() { return std::this_thread::get_id() == speaker.load(std::memory_order_relaxed); }

void go_apart() { apart.store(true); }
void lose_ranks() { lost.store(true); }
bool are_apart() { return apart.load() || lost.load(); }
bool is_forked() { return forked.load(); }

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

void join_ranks(int* argc, char*** argv, location where) {
    if (in_job.exchange(true)) throw UsageError("Ranks: there is one already; a program has one Ranks at a time", where);
    try {
        speaker.store(std::this_thread::get_id(), std::memory_order_relaxed);
        joined.store(join(argc, argv, where), std::memory_order_release);
        static const bool watching = (in_child(leave_forked), true);
        (void)watching;
        fuse::solve::Deadline::count_looks(job() != nullptr);  // all ranks find the same clusters
    } catch (...) {
        in_job.store(false);
        throw;
    }
}

void leave_ranks() noexcept {
    // A rank that waits for this one elsewhere is told so, and comes here, too.
    if (job() && !are_apart() && !part_ranks()) apart.store(true);
    if (const sinter_transport* transport = joined.exchange(nullptr)) {
        report_traffic(*transport);
        transport->leave(!lost.load());
        ended.store(true);
    }
    fuse::solve::Deadline::count_looks(false);
    apart.store(false), lost.store(false);
    in_job.store(false);
}

int rank_count() noexcept { return job() ? job()->count : 1; }
int own_rank() noexcept { return job() ? job()->rank : 0; }
std::int64_t bytes_received() noexcept { return static_cast<std::int64_t>(traffic().received - traffic().met); }
const char* transport_name() noexcept { return job() ? job()->name : "none"; }

Part own_part(std::int64_t rows) noexcept {
    const schedule::Interval part = place::rows_of(rows, rank_count(), own_rank());
    return {part.begin, part.end};
}

void gather_ranks(const void* mine, void* all, const std::size_t* bytes, location where) {
    if (job())
        gather(mine, all, {bytes, bytes + job()->count}, "from_parts", where);
    else if (bytes[0] > 0)
        std::memcpy(all, mine, bytes[0]);
}

bool tell_ranks(bool well, const char* what, location where) {
    int word = well ? 1 : 0;
    if (job()) broadcast(0, &word, sizeof word, what, where);
    return word != 0;
}

}  // namespace sinter::detail
