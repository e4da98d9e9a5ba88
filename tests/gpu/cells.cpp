// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the test driver takes down of accesses: that one cell stands for a word hides no race, and makes none up.
#include "driver/races.hpp"

#include <cstdio>

namespace {

using namespace driver;

constexpr std::uint32_t launch = 1;

Access store_of(std::uint32_t thread, std::uint32_t epoch = 0) { return {{0, thread / 32, thread, epoch, 0}, true}; }
Access load_of(std::uint32_t thread, std::uint32_t epoch = 0) { return {{0, thread / 32, thread, epoch, 0}}; }

int failures = 0;

void expect(bool condition, const char* what) {
    if (condition) return;
    std::printf("not so: %s\n", what);
    ++failures;
}

void parts_of_a_word() {
    Cells cells(16);
    expect(!cells.note(4, 1, launch, store_of(1)), "a byte may be stored");
    expect(!cells.note(5, 1, launch, store_of(2)), "another thread may store its neighbour");
    expect(cells.note(5, 1, launch, load_of(1)), "a load of what another thread stored is a race");
    expect(!cells.note(6, 2, launch, load_of(3)), "the rest of the word is untouched");
    expect(cells.note(6, 1, launch, store_of(1)), "a store to what another thread loaded is a race");
}

void words_before_and_after_parts() {
    Cells cells(16);
    expect(!cells.note(0, 16, launch, store_of(1)), "16 bytes may be stored");
    expect(cells.note(9, 1, launch, load_of(2)), "each byte of them was");
    expect(!cells.note(9, 1, launch, load_of(3, 1)), "after a barrier it may be loaded");
    expect(cells.note(8, 4, launch, store_of(4, 1)), "a store to the word then meets that load");
    expect(!cells.note(12, 4, launch, store_of(4, 1)), "and one to the next word meets nothing");
}

void launches() {
    Cells cells(8);
    cells.note(1, 1, launch, store_of(1));
    expect(!cells.note(0, 8, launch + 1, load_of(2)), "the next launch begins afresh");
    expect(cells.note(2, 2, launch + 1, store_of(3)), "a part of a word that was loaded meets that load");
}

}  // namespace

int main() {
    parts_of_a_word();
    words_before_and_after_parts();
    launches();
    return failures == 0 ? 0 : 1;
}
