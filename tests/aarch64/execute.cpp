// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// execute FILE: on aarch64, links the kernels of a file that `compile` wrote as the library links those of its disk cache,
// executes their launches and compares the results bit by bit. Prints how many there are, and those that differ. Fails if
// one does.
#include "jit/host/code/debugger.hpp"
#include "jit/host/code/image.hpp"
#include "tests/aarch64/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace sinter::host {

std::unique_ptr<Announced> announce_to_debugger(const std::string&, const std::vector<std::uint64_t>&) { return nullptr; }

}  // namespace sinter::host

namespace {

using namespace aarch64_test;
using sinter::emit::Entry;

bool failed = false;

void report(sinter::runtime::ErrorSlot*, std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t) {
    failed = true;
}
void print(sinter::runtime::ErrorSlot*, const void*, std::uint32_t, std::int64_t, const std::uint64_t*, std::int64_t) {}

/// Memory for `bytes` bytes at the alignment that kernels may rely on.
struct Memory {
    explicit Memory(std::int64_t bytes)
        : data(static_cast<char*>(std::aligned_alloc(64, static_cast<std::size_t>(bytes + 127) / 64 * 64))) {}
    ~Memory() { std::free(data); }
    Memory(Memory&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
    char* data;
};

void call(const Launch& launch, const sinter::host::Image& image, const std::vector<void*>& buffers) {
    std::vector<Memory> partial;
    std::vector<void*> partials;
    for (std::int64_t bytes : launch.partial_bytes) partials.push_back(partial.emplace_back(bytes).data);
    const sinter::emit::Arguments arguments{buffers.data(), launch.sizes.data(), nullptr, report, partials.data(),
                                            launch.points,  launch.chunks,       -1,      print,  nullptr};
    const Memory local(launch.task_bytes);
    for (const Call& each : launch.calls) {
        const char* name = each.finish ? sinter::emit::finish_name : sinter::emit::kernel_name;
        const auto entry = reinterpret_cast<Entry>(image.find(name));
        sinter::emit::Tile tile = each.tile;
        tile.local = tile.shared = local.data;
        tile.sums = local.data + launch.shared_bytes;
        entry(&arguments, &tile);
    }
}

/// What is wrong; nothing if all is as expected.
std::string execute(const Launch& launch) {
    const auto image = sinter::host::link_directly(launch.object);
    if (!image) return "is not linked directly";
    std::vector<Memory> memory;
    std::vector<void*> buffers;
    for (const Buffer& b : launch.buffers) {
        buffers.push_back(memory.emplace_back(static_cast<std::int64_t>(b.before.size())).data);
        std::memcpy(buffers.back(), b.before.data(), b.before.size());
    }
    failed = false;
    call(launch, *image, buffers);
    if (failed != launch.fails) return launch.fails ? "should fail a check" : "fails a check";
    for (std::size_t k = 0; !failed && k < buffers.size(); ++k) {
        const Buffer& b = launch.buffers[k];
        const std::int64_t at = b.output ? b.first_difference(memory[k].data) : -1;
        if (at >= 0) return "differs in buffer " + std::to_string(k) + " at element " + std::to_string(at);
    }
    return "";
}

}  // namespace

int main(int, char** argv) {
    std::ifstream file(argv[1], std::ios::binary);
    Record record(file);
    int count = 0, wrong = 0;
    for (Launch launch; file.peek() != EOF; ++count) {
        record(launch);
        const std::string problem = execute(launch);
        if (problem.empty()) continue;
        ++wrong;
        std::string sizes;
        for (std::int64_t size : launch.sizes) sizes += " " + std::to_string(size);
        std::printf("%s\nsizes%s: %s\n", launch.kernel.c_str(), sizes.c_str(), problem.c_str());
    }
    std::printf("%d launches, %d wrong\n", count, wrong);
    return wrong != 0 || count == 0;
}
