// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter {

namespace {

std::string with_line(const std::string& message, location where) {
    return where.line() == 0 ? message : fmt::format("{} ({}:{})", message, where.file_name(), where.line());
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message, location where)
    : std::runtime_error(with_line(message, where)), kind_(kind), where_(where) {}

Error::~Error() = default;
ShapeError::~ShapeError() = default;
IndexError::~IndexError() = default;
DomainError::~DomainError() = default;
ExpectationError::~ExpectationError() = default;
UsageError::~UsageError() = default;
MemoryError::~MemoryError() = default;
DeviceError::~DeviceError() = default;
Limitation::~Limitation() = default;
InternalError::~InternalError() = default;
Stopped::~Stopped() = default;

void fail_check(const std::string& message, location where) {
    // the line is in the library, not in the user's program
    throw InternalError(with_line("internal error: " + message, where), location());
}

void throw_at(const Error& error, location where) {
    const std::string message = error.what();
    switch (error.kind()) {
        case ErrorKind::shape:
            throw ShapeError(message, where);
        case ErrorKind::index:
            throw IndexError(message, where);
        case ErrorKind::domain:
            throw DomainError(message, where);
        case ErrorKind::expectation:
            throw ExpectationError(message, where);
        case ErrorKind::usage:
            throw UsageError(message, where);
        case ErrorKind::memory:
            throw MemoryError(message, where);
        case ErrorKind::device:
            throw DeviceError(message, where);
        case ErrorKind::limitation:
            throw Limitation(message, where);
        case ErrorKind::stopped:
            throw Stopped(message, where);
        case ErrorKind::internal:
            break;
    }
    throw InternalError(message, where);
}

}  // namespace sinter
