// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What explain_ranks says of messages is what the transport counts, byte by byte, on every rank; and halos are as large as
// the surface of the ranks' rows, and no larger.
#include <sinter/linalg.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;
const Ranks* ranks = nullptr;
int wrong = 0;

void expect(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "rank %d: %s\n", ranks->rank(), what.c_str());
    ++wrong;
}

/// Runs e; returns what the ranks receive for it, by rank.
template <class E>
RankExplanation compare(const char* name, const E& e) {
    const RankExplanation said = explain_ranks(e);
    const Long before = ranks->received();
    const auto result = run(e);
    const Long counted = ranks->received() - before, mine = said.received[std::size_t(ranks->rank())];
    Long all = 0;
    for (Long each : said.received) all += each;
    expect(said.data_decides || counted == mine,
           name + std::string(": said ") + std::to_string(mine) + ", counted " + std::to_string(counted) + "\n" + said.text);
    expect(said.data_decides || all >= said.at_least, name + std::string(": less than the least\n") + said.text);
    if (std::getenv("SHOW") && ranks->first()) std::printf("%s: %s\n", name, said.text.c_str());
    return said;
}

/// Every rank receives `above` rows from the ranks before its own, and `below` from those behind.
template <class E>
void compare_halo(const char* name, const E& e, Long rows, Long row_bytes, Long above, Long below) {
    const RankExplanation said = compare(name, e);
    const int count = ranks->count();
    Long surface = 0;
    for (int r = 0; r < count; ++r) {
        const Long begin = rows / count * r + std::min<Long>(r, rows % count),
                   length = rows / count + (r < rows % count ? 1 : 0);
        const Long halo = (std::min(above, begin) + std::min(below, rows - begin - length)) * row_bytes;
        surface += halo;
        expect(said.received[std::size_t(r)] == halo, name + std::string(": not the surface\n") + said.text);
    }
    expect(said.at_least == surface, name + std::string(": the least is not the surface\n") + said.text);
}

/// Around the outermost axis, ranks at its ends are neighbours.
template <class E>
void compare_periodic(const char* name, const E& e, Long rows_bytes) {
    const RankExplanation said = compare(name, e);
    for (Long each : said.received)
        expect(each == (ranks->count() > 1 ? rows_bytes : 0), name + std::string("\n") + said.text);
}

Array<float, 2> matrix(Long rows, Long columns) {
    return run(generate(shape(rows, columns), [](auto i, auto j) { return cast<float>(i * 31 + j * 7) * 0.5f; }));
}

void halos(Long n, Long m) {
    const Array<float, 2> u = matrix(n, m);
    auto five = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };
    compare_halo("five points", stencil(five, boundary::clamp, u), n, m * 4, 1, 1);
    compare_halo("two of them", stencil(five, boundary::clamp, stencil(five, boundary::clamp, u)), n, m * 4, 2, 2);
    compare_halo("above", stencil([](auto s) { return s(-3, 0) - s(0, 0); }, boundary::clamp, u), n, m * 4, 3, 0);
    compare_halo("constant", stencil([](auto s) { return s(-1, 0) + s(2, 0); }, boundary::constant(1.f), u), n, m * 4, 1, 2);
    compare_periodic("wrap", stencil(five, boundary::wrap, u), 2 * m * 4);
    compare_periodic("two wraps", stencil(five, boundary::wrap, stencil(five, boundary::wrap, u)), 4 * m * 4);
    compare_halo("map", u * 2.f, n, m * 4, 0, 0);
}

void others(Long n, Long m) {
    const Array<float, 2> u = matrix(n, m), v = matrix(n, m);
    compare("sum", sum(flatten(u * v)));
    compare("sums of rows", sum(u * v));
    compare("sums of columns", sum(transpose(u)));
    compare("transpose", transpose(u) * 1.5f);
    compare("product", matmul(u, transpose(v)));
    compare("scan", inclusive_scan(std::plus<>{}, flatten(u) * 0.5f));
    compare("reverse", reverse(u) + v);
    compare("scans of rows", inclusive_scan(std::plus<>{}, u));
    compare("gather", gather(generate(shape(n), [=](auto i) { return (i * 31) % (n * m); }), flatten(v)));
    auto five = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };
    compare("loop", for_loop(7, [=](auto, Delayed<float, 2> w) { return stencil(five, boundary::clamp, w); }, u));
    compare("kept", filter([](auto e) { return e > 50.f; }, flatten(u)));
    compare("sort", sort(flatten(u)));
    compare("histogram", histogram(8, std::plus<>{}, 0.f, generate(shape(n * m), [](auto i) { return i % 8; }), flatten(u)));
}

/// Updates in as many copies as one rank has, which all travel; of integers, one of each rank does.
void updates(Long n) {
    const Array<Long> bin = run(generate(shape(n), [](auto i) { return (i * 31) % 100; }));
    const Array<float> f = run(cast<float>(bin) * 0.3f);
    const int count = ranks->count();
    const RankExplanation counts = compare("counts", histogram(100, std::plus<>{}, Long{0}, bin, bin));
    expect(count == 1 || counts.text.find("by chunks") != counts.text.npos, "counts are not shared\n" + counts.text);
    expect(counts.received[0] >= 800 * (count - 1), "copies are missing\n" + counts.text);
    const RankExplanation sums = compare("sums", histogram(100, std::plus<>{}, 0.f, bin, f));
    expect(count == 1 || sums.received[0] > counts.received[0], "sums travel as one copy of each rank\n" + sums.text);
    compare("onto others", scatter(std::plus<>{}, run(slice(f, range(0, 100)) * 2.f), bin, f));
    compare("sums beside a map", std::get<0>(std::tuple(histogram(100, std::plus<>{}, 0.f, bin, f * 2.f), f * 2.f)));
}

}  // namespace

int main(int argc, char** argv) {
    const Ranks here(argc, argv);
    ranks = &here;
    halos(64, 33);
    halos(601, 100);
    others(64, 33);
    others(1000, 301);
    updates(400000);
    // What so many ranks would receive; one process knows.
    if (here.count() == 1) {
        const Array<float, 2> u = matrix(65536, 16);
        const RankExplanation said =
            explain_ranks(stencil([](auto s) { return s(-1, 0) + s(1, 0); }, boundary::clamp, u), 4096);
        expect(said.received.size() == 4096 && said.received[0] == 64 && said.received[7] == 128, said.text);
        expect(said.at_least == (2 * 4096 - 2) * 64, said.text);
    }
    return wrong == 0 ? 0 : 1;
}
