// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every two ranks are connected by a pair of sockets. A rank that ends, and one whose exchange fails, closes its sockets, so
// that those which wait for it get an error instead of waiting for ever. The process that the user has started becomes the
// launcher: it waits for the ranks, and ends those that stay when others have failed.
#include "run/ranks/job/emulated.hpp"

#include "run/ranks/tuning.hpp"
#include "support/near_ranks.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace sinter::runtime {

namespace {

constexpr int most_ranks = 64;
constexpr std::size_t narrow_message = (1u << 15) - 1, wide_message = std::size_t{1} << 30;

/// The messages to one rank, or from it, one after another.
struct Queue {
    std::vector<sinter_message> messages;
    std::size_t next = 0, done = 0;  ///< message, and bytes of it

    bool empty() const { return next == messages.size(); }
    char* at() const { return static_cast<char*>(messages[next].data) + done; }
    std::size_t left() const { return messages[next].bytes - done; }
    void advance(std::size_t bytes) {
        done += bytes;
        while (!empty() && left() == 0) ++next, done = 0;
    }
};

struct Emulated {
    sinter_transport transport;
    std::string name;
    std::vector<int> sockets;             ///< by rank; -1 for this one
    std::atomic<bool>* broken = nullptr;  ///< seen by all processes: an exchange has failed
    std::optional<std::minstd_rand> random;
    std::vector<Queue> out, in;  ///< what has been begun, by rank
    transport::NearRanks near;
};

Emulated& emulated() {
    static Emulated* state = new Emulated;  // exit handlers use it
    return *state;
}

void pause_sometimes() {
    if (!emulated().random) return;
    const auto micros = (*emulated().random)() % 512;
    if (micros % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(micros));
}

/// Moves what can be moved at once. Returns an outcome.
template <class Move>
int progress(Queue& queue, Move move) {
    while (!queue.empty()) {
        std::size_t bytes = queue.left();
        if (emulated().random) bytes = std::min<std::size_t>(bytes, 1 + (*emulated().random)() % 4096);
        const ssize_t moved = move(queue.at(), bytes);
        if (moved < 0 && errno == EINTR) continue;
        if (moved == 0 || (moved < 0 && (errno == EPIPE || errno == ECONNRESET))) return sinter_ended;
        if (moved < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? sinter_well : errno;
        queue.advance(static_cast<std::size_t>(moved));
    }
    return 0;
}

int sort_into(std::vector<Queue>& queues, const sinter_message* messages, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        if (messages[k].bytes > emulated().transport.longest || messages[k].rank == emulated().transport.rank)
            return EMSGSIZE;
        if (messages[k].bytes > 0) queues[static_cast<std::size_t>(messages[k].rank)].messages.push_back(messages[k]);
    }
    return 0;
}

void close_all(const std::vector<int>& sockets) {
    for (int socket : sockets)
        if (socket >= 0) close(socket);
}

void close_sockets() {
    close_all(emulated().sockets);
    emulated().sockets.clear();
}

/// Waits until something can be moved. Returns an outcome.
int await(std::vector<pollfd>& sockets, double seconds) {
    const auto milliseconds = seconds == 0 ? -1 : static_cast<int>(std::max(1.0, seconds * 1000));
    for (;;) {
        const int ready = poll(sockets.data(), sockets.size(), milliseconds);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return errno;
        return ready == 0 ? sinter_late : sinter_well;
    }
}

/// Moves what can be moved at once; fills in the sockets that what is left waits for.
int move_some(std::vector<pollfd>& waiting, int* about) {
    std::vector<Queue>& out = emulated().out;
    std::vector<Queue>& in = emulated().in;
    for (std::size_t rank = 0; rank < out.size(); ++rank) {
        const int socket = emulated().sockets[rank];
        auto send = [&](char* at, std::size_t n) { return ::send(socket, at, n, MSG_DONTWAIT | MSG_NOSIGNAL); };
        auto receive = [&](char* at, std::size_t n) { return ::recv(socket, at, n, MSG_DONTWAIT); };
        int outcome = progress(in[rank], receive);
        if (outcome == sinter_well) outcome = progress(out[rank], send);
        const int events = (out[rank].empty() ? 0 : POLLOUT) | (in[rank].empty() ? 0 : POLLIN);
        if (events && waiting.empty()) *about = static_cast<int>(rank);
        if (events) waiting.push_back({socket, static_cast<short>(events), 0});
        if (outcome == sinter_well) continue;
        *about = static_cast<int>(rank);
        return outcome;
    }
    return sinter_well;
}

int give_up(int outcome) {
    emulated().broken->store(true);
    close_sockets();
    return outcome;
}

int begin(const sinter_message* sends, std::size_t send_count, const sinter_message* receives, std::size_t receive_count,
          int* about) {
    pause_sometimes();
    Emulated& state = emulated();
    const auto ranks = static_cast<std::size_t>(state.transport.count);
    state.out.assign(ranks, {}), state.in.assign(ranks, {});
    if (const int error = sort_into(state.out, sends, send_count)) return error;
    if (const int error = sort_into(state.in, receives, receive_count)) return error;
    std::vector<pollfd> waiting;
    const int outcome = move_some(waiting, about);
    return outcome == sinter_well ? outcome : give_up(outcome);
}

int finish(double seconds, int* about) {
    for (;;) {
        std::vector<pollfd> waiting;
        int outcome = move_some(waiting, about);
        if (outcome == sinter_well && waiting.empty()) return outcome;
        if (outcome == sinter_well) outcome = await(waiting, seconds);
        if (outcome != sinter_well) return give_up(outcome);
    }
}

int can_read(int rank) { return emulated().near.contains(rank); }

int read_there(const sinter_message* places, const void* const* from, std::size_t count) {
    return emulated().near.read(places, from, count);
}

void leave(int) { close_sockets(); }

/// As mpirun does: waits for all ranks; if one fails, or an exchange has failed and a rank has ended, ends those that go on.
/// Returns the exit status for all.
int await_ranks(std::vector<pid_t> ranks) {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> end;
    int result = 0;
    while (!ranks.empty()) {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, end ? WNOHANG : 0);
        if (ended > 0) {
            std::erase(ranks, ended);
            if (status != 0 && result == 0) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            if ((status != 0 || emulated().broken->load()) && !end)
                end = Clock::now() + std::chrono::milliseconds(static_cast<int>(tuning::grace * 1000));
        } else if (ended < 0 && errno != EINTR) {
            break;
        } else if (end && Clock::now() > *end) {
            for (pid_t rank : ranks) kill(rank, SIGKILL);
            end = Clock::time_point::max();
        } else if (end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    return result;
}

bool has_threads() {
    std::error_code error;
    const std::filesystem::directory_iterator tasks("/proc/self/task", error);
    return !error && std::distance(begin(tasks), end(tasks)) > 1;
}

/// sockets[i][j] leads from rank i to rank j.
std::vector<std::vector<int>> connect(std::size_t ranks, location where) {
    std::vector<std::vector<int>> sockets(ranks, std::vector<int>(ranks, -1));
    for (std::size_t i = 0; i < ranks; ++i)
        for (std::size_t j = i + 1; j < ranks; ++j) {
            int ends[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
                throw DeviceError(fmt::format("Ranks: the system cannot emulate {} ranks ({})", ranks, std::strerror(errno)),
                                  where);
            sockets[i][j] = ends[0], sockets[j][i] = ends[1];
        }
    return sockets;
}

/// Starts false.
std::atomic<bool>* shared_flag(int ranks, location where) {
    void* page = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        throw DeviceError(fmt::format("Ranks: the system cannot emulate {} ranks ({})", ranks, std::strerror(errno)), where);
    return new (page) std::atomic<bool>(false);
}

/// Returns, in every rank, its number.
int start_processes(const std::vector<std::vector<int>>& sockets, location where) {
    const int ranks = static_cast<int>(sockets.size());
    std::fflush(nullptr);  // or else every rank would write what is in the buffers
    const pid_t launcher = getpid();
    std::vector<pid_t> started;
    for (int rank = 0; rank < ranks; ++rank) {
        const pid_t child = fork();
        if (child > 0) {
            started.push_back(child);
            continue;
        }
        if (child < 0) {
            for (pid_t other : started) kill(other, SIGKILL);
            throw DeviceError(fmt::format("Ranks: the system cannot emulate {} ranks ({})", ranks, std::strerror(errno)),
                              where);
        }
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != launcher) _exit(1);
#endif
        return rank;
    }
    for (const auto& row : sockets) close_all(row);  // or else nobody would see that a rank has ended
    _exit(await_ranks(std::move(started)));
}

}  // namespace

std::optional<Emulation> parse_emulation(std::string_view text) {
    constexpr std::string_view form = "emulated:", seed = "delay=";
    if (!text.starts_with(form)) return std::nullopt;
    text.remove_prefix(form.size());
    auto read = [](std::string_view digits, auto& number) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    Emulation result;
    for (std::size_t word = 0; !text.empty() || word == 0; ++word) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (word == 0) {
            if (!read(part, result.count) || result.count < 1 || result.count > most_ranks) return std::nullopt;
        } else if (part == "int16") {
            result.narrow = true;
        } else if (!part.starts_with(seed) || !read(part.substr(seed.size()), result.delay.emplace())) {
            return std::nullopt;
        }
    }
    return result;
}

