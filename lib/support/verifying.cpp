// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/verifying.hpp"

#include <cstdlib>
#include <string_view>

namespace sinter {

bool is_verifying() {
    static const bool asked = [] {
        const char* value = secure_getenv("SINTER_VERIFY");
        if (value && *value) return std::string_view(value) == "1";
#ifndef NDEBUG
        return true;
#else
        return false;
#endif
    }();
    return asked;
}

}  // namespace sinter
