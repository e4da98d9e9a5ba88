// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs graphs: the functions that run, compile and explain call. Definitions: lib/run.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/error.hpp>
#include <sinter/options.hpp>

#include <string>
#include <vector>

namespace sinter::detail {

/// Computes the leaves; out[i] is a manifest array (an Input node) equal to leaves[i].
SINTER_API void run(const LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out);

/// The same for a graph that nobody will use again: the leaves are released. Arrays that only the graph owns may be updated
/// in place.
SINTER_API void run_given(LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out);

/// A compiled program, shared by its owners; thread-safe.
struct Executable;
SINTER_API void retain(Executable* executable) noexcept;
SINTER_API void release(Executable* executable) noexcept;

/// parameters: Parameter nodes of the traced program, in order. The caller holds the reference that is returned.
SINTER_API Executable* compile(const LeafRef* parameters, std::size_t parameter_count, const LeafRef* results,
                               std::size_t result_count, const Options& options, location where);

/// The same program; calls of it end early and report as these options say. UsageError if the options set anything else.
SINTER_API Executable* with_options(Executable* executable, const Options& options, location where);

/// An argument of a call: a manifest array, or the bits of a scalar where `array` is null.
struct Argument {
    const LeafRef* array = nullptr;
    std::uint64_t bits = 0;
    bool lent = false;  ///< for an array: the caller still owns it
};
/// One argument per parameter; out: one manifest array per result.
SINTER_API void call(Executable* executable, const Argument* arguments, LeafRef* out, location where);

struct ClusterExplanation {
    std::vector<std::string> operations;  ///< with the places of their calls
    std::vector<std::string> inputs, outputs;
    std::vector<std::string> copies;  ///< arrays that are copied before they are updated, and why
    std::int64_t bytes = 0;           ///< read and written, at the extents known
};

struct ExplanationData {
    std::vector<ClusterExplanation> clusters;
    std::vector<std::string> manifest;
    std::int64_t bytes_moved = 0;
    double gap = 0, solve_time = 0;
    std::string text, dot;
};

struct KernelExplanation {
    std::string name;
    std::vector<std::string> inputs, outputs;
    std::string loop_ir;
    std::string schedule;  ///< how it runs on arrays of usual sizes, and why; empty for the interpreter
    std::string llvm_ir, assembly;
};

SINTER_API ExplanationData explain(const LeafRef* leaves, std::size_t count, const Options& options, location where);
SINTER_API std::vector<KernelExplanation> explain_kernels(const LeafRef* leaves, std::size_t count, const Options& options,
                                                          location where);
/// The drawing that Graphviz makes from a dot text. Limitation where Graphviz is not installed.
SINTER_API std::string draw_svg(const std::string& dot, location where);

/// Calls work(context), which must not throw, once: on another thread, or on this one if the system can start no more.
SINTER_API void run_in_background(void (*work)(void* context), void* context);

}  // namespace sinter::detail
