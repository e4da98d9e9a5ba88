// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes kernels given as text by the interpreter and by generated code, and compares.
#pragma once

#include <catch2/catch.hpp>

#include "interp/kernel.hpp"
#include "ir/sizes/size_arithmetic.hpp"
#include "jit/gpu/gpu.hpp"
#include "jit/host/host.hpp"
#include "lower/kernel.hpp"
#include "lower/text/parse.hpp"
#include "support/buffer.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace jit_test {

using sinter::detail::Scalar;

inline constexpr int gpu = -1, quick = -2;

/// Backends of all vector widths this machine can run; the widest with quick code only; and the emulated gpu, which leaves
/// to one of these what it does not.
inline sinter::runtime::Backend& backend(int vector_bits) {
    using sinter::codegen::Effort;
    static std::map<int, std::unique_ptr<sinter::runtime::Backend>> backends;
    auto& result = backends[vector_bits];
    if (!result && vector_bits == gpu)
        result = sinter::gpu::make_emulated_backend([]() -> sinter::runtime::Backend& { return backend(256); });
    if (!result && vector_bits == quick) result = sinter::host::make_host_backend({.effort = Effort::quick});
    if (!result) result = sinter::host::make_host_backend({vector_bits, Effort::full});
    return *result;
}

/// Values of size arguments to values of all entries.
inline std::vector<std::int64_t> evaluate_sizes(const sinter::ir::SizeTable& table,
                                                const std::vector<std::int64_t>& arguments) {
    using Kind = sinter::ir::Size::Kind;
    std::vector<std::int64_t> v;
    for (std::size_t k = 0; k < table.count(); ++k) {
        const sinter::ir::Size& s = table[sinter::ir::SizeId(k)];
        if (s.kind == Kind::input_extent || s.kind == Kind::value) FAIL("size of this kind in a test kernel");
        if (s.kind == Kind::argument)
            v.push_back(arguments.at(static_cast<std::size_t>(s.index)));
        else if (s.kind == Kind::constant)
            v.push_back(s.index);
        else
            v.push_back(sinter::ir::apply(s.kind, v[s.left.index], v[s.right.index]));
    }
    return v;
}

struct Data {
    std::vector<std::vector<char>> memory;
    std::vector<void*> pointers;
};

enum class Fill { small, wild };  ///< small integers (exact in every order), or any values, NaN and infinities too

inline std::uint64_t random_pattern(Scalar s, Fill fill, std::mt19937_64& random) {
    using namespace sinter::detail;
    const std::uint64_t any = random();
    if (s == Scalar::boolean) return any & 1;
    if (fill == Fill::wild) {
        if (!is_float(s)) return any % 5 == 0 ? (any >> 32) % 9 - 4 : any;
        const double special[] = {
            0.0,  -0.0,  1.0,     -1.0,   INFINITY, -INFINITY, NAN,           2147483648.0,         -3e9,          0.5, 2.5,
            -2.5, 127.6, 65519.9, 0x1p63, -0x1p63,  0x1p64,    0x1.fffffep62, 0x1.fffffffffffffp62, -0x1.000002p63};
        const double v = any % 3 == 0 ? special[(any >> 32) % std::size(special)]
                                      : std::ldexp(double(std::int64_t(any)) / 9e18, int(any % 40) - 8);
        if (s == Scalar::f64) return std::bit_cast<std::uint64_t>(v);
        if (s == Scalar::f32) return std::bit_cast<std::uint32_t>(float(v));
        return (any >> 7) & 0xffff;
    }
    const auto v = static_cast<std::int64_t>(any % 7) - (is_unsigned_integer(s) ? 0 : 3);
    if (s == Scalar::f64) return std::bit_cast<std::uint64_t>(double(v));
    if (s == Scalar::f32) return std::bit_cast<std::uint32_t>(float(v));
    if (s == Scalar::f16) return std::bit_cast<std::uint16_t>(static_cast<_Float16>(v));
    return static_cast<std::uint64_t>(v);
}