const sinter_transport* start_emulation(const Emulation& emulation, location where) {
    if (has_threads())
        throw UsageError("Ranks: SINTER_RANKS=emulated needs Ranks to be made before the process starts threads", where);
    Emulated& state = emulated();
    const auto sockets = connect(static_cast<std::size_t>(emulation.count), where);
    state.broken = shared_flag(emulation.count, where);
    const int rank = start_processes(sockets, where);
    state.sockets = sockets[static_cast<std::size_t>(rank)];
    for (std::size_t other = 0; other < sockets.size(); ++other)
        if (other != static_cast<std::size_t>(rank)) close_all(sockets[other]);
    in_child(close_sockets);  // of a rank, or else nobody would see that it has ended
    if (emulation.delay) state.random.emplace(*emulation.delay * 64 + static_cast<std::uint64_t>(rank) + 1);
    state.name = "emulated";
    state.transport = {sinter_transport_version,
                       state.name.c_str(),
                       rank,
                       emulation.count,
                       emulation.narrow ? narrow_message : wide_message,
                       begin,
                       finish,
                       leave,
                       can_read,
                       read_there};
    // Whoever wants to see what networks do sees them here, too.
    std::vector<int> others;
    for (int other = 0; other < emulation.count; ++other)
        if (other != rank) others.push_back(other);
    if (!emulation.narrow && !emulation.delay) state.near.find(state.transport, others);
    return &state.transport;
}

}  // namespace sinter::runtime
