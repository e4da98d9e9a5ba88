// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The errors. Everything that the library throws derives from sinter::Error.
#pragma once

#include <sinter/detail/export.hpp>

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>

namespace sinter {

/// Where a combinator was called in the user's program.
using location = std::source_location;

enum class ErrorKind : std::uint8_t {
    shape,        ///< extents that must be equal are not equal, or an extent is negative
    index,        ///< an index lies outside its array
    domain,       ///< integer division by zero
    usage,        ///< the library was used against its rules (an Exp outside its function, ...)
    memory,       ///< an array could not be allocated
    device,       ///< an accelerator is missing or failed
    limitation,   ///< legal, but not supported yet; the reference lists these
    internal,     ///< a defect of the library
    expectation,  ///< something that the user's program expects (expect) does not hold
    stopped,      ///< a run ended early, as its options demanded
};

/// The base of all errors. After an error, every array made before it is intact and the library can still be used. what()
/// ends with the user's line, "... (file.cpp:12)".
class SINTER_API Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message, location where);
    ~Error() override;

    ErrorKind kind() const noexcept { return kind_; }
    /// The call in the user's program that the error belongs to.
    const location& where() const noexcept { return where_; }

  private:
    ErrorKind kind_;
    location where_;
};

// The destructors are defined in the library, so that the types belong to it. Otherwise the library would use the definition
// of a plug-in that was loaded before, and that plug-in could never be unloaded.
#define SINTER_ERROR(Name, kind_name)                                                                     \
    class SINTER_API Name : public Error {                                                                \
      public:                                                                                             \
        Name(const std::string& message, location where) : Error(ErrorKind::kind_name, message, where) {} \
        ~Name() override;                                                                                 \
    }
SINTER_ERROR(ShapeError, shape);
SINTER_ERROR(IndexError, index);
SINTER_ERROR(DomainError, domain);
SINTER_ERROR(ExpectationError, expectation);
SINTER_ERROR(UsageError, usage);
SINTER_ERROR(MemoryError, memory);
SINTER_ERROR(DeviceError, device);
SINTER_ERROR(Limitation, limitation);
SINTER_ERROR(InternalError, internal);
SINTER_ERROR(Stopped, stopped);
#undef SINTER_ERROR

}  // namespace sinter
