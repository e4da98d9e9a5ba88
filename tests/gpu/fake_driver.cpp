// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver with one card that does as it is told, but executes nothing. FAKE_DRIVER_FAILS=function:error makes one of its
// functions fail; FAKE_DRIVER_VERSION and FAKE_DRIVER_NAME are what it says of itself and of its card. A graph is what was
// launched or set while its stream was captured; fake_driver_calls(function) says how often a function was called and did
// something at once.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

std::map<std::string, int> calls;

struct Stream {};
using Graph = std::vector<std::function<void()>>;
const void* captured_stream = nullptr;
Graph* captured = nullptr;
std::set<const void*> joined;  // other streams that belong to the capture

/// All objects of a type. Those of a context that was lost are nobody's to destroy.
template <class T>
std::map<void*, std::unique_ptr<T>>& all = *new std::map<void*, std::unique_ptr<T>>;

template <class T>
T* make(T value = {}) {
    auto object = std::make_unique<T>(std::move(value));
    T* place = object.get();
    all<T>.emplace(place, std::move(object));
    return place;
}
template <class T>
int destroy(void* object) {
    return all<T>.erase(object) == 1 ? 0 : 1;
}

constexpr int capture_unsupported = 900, capture_invalidated = 901;

/// What cannot be in a graph makes its capture fail.
int refuse_in_capture(const char* function) {
    if (!captured) return ++calls[function], 0;
    destroy<Graph>(std::exchange(captured, nullptr));
    return capture_unsupported;
}

/// Now, or when the graph is launched that is being captured.
int act(const char* function, const void* stream, std::function<void()> action = [] {}) {
    if (captured_stream && (stream == captured_stream || joined.contains(stream)))
        return captured ? captured->push_back(std::move(action)), 0 : capture_invalidated;
    ++calls[function];
    return action(), 0;
}

int outcome(const char* function) {
    const char* text = std::getenv("FAKE_DRIVER_FAILS");
    const std::size_t length = std::strlen(function);
    const bool fails = text && std::strncmp(text, function, length) == 0 && text[length] == ':';
    return fails ? std::atoi(text + length + 1) : 0;
}

int object = 0;  // all handles point at it

template <class T>
int give(T** handle) {
    *handle = reinterpret_cast<T*>(&object);
    return 0;
}

/// Where it asks for the driver's words about code.
void complain(unsigned options, const int* option, void** value) {
    for (unsigned k = 0; k < options; ++k)
        if (option[k] == 5) std::strcpy(static_cast<char*>(value[k]), "line 1: it was told to");
}

}  // namespace

