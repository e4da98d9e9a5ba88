// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"
#include "hand/product.hpp"

#include <programs/matmul.hpp>
#include <programs/shortest_paths.hpp>

#ifdef HAVE_EIGEN
#include <Eigen/Core>
#endif

namespace bench {
namespace {

#ifdef HAVE_EIGEN
template <class T>
Contender eigen(Shared<T> x, Shared<T> y, Shared<T> out, index n) {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using View = Eigen::Map<Matrix>;
    return writes("eigen", out, [=] { View(out->data(), n, n).noalias() = View(x->data(), n, n) * View(y->data(), n, n); });
}
#endif

/// One product and one sum for each of n^3.
template <class T>
Contender peak(index n) {
    return {"peak", [=] { product::arithmetic<T>(n * n * n / product::lanes<T>); }, {}};
}

template <class T>
std::vector<Contender> products(index n) {
    using namespace sinter;
    auto x = random_numbers<T>(n * n, 0, 8), y = random_numbers<T>(n * n, 0, 8);
    auto out = zeros<T>(n * n);
    auto compiled = compile([](Delayed<T, 2> a, Delayed<T, 2> b) { return programs::matrix_product_nested(a, b); });
    return {
        writes("hand", out, [=] { product::multiply(x->data(), y->data(), out->data(), n, n, n); }),
#ifdef HAVE_EIGEN
        eigen(x, y, out, n),
#endif
        peak<T>(n),
        contender(compiled, from(*x, shape(n, n)), from(*y, shape(n, n))),
    };
}

/// Products that are added without being rounded, as Eigen does.
template <class T>
std::vector<Contender> contracted(index n) {
    using namespace sinter;
    auto x = random_numbers<T>(n * n, 0, 8), y = random_numbers<T>(n * n, 0, 8);
    auto compiled = compile([](Delayed<T, 2> a, Delayed<T, 2> b) { return programs::matrix_product_nested(a, b); },
                            Options{.contract = true});
    return {
#ifdef HAVE_EIGEN
        eigen(x, y, zeros<T>(n * n), n),
#endif
        contender(compiled, from(*x, shape(n, n)), from(*y, shape(n, n))),
    };
}

/// Rows of x times rows of y: the second factor is read against the grain.
std::vector<Contender> transposed(index n) {
    using namespace sinter;
    auto x = random_numbers<float>(n * n, 0, 8), y = random_numbers<float>(n * n, 0, 8);
    auto compiled = compile(
        [](Delayed<float, 2> a, Delayed<float, 2> b) { return programs::matrix_product_nested<float>(a, transpose(b)); });
    return {peak<float>(n), contender(compiled, from(*x, shape(n, n)), from(*y, shape(n, n)))};
}

std::vector<Contender> shortest(index n) {
    using namespace sinter;
    auto x = random_numbers<float>(n * n, 0, 1000), y = random_numbers<float>(n * n, 0, 1000);
    auto compiled =
        compile([](Delayed<float, 2> a, Delayed<float, 2> b) { return programs::min_plus_product_nested<float>(a, b); });
    return {peak<float>(n), contender(compiled, from(*x, shape(n, n)), from(*y, shape(n, n)))};
}

}  // namespace

std::vector<Algorithm> matrix_products() {
    auto work = [](index n) { return 2.0 * double(n) * double(n) * double(n); };
    const std::vector<index> sizes = {128, 256, 512, 1000, 1024, 2048}, some = {256, 1024};
    return {{"matrix product", sizes, work, "GFLOP/s", products<float>},
            {"product, f64", sizes, work, "GFLOP/s", products<double>},
            {"contracted", sizes, work, "GFLOP/s", contracted<float>},
            {"contracted, f64", sizes, work, "GFLOP/s", contracted<double>},
            {"product, i32", sizes, work, "GOP/s", products<std::int32_t>},
            {"rows with rows", some, work, "GFLOP/s", transposed},
            {"min of sums", some, work, "GOP/s", shortest}};
}

}  // namespace bench
