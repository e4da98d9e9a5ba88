// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/library/numpy.hpp"

#include <sinter/complex.hpp>
#include <sinter/dlpack.hpp>
#include <sinter/fft.hpp>
#include <sinter/npy.hpp>
#include <sinter/npz.hpp>
#include <sinter/numeric.hpp>
#include <sinter/text.hpp>

#include <filesystem>
#include <fstream>
#include <numbers>

using namespace sinter;
using namespace numpy;

TEST_CASE("NumPy's functions: of elements", "[numpy][gpu]") {
    const auto x = doubles({-1.5, 0, 2.125}), y = doubles({2, NAN, 1});
    const double pi = std::numbers::pi;
    NUMPY("square", is(x * x, {2.25, 0, 2.125 * 2.125}));
    NUMPY("positive", is(x, {-1.5, 0, 2.125}));
    NUMPY("fabs", is(abs(x), {1.5, 0, 2.125}));
    NUMPY("deg2rad, radians", is(x * (pi / 180), {-1.5 * pi / 180, 0, 2.125 * pi / 180}));
    NUMPY("rad2deg, degrees", is(x * (180 / pi), {-1.5 * 180 / pi, 0, 2.125 * 180 / pi}));
    NUMPY("round, around", is(rint(x * 100.) / 100., {-1.5, 0, 2.12}));
    const auto a = longs({7, -7, 6}), b = longs({2, 2, -4});
    NUMPY("floor_divide", is(floor_div(a, b), {3, -4, -2}));
    NUMPY("mod, remainder", is(floor_mod(a, b), {1, 1, -2}));
    NUMPY("divmod", is(floor_div(a, b), {3, -4, -2}); is(floor_mod(a, b), {1, 1, -2}));
    NUMPY("fmin", is(select(isnan(x), y, select(isnan(y), x, min(x, y))), {-1.5, 0, 1}));
    NUMPY("fmax", is(select(isnan(x), y, select(isnan(y), x, max(x, y))), {2, 0, 2.125}));
    NUMPY("logical_xor", is((a > 0) != (b > 0), {false, true, true}));
    NUMPY("signbit", is(copysign(1., x) < 0., {true, false, false}));
    NUMPY("spacing", is(map([](auto e) { return bit_cast<double>(bit_cast<std::int64_t>(e) + 1) - e; }, doubles({1, 2.125})),
                        {std::ldexp(1., -52), std::ldexp(1., -51)}));
    NUMPY("heaviside", is(select(x < 0., 0., select(x > 0., 1., 0.5)), {0, 0.5, 1}));
    NUMPY("sinc", is(select(x == 0., 1., sin(x * pi) / (x * pi)),
                     {std::sin(1.5 * pi) / (1.5 * pi), 1, std::sin(2.125 * pi) / (2.125 * pi)}));
    const auto u = doubles({1, 800}), v = doubles({2, 800});
    NUMPY("logaddexp", is(max(u, v) + log1p(exp(-abs(u - v))), {2 + std::log1p(std::exp(-1)), 800 + std::log(2)}));
    NUMPY("logaddexp2", is(max(u, v) + log2(1. + exp2(-abs(u - v))), {2 + std::log2(1.5), 801}));
    NUMPY("isposinf", is(doubles({INFINITY, -INFINITY, 0}) == INFINITY, {true, false, false}));
    NUMPY("isneginf", is(doubles({INFINITY, -INFINITY, 0}) == -INFINITY, {false, true, false}));
    NUMPY("isclose", is(isclose(x, doubles({-1.5, 1e-9, 2.126})), {true, true, false}));
    NUMPY("allclose", is(allclose(x, x), {true}));
    NUMPY("nextafter", is(nextafter(x, 9.) > x, {true, true, true}));
    const auto [fraction, exponent] = frexp(x);
    NUMPY("frexp", frexp(x); is(fraction, {-0.75, 0, 0.53125}); is(exponent, {1, 0, 2}));
    NUMPY("ldexp", is(ldexp(x, 3), {-12, 0, 17}));
    NUMPY("i0", is(i0(doubles({0, 1})), {1, 1.2660658777520084}));
    const auto r = linspace(-1., 1., 3);
    NUMPY("kaiser", is(i0(2. * sqrt(1. - r * r)) / i0(fill(shape(3), 2.)), {0.43867628, 1, 0.43867628}));
    NUMPY("unwrap", is(unwrap(doubles({0, 3, 3 - 2 * pi})), {0, 3, 3}));
    const auto bits = longs({1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0});
    NUMPY("packbits", is(generate(shape(2),
                                  [=](auto i) {
                                      return for_loop(
                                          8, [=](auto k, auto byte) { return byte << 1 | bits(8 * i + k); }, Long(0));
                                  }),
                         {131, 4}));
    NUMPY("unpackbits", is(generate(shape(16), [=, z = longs({131, 4})](auto k) { return z(k / 8) >> (7 - k % 8) & 1; }),
                           bits.to_vector()));
    NUMPY("array_equal", CHECK((x.shape() == u.shape() && run(all(x == u)).item()) == false));
    const auto p = doubles({2, 0, -1});
    NUMPY("polyval", is(map(
                            [=](auto t) {
                                return for_loop(
                                    size(p), [=](auto k, auto total) { return total * t + p(k); }, Exp<double>(0.));
                            },
                            x),
                        {3.5, -1, 8.03125}));
    NUMPY("polyadd", is(concat(take(p, 1), drop(p, 1) + doubles({5, 1})), {2, 5, 0}));
    NUMPY("polysub", is(concat(take(p, 1), drop(p, 1) - doubles({5, 1})), {2, -5, -2}));
    NUMPY("polymul", is(convolve(p, doubles({1, 3})), {2, 6, -1, -3}));
    NUMPY("polyder", is(map_indexed([](auto k, auto c) { return c * cast<double>(2 - k); }, take(p, 2)), {4, 0}));
    NUMPY("polyint", is(concat(map_indexed([](auto k, auto c) { return c / cast<double>(3 - k); }, p), fill(shape(1), 0.)),
                        {2. / 3, 0, -1, 0}));
}

