// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions. Every one may be told to fail; those that need a context want it to be current, and give the
// context's error once it has one.
#include "context.hpp"
#include "grid.hpp"
#include "memory.hpp"
#include "settings.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

using namespace driver;
using Address = std::uint64_t;

constexpr const char* assembled = "assembled\n";  ///< before PTX that has gone through the linker

std::recursive_mutex& mutex() {
    static auto* m = new std::recursive_mutex;
    return *m;
}

/// Contexts made current by this thread, and the stream that it captures.
thread_local std::vector<void*> current;
thread_local Stream* captured = nullptr;
bool is_invalidated = false;  ///< what is captured cannot be a graph

/// That which this thread has made current. There is one in every function that begins with begin_in_context().
Context& context() {
    Context* found = current.empty() ? nullptr : Context::find(current.back());
    if (!found) violation("a call without a context");
    return *found;
}

std::map<std::string, int>& calls() {
    static auto* counts = new std::map<std::string, int>;
    return *counts;
}

int begin(const char* function) {
    ++calls()[function];
    return failure_of(function);
}

int begin_in_context(const char* function) {
    ++calls()[function];
    if (current.empty() || !Context::find(current.back())) return invalid_context;
    if (context().fault != success) return context().fault;
    const int error = failure_of(function);
    is_invalidated |= error != success;
    if (is_fault(error)) context().fault = error;
    return error;
}

