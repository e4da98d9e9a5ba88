// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of every error ends in a place, once.
#include "support/check.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sinter;

namespace {

std::string at(location where) { return std::string(" (") + where.file_name() + ":" + std::to_string(where.line()) + ")"; }

template <class E, class F>
std::string text_of(F action) {
    try {
        action();
    } catch (const E& error) {
        return error.what();
    }
    return "no error";
}

const location here = location::current();

}  // namespace

TEST_CASE("the place of an error stands at the end of its text") {
    CHECK(text_of<ShapeError>([] { throw ShapeError("differ", here); }) == "differ" + at(here));
    CHECK(text_of<ShapeError>([] { throw ShapeError("differ", location()); }) == "differ");
}

TEST_CASE("an error without a place gets that of the call, and keeps its type") {
    auto called = [](auto action) { return [=] { with_place(here, action); }; };
    CHECK(text_of<ShapeError>(called([] { throw ShapeError("no", location()); })) == "no" + at(here));
    CHECK(text_of<IndexError>(called([] { throw IndexError("no", location()); })) == "no" + at(here));
    CHECK(text_of<DomainError>(called([] { throw DomainError("no", location()); })) == "no" + at(here));
    CHECK(text_of<UsageError>(called([] { throw UsageError("no", location()); })) == "no" + at(here));
    CHECK(text_of<MemoryError>(called([] { throw MemoryError("no", location()); })) == "no" + at(here));
    CHECK(text_of<DeviceError>(called([] { throw DeviceError("no", location()); })) == "no" + at(here));
    CHECK(text_of<Limitation>(called([] { throw Limitation("no", location()); })) == "no" + at(here));
    const location other = location::current();
    CHECK(text_of<IndexError>(called([=] { throw IndexError("no", other); })) == "no" + at(other));
}

TEST_CASE("an internal error has the library's line, then the call's") {
    const location library = location::current();
    auto fails = [=] { with_place(here, [=] { fail_check("broken", library); }); };
    CHECK(text_of<InternalError>(fails) == "internal error: broken" + at(library) + at(here));
}
