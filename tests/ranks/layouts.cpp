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

template <int Times = 40>
Exp<float> dear(Exp<float> x) {
    for (int k = 0; k < Times; ++k) x = sin(x) + cos(x * 0.7f);
    return x;
}

/// Ranks cannot share the launch of a scatter without an operator, but the map that makes its values, which one rank fuses
/// with it. Several values meet at an element: the same one wins.
void dear_values() {
    constexpr Long n = 1 << 17;
    const Array<float> x = run(generate(shape(n), [](auto i) { return cast<float>(i % 1000) * 0.001f; }));
    const auto at = generate(shape(n), [](auto i) { return (i * 7919) % 50021; });
    const auto e = sum(force(scatter(fill(shape(n), 0.f), at, map(dear<>, x))));
    const RankExplanation said = show("dear values", e);
    expect(has(said, "Stored, since less travels then: map") && has(said, "by points"),
           "the map is not shared\n" + said.text);
}

/// Ranks exchange columns of one array, and not of the three from which it is made.
void transposed_sum() {
    constexpr Long n = 1024;
    auto part = [n](float by) {
        return run(generate(shape(n, n), [by](auto i, auto j) { return cast<float>((i * 31 + j) % 1000) * by; }));
    };
    const Array<float, 2> a = part(.1f), b = part(.2f), c = part(.3f);
    const RankExplanation said = show("transposed sum", sum(flatten(force(transpose(a * b + c) * 2.f))));
    const Long count = ranks->count(), own = n * n * 4 / count;
    expect(has(said, "Stored, since less travels then"), "three arrays travel\n" + said.text);
    for (Long bytes : said.received) expect(bytes <= own + own / 8 + 65536, "three arrays travel\n" + said.text);
}

/// Rows and columns of one array: a rank needs its rows and the columns of the others', and not all of it.
void rows_and_columns() {
    constexpr Long n = 1024;
    const Array<float, 2> a =
        run(generate(shape(n, n), [](auto i, auto j) { return cast<float>((i * 31 + j) % 1000) * 0.1f; }));
    const RankExplanation said = show("rows and columns", sum(flatten(force(a * transpose(a) + a))));
    const Long count = ranks->count(), own = n * n * 4 / count;
    for (Long bytes : said.received) expect(bytes <= own + own / 8 + 65536, "the array is gathered\n" + said.text);
}

/// The same in a loop.
void reversed_states() {
    const Array<float> x = run(generate(shape(1 << 19), [](auto i) { return sin(cast<float>(i)); })), y = run(x * 0.5f);
    const auto e = for_loop(5, [=](auto, Delayed<float, 1> u) { return reverse(map(dear<6>, u * x + y)) * 0.5f + x; }, x);
    const RankExplanation said = show("reversed states", sum(force(e)));
    expect(has(said, "Stored, since less travels then"), "three arrays travel\n" + said.text);
}

/// An array that is both the first state and read in the body of a loop that ranks do not share: it travels once.
void read_in_a_loop() {
    const Array<float> x = run(generate(shape(1 << 19), [](auto i) { return sin(cast<float>(i)); }));
    show("read in a loop", sum(force(for_loop(2, [=](auto, Delayed<float, 1> u) { return reverse(u) + x; }, x))));
}

/// The order in which a float sum is added belongs to its kernel: ranks do not store what is fused with it.
void summed_in_order() {
    const Array<float> x = run(generate(shape(1 << 20), [](auto i) { return sin(cast<float>(i)); })), y = run(x * 0.5f);
    const RankExplanation said = show("summed in order", sum(reverse(x * y + 1.f) * x));
    expect(!has(said, "Stored"), "the sum has another kernel than on one rank\n" + said.text);
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
    dear_values();
    transposed_sum();
    rows_and_columns();
    reversed_states();
    read_in_a_loop();
    summed_in_order();
    small();
    return wrong == 0 ? 0 : 1;
}
