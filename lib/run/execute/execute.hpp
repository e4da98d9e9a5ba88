// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a plan on manifest inputs.
#pragma once

#include "run/plan/plan.hpp"
#include "support/buffer.hpp"
#include "support/foreign.hpp"
#include "support/threads/run_control.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinter::runtime {

/// A manifest array of one scalar leaf. Arrays of rank 0 have one element.
struct Array {
    BufferRef buffer;
    std::vector<std::int64_t> shape;
};

/// Receives the results, one after the other.
class ResultSink {
  public:
    virtual void take(BufferRef buffer, std::span<const std::int64_t> shape) = 0;

  protected:
    ~ResultSink() = default;
};

/// An input of one execution: memory that outlives it, owned or not.
struct InputView {
    const void* data = nullptr;
    const BufferRef* owner = nullptr;  ///< null for literals; a result that is this input is then copied
    BufferRef* given = nullptr;        ///< the owner, if it is the only one and the execution may take the memory
    std::span<const std::int64_t> shape;

    bool is_on_device() const { return owner && (*owner)->on_device; }
    /// The element of an i64 array of rank 0.
    std::int64_t number() const {
        std::int64_t value;
        std::memcpy(&value, is_on_device() ? on_host(*owner)->data : data, sizeof value);
        return value;
    }
};

struct Sharing;

struct Call {
    std::span<const InputView> inputs;
    std::span<const std::int64_t> size_arguments;
    std::span<const ir::Site> sites;  ///< of this call, because the plan's program may come from an equal one
    location where;                   ///< of run() or the compiled function
    int threads = 1;
    std::span<const ForeignRef> functions = {};  ///< by number
    RunControl* control = nullptr;               ///< null if the caller asks for nothing
    Sharing* sharing = nullptr;                  ///< null if launches are not shared with other ranks
};

/// Returns the program's results. Throws ShapeError (guards, negative extents), IndexError, DomainError, MemoryError.
std::vector<Array> execute(const Plan& plan, const Call& call);

}  // namespace sinter::runtime
