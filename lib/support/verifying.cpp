// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/verifying.hpp"

#include "support/settings.hpp"

namespace sinter {

bool is_verifying() {
    static const bool asked = [] {
        if (const std::string_view value = setting("SINTER_VERIFY"); !value.empty()) return value == "1";
#ifndef NDEBUG
        return true;
#else
        return false;
#endif
    }();
    return asked;
}

}  // namespace sinter
