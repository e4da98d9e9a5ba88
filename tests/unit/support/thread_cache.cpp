// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/thread_cache.hpp"

#include <catch2/catch.hpp>

#include <thread>
#include <vector>

using sinter::ThreadCache;

namespace {

/// Disposed of by the thread under test; read after it has ended.
std::vector<int>& disposed() {
    static std::vector<int> list;
    return list;
}
struct Dispose {
    void operator()(int thing) const { disposed().push_back(thing); }
};
struct Things {
    ThreadCache<int, 3, Dispose> things;
};
constinit thread_local Things mine;

/// In the static storage of a thread, made before the object with which the cache cleans itself: it dies later.
struct Late {
    bool* kept;
    ~Late() { *kept = mine.things.keep(9); }
};

}  // namespace

TEST_CASE("a thread keeps a few things, and gives them back when it ends") {
    disposed().clear();
    bool kept_after_end = true;
    std::thread([&] {
        static thread_local Late late{&kept_after_end};
        static_cast<void>(late);
        CHECK(!mine.things.take());
        CHECK(mine.things.keep(1));
        CHECK(mine.things.keep(2));
        CHECK(mine.things.keep(3));
        CHECK(!mine.things.keep(4));
        CHECK(mine.things.take() == 3);
        CHECK(mine.things.keep(5));
        CHECK(mine.things.take() == 5);
    }).join();
    CHECK(disposed() == std::vector<int>{2, 1});
    CHECK(!kept_after_end);
}
