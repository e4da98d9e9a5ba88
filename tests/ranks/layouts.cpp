// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts are chosen for all launches of a program together: what is received, and how launches are shared, where the best
// choice for each launch alone is not the best for all. Prints results, which are the same for any number of ranks.
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cinttypes>
#include <cstdio>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;
const Ranks* ranks = nullptr;
int wrong = 0;

void expect(bool holds, const std::string& what) {
    if (holds || ranks->count() == 1) return;
    std::fprintf(stderr, "rank %d: %s\n", ranks->rank(), what.c_str());
    ++wrong;
}

bool has(const RankExplanation& said, const char* text) { return said.text.find(text) != said.text.npos; }

/// Runs e, whose result is one number, and prints that; what is received is what was said.
template <class E>
RankExplanation show(const char* name, const E& e) {
    const RankExplanation said = explain_ranks(e);
    const Long before = ranks->received();
    const float result = run(e).item();
    const Long counted = ranks->received() - before;
    expect(counted == said.received[std::size_t(ranks->rank())],
           name + std::string(": counted ") + std::to_string(counted) + "\n" + said.text);
    if (ranks->first()) std::printf("%s %a\n", name, result);
    return said;
}

/// A table that is cheap to make, and read everywhere: making it on every rank takes less than sending it.
void cheap_table() {
    constexpr Long n = 1 << 20;
    const auto table = force(generate(shape(n), [](auto i) { return cast<float>(i % 1000) * 0.5f; }));
    const auto e = sum(generate(shape(n), [=](auto i) {
        auto x = table((i * 7919 + i * i % 31) % n);
        return sin(x) * cos(x * 0.3f) + sqrt(x);
    }));
    const RankExplanation said = show("cheap table", e);
    expect(has(said, "whole") && has(said, "by chunks"), "the table is shared, or its reader is not\n" + said.text);
    for (Long bytes : said.received) expect(bytes < n, "the table is gathered\n" + said.text);
}

/// A table that is dear to make is made together and then gathered.
void dear_table() {
    constexpr Long n = 1 << 16;
    const auto table = force(generate(shape(n), [](auto i) {
        auto x = cast<float>(i % 1000) * 0.001f;
        for (int k = 0; k < 60; ++k) x = sin(x) + cos(x * 0.7f);
        return x;
    }));
    const auto e = sum(generate(shape(4 * n), [=](auto i) { return sin(table((i * 7919 + i * i % 31) % n)); }));
    const RankExplanation said = show("dear table", e);
    expect(has(said, "by points") && has(said, "gathers"), "the table is not shared\n" + said.text);
}

/// Launches of which none is worth a meeting of the ranks, but all are.
void many_launches() {
    auto x = force(generate(shape(1 << 17), [](auto i) { return cast<float>(i % 1000) * 0.001f; }));
    for (int k = 0; k < 12; ++k) x = force(map([](Exp<float> e) { return sqrt(e * e * 0.9f + 1.f) - 0.5f; }, x));
    const RankExplanation said = show("many launches", sum(x));
    expect(has(said, "by points") && has(said, "Chosen together"), "nothing is shared\n" + said.text);
}

/// Two readers each of which would rather have half of an array than all of it: together they receive it once.
void two_readers() {
    const Array<float> x = run(generate(shape(1 << 20), [](auto i) { return sin(cast<float>(i)); }));
    const auto a = force(reverse(x) * x), b = force(rotate(x, 1 << 19) + x), c = force(reverse(x) - rotate(x, 3 << 18));
    const RankExplanation said = show("two readers", sum(a + b * c));
    const Long count = ranks->count();
    for (Long bytes : said.received)
        expect(bytes <= (4 << 20) * (count - 1) / count + (1 << 19), "rows are received twice\n" + said.text);
}

/// Below everything.
void small() {
    const RankExplanation said = show("small", sum(generate(shape(1000), [](auto i) { return cast<float>(i); })));
    for (Long bytes : said.received) expect(bytes == 0, "it is shared\n" + said.text);
}

}  // namespace

int main(int argc, char** argv) {
    const Ranks here(argc, argv);
    ranks = &here;
    cheap_table();
    dear_table();
    many_launches();
    two_readers();
    small();
    return wrong == 0 ? 0 : 1;
}
