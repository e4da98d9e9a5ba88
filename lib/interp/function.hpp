// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Evaluates one scalar function on bit patterns.
#pragma once

#include "interp/array.hpp"
#include "interp/machine.hpp"

namespace sinter::interp {

/// Thrown where execution cannot continue; the caller knows the operation and its site.
struct Failure {
    enum class Kind : std::uint8_t { index, divisor, length, total, expect } kind;
    std::int64_t index = 0;   ///< the offending index, or the number of the segment or element
    std::int64_t extent = 0;  ///< extent of the axis that the index is outside of
    std::size_t axis = 0;
    std::uint64_t text = 0;  ///< for expect: the user's text
};

/// The row-major offset of an index vector; throws Failure if it lies outside `shape`.
std::int64_t offset_of(std::span<const std::int64_t> index, std::span<const std::int64_t> shape);

/// Executes functions without math operations (see expand_math). Throws Failure.
class FunctionMachine : public Machine {
  public:
    /// The function and the arrays that it reads must outlive the machine.
    FunctionMachine(const ir::Fn& fn, std::vector<const ArrayValue*> arrays) : fn_(fn), arrays_(std::move(arrays)) {}

    void operator()(std::span<const std::uint64_t> arguments, std::vector<std::uint64_t>& results) {
        call(fn_.body, arguments, results);
    }

  private:
    void execute_special(const ir::Inst& inst) override;
    void segment_end(const ir::Inst& inst);
    void check_index(const ir::Inst& inst);
    void expect(const ir::Inst& inst);
    void debug_print(const ir::Inst& inst);
    void divided_by_zero(const ir::Inst& inst) override;

    const ir::Fn& fn_;
    std::vector<const ArrayValue*> arrays_;
    std::vector<std::int64_t> index_;  ///< of what is read
};

}  // namespace sinter::interp
