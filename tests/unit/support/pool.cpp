// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/pool.hpp"

#include "support/threads/shared_memory.hpp"

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

TEST_CASE("memory that other processes can map counts as other memory") {
    if (!sinter::can_share_memory()) return;
    constexpr auto shared = Pool::Kind::shared;
    Pool pool(std::size_t{8} << 20);
    void* shown = pool.take(std::size_t{6} << 20, shared);
    REQUIRE(sinter::offset_in_shared(shown) >= 0);
    REQUIRE(sinter::offset_in_shared(&pool) == -1);
    REQUIRE_THROWS_AS(pool.take(std::size_t{4} << 20), std::bad_alloc);
    pool.give_back(shown, std::size_t{6} << 20, shared);
    REQUIRE(pool.take(std::size_t{6} << 20, shared) == shown);
    const std::int64_t first = sinter::offset_in_shared(shown);
    pool.give_back(shown, std::size_t{6} << 20, shared);
    void* own = pool.take(std::size_t{4} << 20);  // what is cached makes way
    REQUIRE(pool.bytes_cached() == 0);
    pool.give_back(own, std::size_t{4} << 20);
    void* again = pool.take(std::size_t{6} << 20, shared);
    REQUIRE(pool.bytes_cached() == 0);
    REQUIRE(sinter::offset_in_shared(again) > first);  // no place is used twice
    pool.give_back(again, std::size_t{6} << 20, shared);
    pool.trim();
}