TEST_CASE("NumPy's functions: complex numbers and transforms", "[numpy][gpu]") {
    using Z = std::complex<double>;
    const Array<Z> z = from(std::vector<Z>{{1, 2}, {0, -1}, {3, 0}});
    NUMPY("real", is(real(z), {1, 0, 3}));
    NUMPY("imag", is(imag(z), {2, -1, 0}));
    NUMPY("conj, conjugate", is(imag(conj(z)), {-2, 1, 0}));
    NUMPY("angle", is(arg(z), {std::atan2(2, 1), -std::numbers::pi / 2, 0}));
    NUMPY("isreal", is(imag(z) == 0., {false, false, true}));
    NUMPY("iscomplex", is(imag(z) != 0., {true, true, false}));
    const auto sorted = sort(zip(real(z), imag(z)));
    NUMPY("sort_complex", sort(zip(real(z), imag(z)));
          is(map([](auto re, auto im) { return re * 10. + im; }, sorted), {-1, 12, 30}));
    const auto x = doubles({1, 2, 0, -1});
    NUMPY("fft.fft", is(fft(x), {{2, 0}, {1, -3}, {0, 0}, {1, 3}}));
    NUMPY("fft.ifft", is(real(ifft(fft(x))), {1, 2, 0, -1}));
    NUMPY("fft.rfft", is(rfft(x), {{2, 0}, {1, -3}, {0, 0}}));
    NUMPY("fft.irfft", is(irfft(rfft(x), 4), {1, 2, 0, -1}));
    NUMPY("fft.fft2", is(fft2(from(Doubles{1, 2, 3, 4}, shape(2, 2))), {{10, 0}, {-2, 0}, {-4, 0}, {0, 0}}));
    NUMPY("fft.ifft2", is(real(ifft2(fft2(from(Doubles{1, 2, 3, 4}, shape(2, 2))))), {1, 2, 3, 4}));
    NUMPY("fft.fftfreq", is(fftfreq(4, 0.5), {0, 0.5, -1, -0.5}));
    NUMPY("fft.rfftfreq", is(cast<double>(iota(3)) / (4 * 0.5), {0, 0.5, 1}));
    NUMPY("fft.fftshift", is(rotate(doubles({0, 1, 2, -2, -1}), 3), {-2, -1, 0, 1, 2}));
    NUMPY("fft.ifftshift", is(rotate(doubles({-2, -1, 0, 1, 2}), 2), {0, 1, 2, -2, -1}));
}

TEST_CASE("NumPy's functions: files", "[numpy][one_process]") {
    const auto folder = std::filesystem::temp_directory_path() / "sinter_numpy_files";
    std::filesystem::create_directories(folder);
    const std::string npy = folder / "a.npy", npz = folder / "a.npz", txt = folder / "a.txt";
    const Array<Long, 2> m = matrix();
    NUMPY("save, load", save_npy(npy, m); CHECK((load_npy<Long, 2>(npy).to_vector() == m.to_vector())));
    NUMPY("savez, savez_compressed", save_npz(npz, "x", m);
          CHECK((load_npz<Long, 2>(npz, "x").to_vector() == m.to_vector())));
    NUMPY("savetxt, loadtxt, genfromtxt", save_txt(txt, m); CHECK((load_txt<Long, 2>(txt).to_vector() == m.to_vector())));
    NUMPY("from_dlpack", CHECK((from_dlpack<Long, 2>(to_dlpack(m)).to_vector() == m.to_vector())));
    std::filesystem::remove_all(folder);
}
