// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as text. What is expected was printed by NumPy 2.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "conform/support.hpp"

#include <sinter/print.hpp>

#include <limits>
#include <sstream>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

using namespace sinter;

TEST_CASE("arrays are printed as NumPy prints them", "[print]") {
    const double nan_value = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    CHECK(to_text(from({1., 2.5, -3.25})) == "[ 1.    2.5  -3.25]");
    CHECK(to_text(from({1., 1e9})) == "[1.e+00 1.e+09]");
    CHECK(to_text(from({1.5e-5, 2.})) == "[1.5e-05 2.0e+00]");
    CHECK(to_text(from({0.1f, 0.2f, 100.f})) == "[  0.1   0.2 100. ]");
    CHECK(to_text(from({1. / 3, 2. / 3})) == "[0.33333333 0.66666667]");
    CHECK(to_text(from({nan_value, -infinity, 1.5})) == "[ nan -inf  1.5]");
    CHECK(to_text(from({1, -20, 300})) == "[  1 -20 300]");
    CHECK(to_text(from({true, false})) == "[ True False]");
    CHECK(to_text(from(std::vector<double>{})) == "[]");
    CHECK(to_text(run(iota(1001))) == "[   0    1    2 ...  998  999 1000]");
    CHECK(to_text(run(iota(40))) ==
          "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29 30 31 32 33 34 35 "
          "36 37 38 39]");
    CHECK(to_text(run(reshape(iota(12), shape(2, 2, 3)))) == "[[[ 0  1  2]\n  [ 3  4  5]]\n\n [[ 6  7  8]\n  [ 9 10 11]]]");
    CHECK(to_text(run(reshape(iota(10000), shape(100, 100)))) ==
          "[[   0    1    2 ...   97   98   99]\n [ 100  101  102 ...  197  198  199]\n [ 200  201  202 ...  297  298  "
          "299]\n ...\n [9700 9701 9702 ... 9797 9798 9799]\n [9800 9801 9802 ... 9897 9898 9899]\n [9900 9901 9902 ... "
          "9997 9998 9999]]");
    CHECK(
        to_text(run(reshape(iota(8000), shape(20, 20, 20)))) ==
        "[[[   0    1    2 ...   17   18   19]\n  [  20   21   22 ...   37   38   39]\n  [  40   41   42 ...   57   58   "
        "59]\n  ...\n  [ 340  341  342 ...  357  358  359]\n  [ 360  361  362 ...  377  378  379]\n  [ 380  381  382 ...  "
        "397  398  399]]\n\n [[ 400  401  402 ...  417  418  419]\n  [ 420  421  422 ...  437  438  439]\n  [ 440  441  442 "
        "...  457  458  459]\n  ...\n  [ 740  741  742 ...  757  758  759]\n  [ 760  761  762 ...  777  778  779]\n  [ 780  "
        "781  782 ...  797  798  799]]\n\n [[ 800  801  802 ...  817  818  819]\n  [ 820  821  822 ...  837  838  839]\n  [ "
        "840  841  842 ...  857  858  859]\n  ...\n  [1140 1141 1142 ... 1157 1158 1159]\n  [1160 1161 1162 ... 1177 1178 "
        "1179]\n  [1180 1181 1182 ... 1197 1198 1199]]\n\n ...\n\n [[6800 6801 6802 ... 6817 6818 6819]\n  [6820 6821 6822 "
        "... 6837 6838 6839]\n  [6840 6841 6842 ... 6857 6858 6859]\n  ...\n  [7140 7141 7142 ... 7157 7158 7159]\n  [7160 "
        "7161 7162 ... 7177 7178 7179]\n  [7180 7181 7182 ... 7197 7198 7199]]\n\n [[7200 7201 7202 ... 7217 7218 7219]\n  "
        "[7220 7221 7222 ... 7237 7238 7239]\n  [7240 7241 7242 ... 7257 7258 7259]\n  ...\n  [7540 7541 7542 ... 7557 7558 "
        "7559]\n  [7560 7561 7562 ... 7577 7578 7579]\n  [7580 7581 7582 ... 7597 7598 7599]]\n\n [[7600 7601 7602 ... 7617 "
        "7618 7619]\n  [7620 7621 7622 ... 7637 7638 7639]\n  [7640 7641 7642 ... 7657 7658 7659]\n  ...\n  [7940 7941 7942 "
        "... 7957 7958 7959]\n  [7960 7961 7962 ... 7977 7978 7979]\n  [7980 7981 7982 ... 7997 7998 7999]]]");
    CHECK(to_text(run(reshape(iota<double>(60), shape(2, 30)) / 7.)) ==
          "[[0.         0.14285714 0.28571429 0.42857143 0.57142857 0.71428571\n  0.85714286 1.         1.14285714 "
          "1.28571429 1.42857143 1.57142857\n  1.71428571 1.85714286 2.         2.14285714 2.28571429 2.42857143\n  "
          "2.57142857 2.71428571 2.85714286 3.         3.14285714 3.28571429\n  3.42857143 3.57142857 3.71428571 3.85714286 "
          "4.         4.14285714]\n [4.28571429 4.42857143 4.57142857 4.71428571 4.85714286 5.\n  5.14285714 5.28571429 "
          "5.42857143 5.57142857 5.71428571 5.85714286\n  6.         6.14285714 6.28571429 6.42857143 6.57142857 "
          "6.71428571\n  6.85714286 7.         7.14285714 7.28571429 7.42857143 7.57142857\n  7.71428571 7.85714286 8.      "
          "   8.14285714 8.28571429 8.42857143]]");
    CHECK(to_text(run(sqrt(iota<float>(50)))) ==
          "[0.        1.        1.4142135 1.7320508 2.        2.236068  2.4494898\n 2.6457512 2.828427  3.        3.1622777 "
          "3.3166249 3.4641016 3.6055512\n 3.7416575 3.8729835 4.        4.1231055 4.2426405 4.358899  4.472136\n 4.582576  "
          "4.690416  4.7958317 4.8989797 5.        5.0990195 5.196152\n 5.2915025 5.3851647 5.477226  5.5677643 5.656854  "
          "5.7445626 5.8309517\n 5.91608   6.        6.0827627 6.164414  6.244998  6.3245554 6.4031243\n 6.4807405 "
          "6.5574384 6.6332498 6.708204  6.78233   6.8556547 6.928203\n 7.       ]");
    CHECK(to_text(from({1e10, 2e10})) == "[1.e+10 2.e+10]");
    CHECK(to_text(from({0., 0.})) == "[0. 0.]");
    CHECK(to_text(from({nan_value, nan_value})) == "[nan nan]");
}