extern "C" {

int fake_driver_calls(const char* function) { return calls[function]; }

int cuInit(unsigned) { return outcome("cuInit"); }
int cuDriverGetVersion(int* version) {
    const char* text = std::getenv("FAKE_DRIVER_VERSION");
    return *version = text ? std::atoi(text) : 12040, 0;
}
int cuGetErrorName(int, const char** text) { return *text = "FAKE_ERROR", 0; }
int cuGetErrorString(int, const char** text) { return *text = "it was told to fail", 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int number) { return *device = number, 0; }
int cuDeviceGetName(char* name, int length, int) {
    const char* text = std::getenv("FAKE_DRIVER_NAME");
    return std::strncpy(name, text ? text : "Fake", static_cast<std::size_t>(length)), 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 4 : attribute == 39 ? 2048 : 1;
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{1} << 30, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return give(context); }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuDevicePrimaryCtxReset_v2(int) { return 0; }
int cuCtxPushCurrent_v2(void*) { return 0; }
int cuCtxPopCurrent_v2(void** context) { return give(context); }
int cuStreamCreate(void** stream, unsigned) { return *stream = make<Stream>(), 0; }
int cuStreamDestroy_v2(void* stream) { return destroy<Stream>(stream); }
int cuStreamSynchronize(void*) {
    if (int error = refuse_in_capture("cuStreamSynchronize")) return error;
    return outcome("cuStreamSynchronize");
}
int cuStreamBeginCapture_v2(void* stream, int mode) {
    if (mode != 1 || captured_stream) return 1;
    if (int error = outcome("cuStreamBeginCapture")) return error;
    captured_stream = stream;
    joined.clear();
    captured = make<Graph>();
    return 0;
}
int cuStreamEndCapture(void* stream, void** graph) {
    if (stream != std::exchange(captured_stream, nullptr)) return 1;
    *graph = std::exchange(captured, nullptr);
    return *graph ? outcome("cuStreamEndCapture") : capture_invalidated;
}
int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
    if (flags != 0) return 1;
    if (int error = outcome("cuGraphInstantiateWithFlags")) return error;
    ++calls["cuGraphInstantiateWithFlags"];
    return *exec = make<Graph>(*static_cast<Graph*>(graph)), 0;
}
int cuGraphLaunch(void* exec, void*) {
    if (int error = outcome("cuGraphLaunch")) return error;
    ++calls["cuGraphLaunch"];
    for (const auto& action : *static_cast<Graph*>(exec)) action();
    return 0;
}
int cuGraphExecDestroy(void* exec) { return ++calls["cuGraphExecDestroy"], destroy<Graph>(exec); }
int cuGraphDestroy(void* graph) { return destroy<Graph>(graph); }
int cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* option, void** value) {
    if (int error = refuse_in_capture("cuModuleLoadDataEx")) return error;
    complain(options, option, value);
    if (std::strncmp(static_cast<const char*>(image), "assembled", 9) != 0) return 218;
    give(module);
    return outcome("cuModuleLoadDataEx");
}
int cuLinkCreate_v2(unsigned options, int* option, void** value, void** link) {
    complain(options, option, value);
    return give(link);
}
int cuLinkAddData_v2(void*, int kind, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
    const std::string text = static_cast<const char*>(data);
    if (kind != 1 || text.size() + 1 != bytes) return 1;
    const bool version = text.find(".version 8.") != std::string::npos || text.find(".version 7.8") != std::string::npos;
    if (text.find(".target sm_90") == std::string::npos || !version) return 218;
    return outcome("cuLinkAddData");
}
int cuLinkComplete(void*, void** image, std::size_t* bytes) {
    static char assembled[] = "assembled";
    *image = assembled;
    *bytes = sizeof assembled;
    return outcome("cuLinkComplete");
}
int cuLinkDestroy(void*) { return 0; }
int cuEventCreate(void** event, unsigned) { return give(event); }
int cuEventRecord(void*, void*) { return outcome("cuEventRecord"); }
int cuStreamWaitEvent(void* stream, void*, unsigned flags) {
    if (flags != 0) return 1;
    joined.insert(stream);
    ++calls["cuStreamWaitEvent"];
    return outcome("cuStreamWaitEvent");
}
int cuEventSynchronize(void*) { return 0; }
int cuEventElapsedTime(float* milliseconds, void*, void*) { return *milliseconds = 2, 0; }
int cuEventDestroy_v2(void*) { return 0; }
int cuFuncGetAttribute(int* value, int attribute, void*) {
    *value = attribute == 4 ? 40 : attribute == 1 ? 1024 : attribute == 3 ? 16 : -1;
    return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
    return *blocks = threads == 256 ? 6 : 0, 0;
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char*) { return give(function); }
int cuLaunchKernel(void*, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned, void* stream,
                   void** parameters, void**) {
    if (blocks == 0 || threads != 256 || !parameters[0]) return 1;
    if (int error = outcome("cuLaunchKernel")) return error;
    return act("cuLaunchKernel", stream);
}
int cuMemAlloc_v2(std::uint64_t* memory, std::size_t bytes) {
    if (int error = refuse_in_capture("cuMemAlloc")) return error;
    if (int error = outcome("cuMemAlloc")) return error;
    *memory = reinterpret_cast<std::uint64_t>(std::calloc(bytes, 1));
    return *memory ? 0 : 2;
}
int cuMemAllocAsync(std::uint64_t* memory, std::size_t bytes, void*) {
    if (int error = refuse_in_capture("cuMemAllocAsync")) return error;
    if (int error = outcome("cuMemAllocAsync")) return error;
    *memory = reinterpret_cast<std::uint64_t>(std::calloc(bytes, 1));
    return *memory ? 0 : 2;
}
int cuMemFreeAsync(std::uint64_t memory, void*) { return std::free(reinterpret_cast<void*>(memory)), 0; }
int cuMemsetD8Async(std::uint64_t memory, unsigned char value, std::size_t bytes, void* stream) {
    return act("cuMemsetD8Async", stream, [=] { std::memset(reinterpret_cast<void*>(memory), value, bytes); });
}
int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    if (int error = outcome("cuMemHostAlloc")) return error;
    return *memory = std::malloc(bytes), 0;
}
int cuMemFreeHost(void* memory) { return std::free(memory), 0; }
int cuMemFree_v2(std::uint64_t memory) { return std::free(reinterpret_cast<void*>(memory)), 0; }
int cuMemcpyAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
    if (int error = refuse_in_capture("cuMemcpyAsync")) return error;
    return std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes), 0;
}
int cuMemcpyPeerAsync(std::uint64_t to, void*, std::uint64_t from, void*, std::size_t bytes, void* stream) {
    return cuMemcpyAsync(to, from, bytes, stream);
}
}
