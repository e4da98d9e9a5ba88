// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/cards/support.hpp"

using namespace sinter;
using conform::on_gpu;

TEST_CASE("a gpu that is not there is a DeviceError that says what is missing", "[errors]") {
    const char* chosen = std::getenv("SINTER_TARGET");
    if (chosen && std::string_view(chosen).starts_with("gpu_emulated")) return;  // there is any number of these
    const Array<float> x = from(std::vector<float>(3));
    location where = location::current();
    try {
        run(x + 1.f, {.target = Target::gpu(1000)}, where);
        FAIL("there is a gpu 1000");
    } catch (const DeviceError& error) {
        const std::string text = error.what();
        const bool says = text.find("driver") != std::string::npos || text.find("device 1000") != std::string::npos;
        CHECK(says);
        CHECK(error.where().line() == where.line());
    }
    CHECK(run(x + 1.f).to_vector() == std::vector<float>(3, 1.f));
}

TEST_CASE("arrays go from one target to the other", "[interop]") {
    if (!on_gpu()) return;
    const Array<int> x = from(conform::numbers<int>(1000));
    const Array<int> there = run(x * 2, {.target = Target::gpu()});
    const Array<int> here = run(there + x, {.target = Target::host()});
    const Array<int> again = run(here - there, {.target = Target::gpu()});
    conform::require_same(x.to_vector(), again.to_vector());
}

TEST_CASE("a copy on the device does not outlive a change in place", "[consume]") {
    if (!on_gpu()) return;
    Array<int> x = from(std::vector<int>{1, 2, 3});
    CHECK(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{1, 2, 3});
    x = run(update(std::move(x), index(1), 9), {.target = Target::host()});
    CHECK(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{1, 9, 3});
}

TEST_CASE("a copy on the device does not outlive a loop that changes the array in place", "[consume]") {
    if (!on_gpu()) return;
    Array<int> x = from(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
    REQUIRE(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
    auto negate = [](Exp<std::int64_t> k, Delayed<int> y) { return update(y, index(k), 0 - y(k)); };
    const auto f =
        compile([&](Exp<std::int64_t> n, Delayed<int> y) { return for_loop(n, negate, y); }, {.target = Target::host()});
    x = f(6, std::move(x));
    CHECK(x.to_vector() == std::vector<int>{-1, -2, -3, -4, -5, -6, 7, 8});
    CHECK(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{-1, -2, -3, -4, -5, -6, 7, 8});
}

TEST_CASE("large arrays come to the device as they are, whatever becomes of them behind the call", "[interop]") {
    if (!on_gpu()) return;
    const std::int64_t n = (13 << 20) / 4 + 5;  // more pieces than are under way at once, and a part of one
    std::vector<std::int32_t> memory = conform::numbers<std::int32_t>(n);
    const std::vector<std::int32_t> before = memory;
    const auto copied = run(borrow(memory) + 1, {.target = Target::gpu()});
    std::fill(memory.begin(), memory.end(), -1);
    std::vector<std::int32_t> expected = before;
    for (std::int32_t& v : expected) v = static_cast<std::int32_t>(static_cast<std::uint32_t>(v) + 1);
    conform::require_same(expected, copied.to_vector());
}

TEST_CASE("runs follow each other without being looked at", "[interop]") {
    if (!on_gpu()) return;
    const Array<float> start = from(std::vector<float>(300, 1.f));
    Array<float> x = start;
    const auto step = compile([](Delayed<float> v) { return v * 2.f; }, {.target = Target::gpu()});
    for (int k = 0; k < 5; ++k) x = step(x);
    const Array<float> here = run(x + start, {.target = Target::host()});
    CHECK(here.to_vector() == std::vector<float>(300, 33.f));
    CHECK(x(299) == 32.f);
}

TEST_CASE("an extent that is on the device", "[interop]") {
    if (!on_gpu()) return;
    const Array<std::int64_t, 0> n = run(sum(from(std::vector<std::int64_t>{3, 4})), {.target = Target::gpu()});
    const auto made = compile([](Delayed<std::int64_t, 0> k) { return iota<std::int64_t>(k()); }, {.target = Target::gpu()});
    for (int call = 0; call < 3; ++call) CHECK(made(n).size() == 7);
}