inline Data make_data(const sinter::lower::Kernel& kernel, const std::vector<std::int64_t>& sizes, Fill fill,
                      unsigned seed) {
    std::mt19937_64 random(seed);
    Data data;
    for (const auto& b : kernel.buffers) {
        const auto n = static_cast<std::size_t>(sizes[b.elements.index]);
        const auto bytes = static_cast<std::size_t>(sinter::detail::size_of(b.scalar));
        std::vector<char> m(n * bytes + 64, char(0x5a));
        for (std::size_t i = 0; !b.output && i < n; ++i) {
            const std::uint64_t v = random_pattern(b.scalar, fill, random);
            std::memcpy(m.data() + i * bytes, &v, bytes);
        }
        data.memory.push_back(std::move(m));
    }
    for (auto& m : data.memory) data.pointers.push_back(m.data());
    return data;
}

inline double number(Scalar s, const char* at) {
    if (s == Scalar::f64) {
        double v;
        std::memcpy(&v, at, 8);
        return v;
    }
    if (s == Scalar::f32) {
        float v;
        std::memcpy(&v, at, 4);
        return double(v);
    }
    _Float16 v;
    std::memcpy(&v, at, 2);
    return double(v);
}

/// Equal patterns, or both NaN, or within a relative tolerance. What lies behind the arrays must be untouched.
inline void compare(const sinter::lower::Kernel& kernel, const std::vector<std::int64_t>& sizes, const Data& expected,
                    const Data& got, double tolerance) {
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) {
        const auto& b = kernel.buffers[k];
        if (!b.output) continue;
        const auto n = static_cast<std::size_t>(sizes[b.elements.index]);
        const auto bytes = static_cast<std::size_t>(sinter::detail::size_of(b.scalar));
        for (std::size_t i = 0; i < n; ++i) {
            const char *e = expected.memory[k].data() + i * bytes, *g = got.memory[k].data() + i * bytes;
            if (std::memcmp(e, g, bytes) == 0) continue;
            INFO("buffer " << k << " element " << i << " of " << n);
            if (!sinter::detail::is_float(b.scalar)) {
                std::uint64_t x = 0, y = 0;
                std::memcpy(&x, e, bytes), std::memcpy(&y, g, bytes);
                REQUIRE(x == y);
            }
            const double x = number(b.scalar, e), y = number(b.scalar, g);
            if (std::isnan(x) && std::isnan(y)) continue;
            INFO(x << " expected, got " << y);
            REQUIRE(std::abs(x - y) <= tolerance * std::max(1.0, std::abs(x)));
            REQUIRE((tolerance > 0 || std::signbit(x) == std::signbit(y)));
        }
        REQUIRE(std::memcmp(expected.memory[k].data() + n * bytes, got.memory[k].data() + n * bytes, 64) == 0);
    }
}

inline const std::vector<int> everywhere = {0, quick, 128, gpu};

/// The host's, with 256 bits where it has them.
inline std::vector<int> host_vectors() {
    if (__builtin_cpu_supports("avx2")) return {0, 128, 256};
    return {0, 128};
}

/// Runs `text` on these size arguments everywhere, or with these vectors.
inline void check_kernel(const std::string& text, const std::vector<std::vector<std::int64_t>>& arguments,
                         Fill fill = Fill::wild, double tolerance = 0, const std::vector<int>& vectors = everywhere) {
    const sinter::lower::Kernel kernel = sinter::lower::parse(text);
    for (int bits : vectors) {
        auto compiled = backend(bits).compile(kernel);
        for (const auto& a : arguments) {
            const auto sizes = evaluate_sizes(kernel.sizes, a);
            Data expected = make_data(kernel, sizes, fill, 7), got = expected;
            got.pointers.clear();
            for (auto& m : got.memory) got.pointers.push_back(m.data());
            const auto failure = sinter::interp::interpret(kernel, expected.pointers, sizes);
            sinter::runtime::ErrorSlot error;
            compiled->launch({got.pointers.data(), sizes.data(), &error, 2});
            INFO(text << "\nvectors " << bits << ", sizes " << Catch::StringMaker<std::vector<std::int64_t>>::convert(a));
            REQUIRE(failure.has_value() == (error.check.load() != 0));
            if (!failure) compare(kernel, sizes, expected, got, tolerance);
        }
    }
}

}  // namespace jit_test
