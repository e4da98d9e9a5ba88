// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// program FOLDER CASE..: files that any number of ranks writes and reads. Prints the same text for all of them.
#include <sinter/checkpoint_file.hpp>
#include <sinter/png.hpp>
#include <sinter/random.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>
#include <sinter/text.hpp>

#include <unistd.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;
bool first = true;

template <class T, int Rank>
std::uint64_t hash_of(const Array<T, Rank>& a) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const T& element : a.to_vector()) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &element, sizeof(T));
        for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    }
    return hash;
}

template <class T, int Rank>
void show(const std::string& name, const Array<T, Rank>& a) {
    std::string shape;
    for (Long extent : a.shape()) shape += " " + std::to_string(extent);
    const auto hash = static_cast<unsigned long long>(hash_of(a));
    if (first) std::printf("%-16s %016llx%s\n", name.c_str(), hash, shape.c_str());
}

/// Saves an array and reads it again, as it is and into another type.
template <class T, int Rank>
void save(const std::string& folder, const std::string& name, const Array<T, Rank>& a) {
    const std::string path = folder + "/" + name + ".npy";
    save_npy(path, a);
    show(name, load_npy<T, Rank>(path));
    if constexpr (detail::is_complex<T>)
        show(name + " wide", load_npy<std::complex<double>, Rank>(path, convert));
    else
        show(name + " wide", load_npy<double, Rank>(path, convert));
}

Array<float, 2> matrix(Long rows, Long columns) {
    return run(
        generate(shape(rows, columns), [](auto i, auto j) { return cast<float>((i * 7919 + j * 104729) % 1009) * 0.37f; }));
}

void arrays(const std::string& folder, Long rows) {
    const Array<float, 2> a = matrix(rows, 37);
    const std::string of = std::to_string(rows);
    save(folder, "f32_" + of, a);
    save(folder, "bool_" + of, run(a > 100.f));
    save(folder, "f16_" + of, run(cast<half>(a)));
    save(folder, "i16_" + of, run(reshape(cast<std::int16_t>(slice(a, all, range(0, 36))), shape(rows, 4, 9))));
    const Array<std::complex<float>, 2> z = run(map([](auto x) { return record<std::complex<float>>(x, -x); }, a));
    save(folder, "c8_" + of, z);
    save(folder, "sum_" + of, run(sum(flatten(a))));
    save_npz(folder + "/all_" + of + ".npz", "a", a, "z", z, "n", run(sum(iota(5))));
    show("a of npz", load_npz<float, 2>(folder + "/all_" + of + ".npz", "a"));
    show("z of npz", load_npz<std::complex<float>, 2>(folder + "/all_" + of + ".npz", "z"));
    show("n of npz", load_npz<double, 0>(folder + "/all_" + of + ".npz", "n", convert));
}

/// What others have written.
void foreign(const std::string& folder) {
    for (const char* name : {"fortran", "tall", "flat"}) {
        show(name, load_npy<float, 2>(folder + "/" + name + ".npy"));
        show(name, load_npy<double, 2>(folder + "/" + name + ".npy", convert));
        show(name, load_npz<float, 2>(folder + "/foreign.npz", name));
    }
    show("deep", load_npy<std::complex<double>, 3>(folder + "/deep.npy"));
    show("big endian", load_npy<std::int32_t, 2>(folder + "/big.npy", convert));
    show("compressed", load_npz<float, 2>(folder + "/compressed.npz", "tall"));
}

/// Files that one rank writes for all.
void images(const std::string& folder) {
    for (Long rows : {Long{3}, Long{700}}) {
        const std::string of = folder + "/" + std::to_string(rows);
        const Array<std::uint8_t, 2> image = run(cast<std::uint8_t>(matrix(rows, 500)));
        save_png(of + ".png", image);
        show("image", load_png(of + ".png"));
        const Array<float, 2> table = matrix(rows, 50);
        save_txt(of + ".txt", table);
        show("table", load_txt<float, 2>(of + ".txt"));
    }
}

void caught(const char* name, void (*f)(const std::string&), const std::string& folder) try {
    f(folder);
    std::printf("%s: no error\n", name);
} catch (const Error& error) {
    if (first)
        std::printf("%s: %s\n", name, std::string(error.what()).substr(0, std::string(error.what()).rfind(" (")).c_str());
}

