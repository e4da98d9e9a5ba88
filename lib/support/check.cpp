// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter {

Error::Error(ErrorKind kind, const std::string& message, location where)
    : std::runtime_error(message), kind_(kind), where_(where) {}

Error::~Error() = default;
ShapeError::~ShapeError() = default;
IndexError::~IndexError() = default;
DomainError::~DomainError() = default;
UsageError::~UsageError() = default;
MemoryError::~MemoryError() = default;
DeviceError::~DeviceError() = default;
Limitation::~Limitation() = default;
InternalError::~InternalError() = default;

void fail_check(const std::string& message, location where) {
    throw InternalError(fmt::format("internal error: {} ({}:{})", message, where.file_name(), where.line()), where);
}

}  // namespace sinter
