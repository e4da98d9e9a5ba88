// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Links objects with LLVM.
#pragma once

#include "jit/generator/image.hpp"
#include "support/check.hpp"

#include <llvm/Support/Error.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinter::codegen {

/// Throws the error, if it is one: linking what was compiled here cannot fail.
inline void require(llvm::Error error) {
    if (error) fail_check("linking a kernel: " + llvm::toString(std::move(error)), location::current());
}

template <class T>
T require(llvm::Expected<T> value) {
    if (!value) require(value.takeError());
    if constexpr (std::is_reference_v<T>)
        return *value;
    else
        return std::move(*value);
}

/// LLVM's linker makes pages executable that it has written. Limitation if the process may not (prctl(PR_SET_MDWE)).
void need_executable_pages();

/// These implement Generator::link and link_emulated.
std::unique_ptr<Image> link_with_orc(const std::string& object);
std::unique_ptr<Image> link_emulated(const std::string& object, const std::vector<std::pair<const char*, void*>>& functions);

}  // namespace sinter::codegen
