// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The errors of an execution in words: the operation, the shapes or values, the user's line.
#pragma once

#include "ir/program.hpp"
#include "lower/kernel.hpp"
#include "run/backend.hpp"
#include "run/execute/execute.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinter::runtime {

[[noreturn]] void throw_guard_failure(const ir::SizeTable& sizes, const ir::Guard& guard, std::int64_t left,
                                      std::int64_t right, location where);

/// Throws the IndexError or DomainError that a kernel reported. `kernel_sites` maps the kernel's sites to the program's.
[[noreturn]] void throw_check_failure(const lower::Check& check, const ErrorSlot& error,
                                      std::span<const ir::SiteId> kernel_sites, const ir::Program& program,
                                      std::span<const ir::Site> sites);

/// Throws the ShapeError of an array that cannot exist: it has negative extents, or 2^63 elements or more.
[[noreturn]] void throw_bad_shape(std::span<const std::int64_t> shape, ir::SiteId site, const ir::Program& program,
                                  std::span<const ir::Site> sites);

/// Throws the Stopped of a run that ends in or before the operation of a site.
[[noreturn]] void throw_stopped(const Call& call, ir::SiteId site, const ir::Program& program);

/// Throws the Limitation of a kernel whose sizes are not are_small().
[[noreturn]] void throw_too_large(ir::SiteId site, const ir::Program& program, std::span<const ir::Site> sites);

/// Calls f() and turns a CodeTooLarge into one of this operation.
template <class F>
auto with_operation(const UserOperation& operation, F f) {
    try {
        return f();
    } catch (const CodeTooLarge& error) {
        throw CodeTooLarge(error.what(), operation);
    }
}

/// Throws the Limitation that a CodeTooLarge means for the user.
[[noreturn]] void throw_code_too_large(const CodeTooLarge& error, std::span<const ir::Site> sites);

/// Bytes of an array; ShapeError if an extent is negative, MemoryError if the product exceeds the address space.
std::size_t checked_bytes(ir::Scalar scalar, std::span<const std::int64_t> shape, location where);

/// `backend`: the one whose memory is short, if that may be a device's.
[[noreturn]] void throw_out_of_memory(ir::Scalar scalar, std::span<const std::int64_t> shape, std::size_t bytes,
                                      location where, Backend* backend = nullptr);

/// For example "f32[3, 4]".
std::string describe(ir::Scalar scalar, std::span<const std::int64_t> shape);

}  // namespace sinter::runtime
