// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plug-in whose functions run programs. Its host (host.cpp) does not know the library.
#include <sinter/sinter.hpp>

#include <cstdint>
#include <exception>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;

template <class T>
T any_of(Long k, T i) {
    T e = i;
    for (int q = 0; q < 8; ++q) e = k >> q & 1 ? e * 3 + i : e ^ i;
    return e;
}

Long by_hand(Long n, Long k) {
    Long sum = 0;
    for (Long i = 0; i < n; ++i) sum += any_of(k, i);
    return sum;
}

template <class F>
bool holds(F f) {
    try {
        return f();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

/// True if program number k, with n elements, has the right result.
extern "C" bool plugin_program(Long n, Long k) {
    return holds([&] { return run(sum(map([=](Exp<Long> i) { return any_of(k, i); }, iota(n)))).item() == by_hand(n, k); });
}

/// The same of one that calls code of the plug-in.
extern "C" bool plugin_foreign(Long n) {
    return holds([&] {
        auto squares = [](const Array<Long>& x) { return run(x * x); };
        return run(sum(foreign("squares", squares, iota(n)))).item() == (n - 1) * n * (2 * n - 1) / 6;
    });
}

/// True if an error of the library is recognised as one here.
extern "C" bool plugin_error() {
    return holds([] {
        const Array<Long> x = run(iota(10));
        try {
            run(gather(x + Long{5}, x));
        } catch (const IndexError& error) {
            return std::string(error.what()).find("plugin.cpp") != std::string::npos;
        }
        return false;
    });
}

/// True if code is generated for program k.
extern "C" bool plugin_generates(Long k) {
    return holds([&] { return !explain(map([=](Exp<Long> i) { return any_of(k, i); }, iota(9))).kernels().empty(); });
}
