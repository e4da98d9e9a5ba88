// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/pool.hpp"

#include <catch2/catch.hpp>

using sinter::Pool;

TEST_CASE("a pool keeps to its limit") {
    Pool pool(std::size_t{8} << 20);
    void* large = pool.take(std::size_t{6} << 20);
    REQUIRE_THROWS_AS(pool.take(std::size_t{4} << 20), std::bad_alloc);
    REQUIRE(pool.bytes_in_use() == std::size_t{6} << 20);
    void* small = pool.take(1000);
    pool.give_back(large, std::size_t{6} << 20);
    REQUIRE(pool.bytes_cached() == std::size_t{6} << 20);
    void* other = pool.take(std::size_t{4} << 20);  // what is cached makes way
    REQUIRE(pool.bytes_cached() == 0);
    REQUIRE_THROWS_AS(pool.take(std::size_t{9} << 20), std::bad_alloc);
    pool.give_back(other, std::size_t{4} << 20);
    pool.give_back(small, 1000);
    REQUIRE(pool.take(std::size_t{4} << 20) == other);
    pool.give_back(other, std::size_t{4} << 20);
    pool.trim();
    REQUIRE(pool.bytes_in_use() + pool.bytes_cached() == 0);
}