TEST_CASE("complex numbers are printed as NumPy prints them", "[print]") {
    using Z = std::complex<double>;
    const double nan_value = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const auto text = [](std::vector<Z> elements) { return to_text(from(elements)); };
    CHECK(text({{1, 2}, {3.5, -4.25}, {-1e-3, 0}}) == "[ 1.0e+00+2.j    3.5e+00-4.25j -1.0e-03+0.j  ]");
    CHECK(text({{1e10, 1}, {2, -3e-7}}) == "[1.e+10+1.e+00j 2.e+00-3.e-07j]");
    CHECK(text({{nan_value, 0}, {1, infinity}, {-0., -0.}}) == "[nan +0.j  1.+infj -0. -0.j]");
    CHECK(text({{0.1, 0.123456789}, {0, 100}}) == "[0.1  +0.12345679j 0. +100.j        ]");
    CHECK(text({{1, 1e9}, {22.25, 3}}) == "[ 1.  +1.e+09j 22.25+3.e+00j]");
    CHECK(text({{infinity, -infinity}, {100.25, -2}}) == "[   inf-infj 100.25 -2.j]");
    CHECK(text({{-infinity, nan_value}}) == "[-inf+nanj]");
    CHECK(text({{-1, -2}, {10, -200}}) == "[-1.  -2.j 10.-200.j]");
    const std::vector<std::complex<float>> singles{{0.1f, 0.2f}, {1.f / 3, -2.f / 3}};
    CHECK(to_text(from(singles)) == "[0.1       +0.2j       0.33333334-0.6666667j]");
    CHECK(to_text(from(std::vector<Z>{{1. / 3, 2. / 3}, {5, 0}}), {.precision = 3}) == "[0.333+0.667j 5.   +0.j   ]");
    CHECK(to_text(from(std::vector<std::complex<float>>{{1, 2}, {30, 1}, {0, 0}, {0, 1}}, shape(2, 2))) ==
          "[[ 1.+2.j 30.+1.j]\n [ 0.+0.j  0.+1.j]]");
    CHECK(to_text(run(sum(from(std::vector<Z>{{1, 2}})))) == "1.+2.j");
}

TEST_CASE("other elements, streams and fmt", "[print]") {
    std::ostringstream out;
    out << from({1., 2.}) << ' ' << run(sum(from({1., 2.5})));
    CHECK(out.str() == "[1. 2.] 3.5");
    CHECK(to_text(from({std::int8_t(65)})) == "[65]");
    CHECK(to_text(run(cast<half>(from({1.5f, 2.f})))) == "[1.5 2. ]");
    CHECK(to_text(from({std::tuple(1, 2.5), std::tuple(10, 3.)})) == "[(1, 2.5) (10, 3.)]");
    CHECK(fmt::format("{}", from({1, 2})) == "[1 2]");
    CHECK(to_text(from({1. / 3, 2.}), {.precision = 3}) == "[0.333 2.   ]");
    CHECK(to_text(run(iota(9)), {.edge_items = 1, .threshold = 5}) == "[0 ... 8]");
    CHECK(to_text(run(iota(9)), {.edge_items = 0, .threshold = 5}) == "[...]");
    CHECK_THROWS_AS(to_text(Array<float>()), UsageError);
}

#ifdef __SSE2__
TEST_CASE("subnormal numbers are printed where the caller flushes them", "[print]") {
    const Array<double> tiny = from({1e-310, 0.});
    const std::string expected = to_text(tiny);
    CHECK(expected == "[1.e-310  0.e+00]");
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);  // subnormal operands are zero, and so are subnormal results
    const std::string flushed = to_text(tiny);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(flushed == expected);
    CHECK((after & 0x8040) == 0x8040);
}
#endif
