// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text/dump.hpp"

#include "support/settings.hpp"
#include "support/text/user_text.hpp"

#include <cstdio>
#include <string>

namespace sinter {

namespace {

const std::string& stages() {
    static const auto& list = *new std::string([] {  // never destroyed
        const std::string_view value = setting("SINTER_DUMP");
        return value.empty() ? std::string() : "," + std::string(value) + ",";
    }());
    return list;
}

}  // namespace

bool dumps(std::string_view stage) {
    if (stages().empty()) return false;
    auto listed = [](std::string_view name) { return stages().find("," + std::string(name) + ",") != std::string::npos; };
    return listed(stage) || listed("all");
}

void dump(std::string_view stage, std::string_view text) {
    std::string block = "--- " + std::string(stage) + "\n" + std::string(text);
    if (block.back() != '\n') block += '\n';
    if (const std::string texts = texts_in(text); !texts.empty()) block += "--- texts\n" + texts;
    std::fwrite(block.data(), 1, block.size(), stderr);
}

}  // namespace sinter