// Begins an entry point: counts the call, and returns the error it is told to give.
#define CALL(function)                   \
    const std::lock_guard lock(mutex()); \
    if (const int error = begin(#function)) return error;
#define CALL_IN_CONTEXT(function)        \
    const std::lock_guard lock(mutex()); \
    if (const int error = begin_in_context(#function)) return error;
#define CALL_OUT_OF_CAPTURE(function) \
    CALL_IN_CONTEXT(function)         \
    if (captured) return invalidate_capture();

int invalidate_capture() {
    is_invalidated = true;
    return capture_unsupported;
}

Stream& stream_of(void* handle) {
    Stream* stream = context().streams.find(handle);
    if (!stream) violation("a stream that is not there");
    return *stream;
}

int start(void* stream, Task task) { return stream_of(stream).start(std::move(task)), success; }

/// Where the program asks for words about its code.
void write_log(unsigned options, const int* option, void** value, const char* text) {
    constexpr int error_log = 5;
    for (unsigned k = 0; k < options; ++k)
        if (option[k] == error_log) std::strcpy(static_cast<char*>(value[k]), text);
}

Task launch_of(const Kernel& kernel, unsigned blocks, unsigned threads, void** parameters) {
    Launch launch{kernel.module, kernel.function, blocks, threads, {}, 0, context().device};
    for (std::size_t k = 0; k < kernel.function->parameter_bytes.size(); ++k) {
        std::uint64_t value = 0;
        std::memcpy(&value, parameters[k], kernel.function->parameter_bytes[k]);
        launch.parameters.push_back(value);
    }
    return [launch] {
        static std::uint32_t launches = 0;
        if (!launch.module->loaded) violation("a launch of a kernel whose module has gone");
        Launch numbered = launch;
        numbered.number = ++launches;
        execute(numbered);
    };
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

/// How often a function was called.
int test_driver_calls(const char* function) {
    const std::lock_guard lock(mutex());
    return calls()[function];
}

int cuInit(unsigned) {
    CALL(cuInit)
    return success;
}
int cuDriverGetVersion(int* version) {
    CALL(cuDriverGetVersion)
    return *version = 12040, success;
}
int cuGetErrorName(int, const char** text) { return *text = "TEST_DRIVER_ERROR", success; }
int cuGetErrorString(int, const char** text) { return *text = "the test driver was told to fail", success; }
int cuDeviceGetCount(int* count) {
    CALL(cuDeviceGetCount)
    return *count = device_count(), success;
}
int cuDeviceGet(int* device, int number) {
    CALL(cuDeviceGet)
    return *device = number, number >= 0 && number < device_count() ? success : invalid_device;
}
int cuDeviceGetName(char* name, int length, int) {
    CALL(cuDeviceGetName)
    return std::snprintf(name, static_cast<std::size_t>(length), "test driver"), success;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    CALL(cuDeviceGetAttribute)
    constexpr int multiprocessors = 16, threads_each = 39, major = 75, minor = 76, memory_pools = 115;
    static const bool has_pools = chance().one_in(2);
    const std::map<int, int> values = {
        {multiprocessors, 2}, {threads_each, 2048}, {major, 9}, {minor, 0}, {memory_pools, has_pools}};
    const auto found = values.find(attribute);
    return *value = found == values.end() ? 1 : found->second, success;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    CALL(cuDeviceTotalMem)
    return *bytes = device_memory, success;
}

int cuDevicePrimaryCtxRetain(void** handle, int device) {
    CALL(cuDevicePrimaryCtxRetain)
    Context& primary = Context::of(device);
    if (!primary.handle) primary.create();
    ++primary.users;
    return *handle = primary.handle, success;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
    CALL(cuDevicePrimaryCtxRelease)
    Context& primary = Context::of(device);
    if (primary.users == 0) return invalid_context;
    if (--primary.users == 0) primary.destroy();
    return success;
}
int cuDevicePrimaryCtxReset_v2(int device) {
    CALL(cuDevicePrimaryCtxReset)
    if (Context::of(device).users > 0) violation("cuDevicePrimaryCtxReset while others use the context");
    return success;
}
int cuCtxPushCurrent_v2(void* handle) {
    CALL(cuCtxPushCurrent)
    if (!handle) return invalid_context;
    if (const Context* found = Context::find(handle); found && found->fault != success) return found->fault;
    return current.push_back(handle), success;
}
int cuCtxPopCurrent_v2(void** handle) {
    CALL(cuCtxPopCurrent)
    if (current.empty()) return invalid_context;
    *handle = current.back();
    return current.pop_back(), success;
}

int cuStreamCreate(void** stream, unsigned) {
    CALL_IN_CONTEXT(cuStreamCreate)
    static int count = 0;
    return *stream = context().streams.add(Stream(++count > 2 && chance().one_in(2))), success;
}
int cuStreamDestroy_v2(void* stream) {
    CALL_IN_CONTEXT(cuStreamDestroy)
    stream_of(stream).finish();
    return context().streams.remove(stream), success;
}
int cuStreamSynchronize(void* stream) {
    CALL_OUT_OF_CAPTURE(cuStreamSynchronize)
    return stream_of(stream).finish_for_host(), success;
}
int cuStreamBeginCapture_v2(void* stream, int) {
    CALL_IN_CONTEXT(cuStreamBeginCapture)
    if (captured) return invalid_value;
    captured = &stream_of(stream);
    is_invalidated = false;
    return captured->begin_capture(), success;
}
int cuStreamEndCapture(void* stream, void** graph) {
    const std::lock_guard lock(mutex());
    if (captured != &stream_of(stream)) return invalid_value;
    captured = nullptr;
    Graph tasks = stream_of(stream).end_capture(!is_invalidated);
    if (const int error = begin_in_context("cuStreamEndCapture")) return error;
    if (is_invalidated) return *graph = nullptr, capture_invalidated;
    return *graph = context().graphs.add(std::move(tasks)), success;
}

int cuEventCreate(void** event, unsigned) {
    CALL_IN_CONTEXT(cuEventCreate)
    return *event = context().events.add({}), success;
}
int cuEventRecord(void* event, void* stream) {
    CALL_IN_CONTEXT(cuEventRecord)
    Event* found = context().events.find(event);
    if (!found) violation("an event that is not there");
    return *found = stream_of(stream).event(), success;
}
int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
    CALL_IN_CONTEXT(cuStreamWaitEvent)
    const Event* found = Context::find_event(event);
    if (!found) violation("an event that is not there");
    if (flags != 0) return invalid_value;
    // An event before which nothing was done, or all of which the host has waited for, orders nothing.
    const bool orders = found->capture ? !found->nodes.empty() : found->stream && !found->stream->is_known(found->time);
    return stream_of(stream).wait(*found, orders && is_dropped("stream cuStreamWaitEvent")), success;
}
int cuEventSynchronize(void* event) {
    CALL_OUT_OF_CAPTURE(cuEventSynchronize)
    Event* found = context().events.find(event);
    if (!found) violation("an event that is not there");
    if (found->capture) violation("the host waits for an event of a capture");
    if (found->stream) found->stream->finish_until(found->time);
    return success;
}
int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
    CALL_IN_CONTEXT(cuEventElapsedTime)
    if (!context().events.find(begin) || !context().events.find(end)) violation("an event that is not there");
    return *milliseconds = 1, success;
}
int cuEventDestroy_v2(void* event) {
    CALL_IN_CONTEXT(cuEventDestroy)
    return context().events.remove(event) ? success : invalid_handle;
}

int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) {
    CALL_IN_CONTEXT(cuGraphInstantiateWithFlags)
    return *exec = context().graphs.add(*context().graphs.find(graph)), success;
}
int cuGraphLaunch(void* exec, void* stream) {
    CALL_IN_CONTEXT(cuGraphLaunch)
    const Graph* graph = context().graphs.find(exec);
    if (!graph) violation("a graph that is not there");
    for (std::size_t node : any_order(*graph)) stream_of(stream).start((*graph)[node].task);
    return success;
}
int cuGraphExecDestroy(void* exec) {
    CALL_IN_CONTEXT(cuGraphExecDestroy)
    return context().graphs.remove(exec) ? success : invalid_handle;
}
int cuGraphDestroy(void* graph) {
    CALL_IN_CONTEXT(cuGraphDestroy)
    return context().graphs.remove(graph) ? success : invalid_handle;
}

int cuLinkCreate_v2(unsigned, int*, void**, void** link) {
    CALL_IN_CONTEXT(cuLinkCreate)
    return *link = new std::string(assembled), success;
}
int cuLinkAddData_v2(void* link, int kind, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
    CALL_IN_CONTEXT(cuLinkAddData)
    constexpr int ptx = 1;
    if (kind != ptx || std::strlen(static_cast<const char*>(data)) + 1 != bytes) return invalid_value;
    return *static_cast<std::string*>(link) += static_cast<const char*>(data), success;
}
int cuLinkComplete(void* link, void** image, std::size_t* bytes) {
    CALL_IN_CONTEXT(cuLinkComplete)
    auto& text = *static_cast<std::string*>(link);
    return *image = text.data(), *bytes = text.size() + 1, success;
}
int cuLinkDestroy(void* link) {
    CALL_IN_CONTEXT(cuLinkDestroy)
    return delete static_cast<std::string*>(link), success;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* option, void** value) {
    CALL_OUT_OF_CAPTURE(cuModuleLoadDataEx)
    const std::string text = static_cast<const char*>(image);
    if (!text.starts_with(assembled)) return write_log(options, option, value, "not assembled"), invalid_ptx;
    return *module = context().modules.add(parse(text.substr(std::strlen(assembled)))), success;
}
int cuModuleUnload(void* module) {
    CALL_IN_CONTEXT(cuModuleUnload)
    std::shared_ptr<Module>* found = context().modules.find(module);
    if (!found) return invalid_handle;
    (*found)->loaded = false;
    return context().modules.remove(module), success;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    CALL_IN_CONTEXT(cuModuleGetFunction)
    const std::shared_ptr<Module>* found = context().modules.find(module);
    if (!found) violation("a module that is not there");
    const auto named = (*found)->functions.find(name);
    if (named == (*found)->functions.end()) return not_found;
    return *function = context().kernels.add({*found, named->second.get()}), success;
}
int cuFuncGetAttribute(int* value, int, void*) {
    CALL_IN_CONTEXT(cuFuncGetAttribute)
    return *value = 1, success;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) {
    CALL_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor)
    return *blocks = 8, success;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned blocks_y, unsigned blocks_z, unsigned threads,
                   unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void* stream, void** parameters, void**) {
    CALL_IN_CONTEXT(cuLaunchKernel)
    const Kernel* kernel = context().kernels.find(function);
    if (!kernel) violation("a kernel that is not there");
    const bool is_plain = blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && shared_bytes == 0;
    if (blocks == 0 || threads == 0 || threads > 1024 || threads % warp_threads != 0 || !is_plain) return invalid_value;
    return start(stream, launch_of(*kernel, blocks, threads, parameters));
}

int cuMemAlloc_v2(Address* memory, std::size_t bytes) {
    CALL_OUT_OF_CAPTURE(cuMemAlloc)
    return (*memory = Memory::get().allocate(bytes, false, context().device)) ? success : out_of_memory;
}
int cuMemFree_v2(Address memory) {
    CALL_IN_CONTEXT(cuMemFree)
    return Memory::get().release(memory) ? success : invalid_value;
}
int cuMemAllocAsync(Address* memory, std::size_t bytes, void* stream) {
    CALL_OUT_OF_CAPTURE(cuMemAllocAsync)
    const Address address = *memory = Memory::get().allocate(bytes, false, context().device);
    if (!address) return out_of_memory;
    Memory::get().find(address, 1)->ready = false;
    return start(stream, [=] {
        if (Allocation* there = Memory::get().find(address, 1)) there->ready = true;
    });
}
int cuMemFreeAsync(Address memory, void* stream) {
    CALL_IN_CONTEXT(cuMemFreeAsync)
    if (!Memory::get().find(memory, 1)) return invalid_value;
    return start(stream, [=] {
        if (!Memory::get().release(memory)) violation("memory of the card is released twice");
    });
}
int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    CALL_IN_CONTEXT(cuMemHostAlloc)
    *memory = reinterpret_cast<void*>(Memory::get().allocate(bytes, true, context().device));
    return *memory ? success : out_of_memory;
}
int cuMemFreeHost(void* memory) {
    CALL_IN_CONTEXT(cuMemFreeHost)
    return Memory::get().release(reinterpret_cast<Address>(memory)) ? success : invalid_value;
}
int cuMemsetD8Async(Address memory, unsigned char value, std::size_t bytes, void* stream) {
    CALL_IN_CONTEXT(cuMemsetD8Async)
    return start(stream, fill(memory, context().device, value, bytes));
}
int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* stream) {
    CALL_OUT_OF_CAPTURE(cuMemcpyAsync)
    return start(stream, copy(to, context().device, from, context().device, bytes));
}
int cuMemcpyPeerAsync(Address to, void* to_context, Address from, void* from_context, std::size_t bytes, void* stream) {
    CALL_OUT_OF_CAPTURE(cuMemcpyPeerAsync)
    const Context *there = Context::find(to_context), *here = Context::find(from_context);
    if (!there || !here) return invalid_context;
    if (here->fault != success) return here->fault;
    if (!is_on_card(to) || !is_on_card(from)) violation("cuMemcpyPeerAsync of memory that is no card's");
    return start(stream, copy(to, there->device, from, here->device, bytes));
}
}
#pragma GCC visibility pop
