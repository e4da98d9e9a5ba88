// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every two ranks are connected by a pair of sockets. A rank that ends closes its sockets, so that those which wait for it
// get an error instead of waiting for ever.
#include "run/ranks/emulated.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace sinter::runtime {

namespace {

constexpr int most_ranks = 64;
constexpr std::size_t narrow_message = (1u << 15) - 1, wide_message = std::size_t{1} << 30;

struct Emulated {
    sinter_transport transport;
    std::string name;
    std::vector<int> sockets;  ///< by rank; -1 for this one
    std::vector<pid_t> children;
    std::optional<std::minstd_rand> random;
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

/// Moves what can be moved at once. Returns an error, or 0.
template <class Move>
int progress(Queue& queue, Move move) {
    while (!queue.empty()) {
        std::size_t bytes = queue.left();
        if (emulated().random) bytes = std::min<std::size_t>(bytes, 1 + (*emulated().random)() % 4096);
        const ssize_t moved = move(queue.at(), bytes);
        if (moved < 0 && errno == EINTR) continue;
        if (moved < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
        if (moved == 0) return ECONNRESET;
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

int exchange(const sinter_message* sends, std::size_t send_count, const sinter_message* receives,
             std::size_t receive_count) {
    pause_sometimes();
    const auto ranks = static_cast<std::size_t>(emulated().transport.count);
    std::vector<Queue> out(ranks), in(ranks);
    if (const int error = sort_into(out, sends, send_count)) return error;
    if (const int error = sort_into(in, receives, receive_count)) return error;
    for (;;) {
        std::vector<pollfd> waiting;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const int socket = emulated().sockets[rank];
            auto send = [&](char* at, std::size_t n) { return ::send(socket, at, n, MSG_DONTWAIT | MSG_NOSIGNAL); };
            auto receive = [&](char* at, std::size_t n) { return ::recv(socket, at, n, MSG_DONTWAIT); };
            if (const int error = progress(out[rank], send)) return error;
            if (const int error = progress(in[rank], receive)) return error;
            const int events = (out[rank].empty() ? 0 : POLLOUT) | (in[rank].empty() ? 0 : POLLIN);
            if (events) waiting.push_back({socket, static_cast<short>(events), 0});
        }
        if (waiting.empty()) return 0;
        if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return errno;
    }
}

int gather(const void* mine, void* all, const std::size_t* bytes) {
    const sinter_transport& transport = emulated().transport;
    std::vector<sinter_message> sends, receives;
    auto* next = static_cast<char*>(all);
    std::size_t total = 0;
    for (int rank = 0; rank < transport.count; next += bytes[rank], total += bytes[rank], ++rank) {
        if (rank == transport.rank) {
            if (bytes[rank] > 0) std::memmove(next, mine, bytes[rank]);
        } else {
            sends.push_back({rank, const_cast<void*>(mine), bytes[transport.rank]});
            receives.push_back({rank, next, bytes[rank]});
        }
    }
    if (total > transport.longest) return EMSGSIZE;
    return exchange(sends.data(), sends.size(), receives.data(), receives.size());
}

int broadcast(int root, void* data, std::size_t bytes) {
    const sinter_transport& transport = emulated().transport;
    std::vector<sinter_message> sends;
    const sinter_message receive{root, data, bytes};
    if (root != transport.rank) return exchange(nullptr, 0, &receive, 1);
    for (int rank = 0; rank < transport.count; ++rank)
        if (rank != root) sends.push_back({rank, data, bytes});
    return exchange(sends.data(), sends.size(), nullptr, 0);
}

void leave() {
    for (int socket : emulated().sockets)
        if (socket >= 0) close(socket);
    emulated().sockets.clear();
}

/// When rank 0 exits: as mpirun does, waits for the others and reports their failures as its own.
void await_children() {
    bool failed = false;
    for (pid_t child : emulated().children) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        failed = failed || status != 0;
    }
    if (!failed) return;
    std::fflush(nullptr);
    _exit(1);
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
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
                throw DeviceError(fmt::format("Ranks: the system cannot emulate {} ranks ({})", ranks, std::strerror(errno)),
                                  where);
            sockets[i][j] = ends[0], sockets[j][i] = ends[1];
        }
    return sockets;
}

/// Returns this process's rank.
int start_processes(int ranks, location where) {
    std::fflush(nullptr);  // or else every rank would write what is in the buffers
    const pid_t parent = getpid();
    for (int rank = 1; rank < ranks; ++rank) {
        const pid_t child = fork();
        if (child < 0)
            throw DeviceError(fmt::format("Ranks: the system cannot emulate {} ranks ({})", ranks, std::strerror(errno)),
                              where);
        if (child > 0) {
            emulated().children.push_back(child);
            continue;
        }
        emulated().children.clear();
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
#endif
        return rank;
    }
    std::atexit(await_children);
    return 0;
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
    const int rank = start_processes(emulation.count, where);
    state.sockets = sockets[static_cast<std::size_t>(rank)];
    for (std::size_t other = 0; other < sockets.size(); ++other)
        if (other != static_cast<std::size_t>(rank))
            for (int socket : sockets[other])
                if (socket >= 0) close(socket);
    if (emulation.delay) state.random.emplace(*emulation.delay * 64 + static_cast<std::uint64_t>(rank) + 1);
    state.name = "emulated";
    state.transport = {sinter_transport_version,
                       state.name.c_str(),
                       rank,
                       emulation.count,
                       emulation.narrow ? narrow_message : wide_message,
                       gather,
                       broadcast,
                       exchange,
                       leave};
    return &state.transport;
}

}  // namespace sinter::runtime
