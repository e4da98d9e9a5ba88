// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/matrix_market.hpp>

using namespace programs;
using conform::everywhere;
using conform::everywhere_near;

namespace {

Delayed<std::uint64_t, 0> checksum_of_quarters(const Array<double>& y) {
    return checksum(map([](Exp<double> v) { return cast<std::int64_t>(4 * v); }, y));
}

SparseMatrix<double> parsed(const std::string& text) {
    std::istringstream in(text);
    return read_matrix_market(in);
}

}  // namespace

TEST_CASE("sparse product: by hand") {
    const SparseMatrix<double> a{4, 5, from({std::int64_t{2}, std::int64_t{0}, std::int64_t{3}, std::int64_t{1}}),
                                 from({1, 3, 0, 4, 1, 2}), from({2., 5., -1., 3., 1., 7.})};
    CHECK(everywhere(product<double>(a, from({1., 2., 3., 4., 5.}))).to_vector() == std::vector<double>{24, 0, 16, 21});
}

TEST_CASE("sparse product: the Laplacian") {
    struct Reference {
        std::int64_t k, entries;
        double first, last, sum;
        std::uint64_t checksum;
    };
    for (const Reference& r : {Reference{1, 1, 6, 6, 6, 24},
                               {2, 12, 2.5, -11.5, 6, 18446744073709551544u},
                               {10, 460, 4, -5.25, -5, 18446744073709544058u},
                               {100, 49600, 5, 7.25, 5, 18446744073709027856u}}) {
        CAPTURE(r.k);
        const auto a = laplacian(r.k);
        REQUIRE(a.value.size() == r.entries);
        const auto y = everywhere(product<double>(a, laplacian_vector(r.k * r.k)));
        CHECK(y(0) == r.first);
        CHECK(y(y.size() - 1) == r.last);
        CHECK(run(sum(y)).item() == r.sum);
        CHECK(run(checksum_of_quarters(y)).item() == r.checksum);
    }
}

TEST_CASE("sparse product: rows of very different lengths") {
    const auto a = skewed_matrix(1000);
    REQUIRE(a.value.size() == 11883);
    CHECK(run(count(a.lengths == 0)).item() == 133);
    CHECK(run(max(a.lengths)).item() == 1592);
    const auto y = everywhere_near(product<double>(a, skewed_vector(1000)), 1e-11);
    CHECK(y(0) == Approx(11.8585391817489).epsilon(1e-12));
    CHECK(run(sum(y)).item() == Approx(9.45242025624054).epsilon(1e-11));
    CHECK(run(sum(y * y)).item() == Approx(1149.704948577).epsilon(1e-12));
}

TEST_CASE("sparse product: power method") {
    const auto a = laplacian(10);
    const auto v = everywhere_near(power_method(a, 500, laplacian_vector(100)), 1e-10);
    CHECK(run(sum(v * product<double>(a, v))).item() == Approx(4 + 4 * std::cos(3.14159265358979 / 11)).epsilon(1e-6));
}

TEST_CASE("Matrix Market: written and read back") {
    const auto a = laplacian(10);
    std::stringstream file;
    write_matrix_market(file, a);
    const auto b = read_matrix_market(file);
    CHECK(b.rows == a.rows);
    CHECK(b.columns == a.columns);
    conform::require_same(a.lengths.to_vector(), b.lengths.to_vector());
    conform::require_same(a.column.to_vector(), b.column.to_vector());
    conform::require_same(a.value.to_vector(), b.value.to_vector());
}

TEST_CASE("Matrix Market: kinds of files") {
    const auto symmetric =
        parsed("%%MatrixMarket matrix coordinate integer symmetric\n% a comment\n\n3 3 3\n2 1 5\n3 3 1\n\n3 3 2\n");
    CHECK(symmetric.lengths.to_vector() == std::vector<std::int64_t>{1, 1, 1});
    CHECK(symmetric.column.to_vector() == std::vector<std::int32_t>{1, 0, 2});
    CHECK(symmetric.value.to_vector() == std::vector<double>{5, 5, 3});
    const auto skew = parsed("%%matrixmarket MATRIX coordinate real skew-symmetric\n2 2 1\n2 1 1.5e0\n");
    CHECK(skew.value.to_vector() == std::vector<double>{-1.5, 1.5});
    CHECK(parsed("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n").value(0) == 1);
    CHECK_THROWS_WITH(parsed("%%MatrixMarket matrix array real general\n"), Catch::Contains("coordinate form"));
    CHECK_THROWS_WITH(parsed("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n"), Catch::Contains("3 1 1"));
    CHECK_THROWS_WITH(parsed("%%MatrixMarket matrix coordinate real general\n2 2 1\n"), Catch::Contains("too early"));
}
