// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiled kernels by the canonical text of their cluster: they are found in memory or on disk before anything is lowered.
#pragma once

#include "ir/program.hpp"
#include "lower/kernel.hpp"
#include "run/backend.hpp"
#include "support/code_charge.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace sinter::runtime {

/// A kernel and what a launch needs to know about it.
struct CachedKernel {
    lower::Kernel kernel;
    std::unique_ptr<CompiledKernel> code;
    CodeCharge charge;
    std::uint64_t digest = 0;  ///< of its cluster's text, the same in every process
};

struct KernelOptions {
    bool checked = true;    ///< index checks are generated
    bool contract = false;  ///< products may keep their exact value until they are added
    bool tf32 = false;      ///< factors of such products of floats may be rounded to TF32
    bool certain = true;    ///< somebody will launch the kernel: code that any launch needs is generated at once
    std::vector<std::size_t> free = {};  ///< the inputs that nobody reads afterwards (lower/outputs/takes.hpp)
};

/// Counters since the process started.
struct KernelStatistics {
    std::uint64_t hits = 0;
    std::uint64_t compiled = 0;
    double compile_seconds = 0;  ///< lowering and code generation
};

/// Thread-safe. A kernel that several threads want at once is compiled once. The cache finds a kernel as long as anybody has
/// it; plans do.
class KernelCache {
  public:
    /// The kernel of `cluster` for `backend`, compiled on first use (or loaded: backends keep their code on disk).
    std::shared_ptr<const CachedKernel> find_or_compile(const ir::Program& cluster, const KernelOptions& options,
                                                        Backend& backend);
    KernelStatistics statistics() const;
    void clear();

  private:
    using Promise = std::promise<std::shared_ptr<const CachedKernel>>;
    using Pending = std::shared_future<std::shared_ptr<const CachedKernel>>;
    struct Entry {
        std::weak_ptr<const CachedKernel> kernel;
        Pending pending;  ///< valid during compilation
    };
    using Kernels = std::unordered_map<std::string, Entry>;

    std::shared_ptr<const CachedKernel> find_or_make(const ir::Program& cluster, const KernelOptions& options,
                                                     Backend& backend);
    Kernels& kernels_of(const Backend& backend);
    void keep(Kernels& kernels, const std::string& key, const std::shared_ptr<const CachedKernel>& kernel);

    mutable std::mutex mutex_;
    std::map<const Backend*, Kernels> kernels_;
    std::map<const Kernels*, std::size_t> sweep_at_;  ///< the number of entries from which on it is worth looking for some
                                                      ///< to remove
    KernelStatistics statistics_;
};

}  // namespace sinter::runtime