void errors(const std::string& folder) {
    caught("no file", [](const std::string& f) { load_npy<float>(f + "/none.npy"); }, folder);
    caught("cut", [](const std::string& f) { load_npy<float, 2>(f + "/cut.npy"); }, folder);
    caught("type", [](const std::string& f) { load_npy<double, 2>(f + "/tall.npy"); }, folder);
    caught("rank", [](const std::string& f) { load_npy<float, 3>(f + "/tall.npy"); }, folder);
    caught("no folder", [](const std::string& f) { save_npy(f + "/none/a.npy", matrix(2000, 20)); }, folder);
    caught("no such array", [](const std::string& f) { load_npz<float, 2>(f + "/foreign.npz", "none"); }, folder);
    caught("damaged", [](const std::string& f) { load_checkpoint<float, 2>(f + "/damaged.npz", "a"); }, folder);
    caught("twice", [](const std::string& f) { save_checkpoint(f + "/twice.npz", "a", 1, "a", 2); }, folder);
    caught("no image", [](const std::string& f) { load_png(f + "/tall.npy"); }, folder);
    caught("no table", [](const std::string& f) { load_txt<float>(f + "/none.txt"); }, folder);
    caught(
        "no such place",
        [](const std::string& f) { save_png(f + "/none/a.png", run(fill(shape(500, 500), std::uint8_t{1}))); }, folder);
    caught("nor such", [](const std::string& f) { save_txt(f + "/none/a.txt", matrix(2000, 20)); }, folder);
    caught("no place", [](const std::string& f) { save_checkpoint(f + "/none/a.npz", "a", matrix(2000, 20)); }, folder);
}

/// Steps of a loop from what the checkpoint has, or from the beginning, up to `end`; there are others every `each` steps.
void heat(const std::string& folder, Long end, Long each) {
    const std::string path = folder + "/heat.npz";
    const bool goes_on = has_checkpoint(path);
    Array<float, 2> u = goes_on ? load_checkpoint<float, 2>(path, "u") : matrix(211, 333);
    Long done = goes_on ? load_checkpoint<Long>(path, "step") : 0;
    auto step = compile([](Delayed<float, 2> v) {
        return stencil([](auto s) { return 0.2f * (s(0, 0) + s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); }, boundary::clamp,
                       v);
    });
    while (done < end) {
        u = step(std::move(u));
        if (++done % each == 0 && done < end) save_checkpoint(path, "u", u, "step", done, "total", run(sum(flatten(u))));
    }
    save_checkpoint(path, "u", u, "step", done, "total", run(sum(flatten(u))));
    show("heat", u);
}

/// Saves checkpoint after checkpoint: an array that is full of its own number.
void saves(const std::string& folder) {
    for (Long k = 0; k < 100000; ++k)
        save_checkpoint(folder + "/saves.npz", "a", run(fill(shape(500, 500), double(k))), "k", k);
}

/// A checkpoint that is there is complete.
void complete(const std::string& folder) {
    const std::string path = folder + "/saves.npz";
    if (!has_checkpoint(path)) return;
    const double k = double(load_checkpoint<Long>(path, "k"));
    const Array<double, 2> a = load_checkpoint<double, 2>(path, "a");
    if (!run(all(flatten(a == k))).item() && first) std::printf("the checkpoint has parts of several\n");
}

/// More than a rank has room for.
void large(const std::string& folder) {
    const Array<double, 2> a = load_npy<double, 2>(folder + "/large.npy");
    save_npy(folder + "/large_copy.npy", a);
    save_checkpoint(folder + "/large.npz", "a", a);
    const Array<double, 2> b = load_checkpoint<double, 2>(folder + "/large.npz", "a");
    const bool same =
        a.local().size() == b.local().size() && std::equal(a.local().begin(), a.local().end(), b.local().begin());
    if (!same || a.part().last - a.part().first > a.shape()[0] / 4) std::printf("other rows\n");
}

}  // namespace

int main(int argc, char** argv) {
    Ranks ranks(argc, argv);
    first = ranks.first();
    const std::string folder = argv[1], what = argv[2];
    if (what == "arrays")
        for (Long rows : {Long{0}, Long{1}, Long{5}, Long{1000}, Long{4001}}) arrays(folder, rows);
    if (what == "foreign") foreign(folder);
    if (what == "errors") errors(folder);
    if (what == "images") images(folder);
    if (what == "heat") heat(folder, std::atoi(argv[3]), 1000000);
    if (what == "long") {  // somebody will end one of these processes
        std::ofstream(folder + "/process" + std::to_string(ranks.rank())) << getpid() << std::endl;
        heat(folder, std::atoi(argv[3]), 7);
    }
    if (what == "saves") saves(folder);
    if (what == "complete") complete(folder);
    if (what == "large") large(folder);
}
