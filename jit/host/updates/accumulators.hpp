// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a kernel that updates accumulators (lower/kernel.hpp), or other arrays beside loops or accumulators: runs of
/// points, or chunks of a scan, on several threads, each with arrays of its own to update, which are combined in order. The
/// results' bits depend on extents alone.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "run/backend.hpp"
#include "schedule/decision.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace sinter::host {

/// Where the copies are that runs update.
struct ArrayCopies {
    /// By value, counted over all groups: the first run's array, that of the second, and how far the following are apart.
    struct Array {
        char *first, *second;
        std::size_t stride;
    };
    std::vector<Array> arrays;

    void* at(std::int64_t run, std::size_t value) const {
        const Array& array = arrays[value];
        return run == 0 ? array.first : array.second + static_cast<std::size_t>(run - 1) * array.stride;
    }
};

/// Thread-safe.
class Accumulators {
  public:
    /// `kernel` accumulates (schedule/ways/updates.hpp).
    Accumulators(const lower::Kernel& kernel, const std::shared_ptr<const Target>& target);

    /// `code`: the kernel as it is, scheduled as `decision` says.
    void launch(const WayCode& way_code, const KernelCode& code, const schedule::Decision& decision,
                const runtime::Launch& launch) const;

    /// Executes these runs, [first, last) of those that tasks consist of. Their copies begin as they have to, but that of
    /// the first run where it begins as a copy of an input, which the caller has copied. `entry`: of the unchanged kernel.
    using Range = std::pair<std::int64_t, std::int64_t>;
    void run(emit::Entry entry, const KernelCode& code, const schedule::Tasks& tasks, Range runs, const ArrayCopies& copies,
             const runtime::Launch& launch) const;
    /// Combines the copies of these runs, in their order, into that of the first.
    void merge(const schedule::Tasks& tasks, Range runs, const ArrayCopies& copies, const runtime::Launch& launch) const;

    /// Arrays that one instruction updates together.
    struct Group {
        std::size_t first;                   ///< buffer
        std::vector<std::uint64_t> initial;  ///< empty for arrays that begin as copies of others
        std::vector<std::uint64_t> neutral;
        std::vector<std::size_t> bytes;  ///< of an element
        lower::SizeId elements;          ///< an entry of the kernel's size table
        std::unique_ptr<const KernelCode> merged;
    };

    const std::vector<Group>& groups() const { return groups_; }

  private:
    void launch_apart(const WayCode& way_code, const KernelCode& code, const schedule::Tasks& tasks,
                      const runtime::Launch& launch) const;

    std::vector<Group> groups_;
};

}  // namespace sinter::host
