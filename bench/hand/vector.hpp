// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Native vectors of float and double for the hand-written kernels: AVX-512 or AVX2, with libmvec for transcendental
/// functions.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace {
namespace simd {

#ifdef __AVX512F__
constexpr int bytes = 64;
using F = __m512;
using D = __m512d;
extern "C" {
F _ZGVeN16v_expf(F);
F _ZGVeN16v_logf(F);
F _ZGVeN16v_erfcf(F);
D _ZGVeN8v_exp(D);
D _ZGVeN8v_log(D);
D _ZGVeN8v_erfc(D);
}
inline F exp(F x) { return _ZGVeN16v_expf(x); }
inline D exp(D x) { return _ZGVeN8v_exp(x); }
inline F log(F x) { return _ZGVeN16v_logf(x); }
inline D log(D x) { return _ZGVeN8v_log(x); }
inline F erfc(F x) { return _ZGVeN16v_erfcf(x); }
inline D erfc(D x) { return _ZGVeN8v_erfc(x); }
inline F sqrt(F x) { return _mm512_sqrt_ps(x); }
inline D sqrt(D x) { return _mm512_sqrt_pd(x); }
inline F abs(F x) { return _mm512_abs_ps(x); }
inline D abs(D x) { return _mm512_abs_pd(x); }
inline F max(F x, F y) { return _mm512_max_ps(x, y); }
inline D max(D x, D y) { return _mm512_max_pd(x, y); }
inline void stream(float* p, F x) { _mm512_stream_ps(p, x); }
inline void stream(double* p, D x) { _mm512_stream_pd(p, x); }
#else
constexpr int bytes = 32;
using F = __m256;
using D = __m256d;
extern "C" {
F _ZGVdN8v_expf(F);
F _ZGVdN8v_logf(F);
F _ZGVdN8v_erfcf(F);
D _ZGVdN4v_exp(D);
D _ZGVdN4v_log(D);
D _ZGVdN4v_erfc(D);
}
inline F exp(F x) { return _ZGVdN8v_expf(x); }
inline D exp(D x) { return _ZGVdN4v_exp(x); }
inline F log(F x) { return _ZGVdN8v_logf(x); }
inline D log(D x) { return _ZGVdN4v_log(x); }
inline F erfc(F x) { return _ZGVdN8v_erfcf(x); }
inline D erfc(D x) { return _ZGVdN4v_erfc(x); }
inline F sqrt(F x) { return _mm256_sqrt_ps(x); }
inline D sqrt(D x) { return _mm256_sqrt_pd(x); }
inline F abs(F x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), x); }
inline D abs(D x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.), x); }
inline F max(F x, F y) { return _mm256_max_ps(x, y); }
inline D max(D x, D y) { return _mm256_max_pd(x, y); }
inline void stream(float* p, F x) { _mm256_stream_ps(p, x); }
inline void stream(double* p, D x) { _mm256_stream_pd(p, x); }
#endif

template <class T>
struct native;
template <>
struct native<float> {
    using vector = F;
    using integer = std::int32_t;
};
template <>
struct native<double> {
    using vector = D;
    using integer = std::int64_t;
};
template <class T>
using vec = typename native<T>::vector;
template <class T>
constexpr int lanes = bytes / int(sizeof(T));

template <class T>
vec<T> load(const T* p) {
    vec<T> v;
    std::memcpy(&v, p, bytes);
    return v;
}

template <class T>
void store(T* p, vec<T> v) {
    std::memcpy(p, &v, bytes);
}

template <class T>
vec<T> all(T x) {
    return x - vec<T>{};  // a vector of x: a scalar operand is broadcast, and x - 0 is x
}

template <class T>
T sum(vec<T> v) {
    T s = 0;
    for (int k = 0; k < lanes<T>; ++k) s += v[k];
    return s;
}

}  // namespace simd
}  // namespace
