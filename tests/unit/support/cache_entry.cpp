// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/cache_entry.hpp"

#include <catch2/catch.hpp>

using sinter::decode_entry;
using sinter::encode_entry;

namespace {

const std::string key = "a key\nof two lines", value("a value\0with zeros", 18);

}  // namespace

TEST_CASE("an entry gives back its value for its key only") {
    const std::string file = encode_entry(key, value);
    REQUIRE(decode_entry(file, key) == value);
    REQUIRE_FALSE(decode_entry(file, key + " "));
    REQUIRE_FALSE(decode_entry(file, "a kez\nof two lines"));
    REQUIRE_FALSE(decode_entry(file, ""));
    REQUIRE(decode_entry(encode_entry("", ""), "") == "");
}

TEST_CASE("an entry that is cut anywhere, or longer, is refused") {
    const std::string file = encode_entry(key, value);
    for (std::size_t length = 0; length < file.size(); ++length) REQUIRE_FALSE(decode_entry(file.substr(0, length), key));
    REQUIRE_FALSE(decode_entry(file + '\0', key));
    REQUIRE_FALSE(decode_entry(file + file, key));
}

TEST_CASE("an entry with any bit flipped is refused") {
    const std::string file = encode_entry(key, value);
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
        std::string damaged = file;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        REQUIRE_FALSE(decode_entry(damaged, key));
    }
}
