// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/job.hpp"

#include "support/settings.hpp"

#include <sinter/detail/ranks.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace sinter::runtime {

namespace {

std::atomic<const sinter_transport*> joined{nullptr};
std::atomic<bool> in_job{false};

/// A launcher that has started several processes, and the plug-in that speaks with it.
struct Launcher {
    const char* size;  ///< the environment variable that says how many
    const char* plugin;
};
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "openmpi"}, {"PMI_SIZE", "mpich"}};

const Launcher* find_launcher() {
    for (const Launcher& launcher : launchers)
        if (const char* size = std::getenv(launcher.size); size && std::atoi(size) > 1) return &launcher;
    return nullptr;
}

/// Of libsinter.so.
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

const sinter_transport* join(const Launcher& launcher, int* argc, char*** argv, location where) {
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

void check(int error, const char* what, location where) {
    if (error != 0)
        throw DeviceError(fmt::format("{}: the transport between ranks has failed (error {})", what, error), where);
}

}  // namespace

const sinter_transport* job() { return joined.load(std::memory_order_acquire); }

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

void join_ranks(int* argc, char*** argv, location where) {
    if (in_job.exchange(true)) throw UsageError("Ranks: there is one already; a program has one Ranks at a time", where);
    try {
        const Launcher* launcher = setting("SINTER_RANKS") == "off" ? nullptr : find_launcher();
        if (launcher != nullptr) joined.store(join(*launcher, argc, argv, where), std::memory_order_release);
    } catch (...) {
        in_job.store(false);
        throw;
    }
}

void leave_ranks() noexcept {
    if (const sinter_transport* transport = joined.exchange(nullptr)) transport->leave();
    in_job.store(false);
}

int rank_count() noexcept { return job() ? job()->count : 1; }
int own_rank() noexcept { return job() ? job()->rank : 0; }
const char* transport_name() noexcept { return job() ? job()->name : "none"; }

Part own_part(std::int64_t rows) noexcept {
    const std::int64_t count = rank_count(), rank = own_rank(), each = rows / count, more = rows % count;
    const std::int64_t first = rank * each + std::min(rank, more);
    return {first, first + each + (rank < more ? 1 : 0)};
}

void gather_ranks(const void* mine, void* all, const std::size_t* bytes, location where) {
    if (job())
        check(job()->gather(mine, all, bytes), "from_parts", where);
    else if (bytes[0] > 0)
        std::memcpy(all, mine, bytes[0]);
}

void wait_for_ranks(const char* what, location where) {
    if (job()) check(job()->barrier(), what, where);
}

}  // namespace sinter::detail
