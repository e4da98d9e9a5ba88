// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays come back from HDF5 files as they were, parts are those of slice, and what is wrong is said.
#include "files/support.hpp"

#include <sinter/hdf5.hpp>
#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <complex>
#include <filesystem>

using namespace sinter;

namespace sinter::files_tests {

struct Body {
    double mass;
    std::array<float, 3> at;
    bool fixed;
};

}  // namespace sinter::files_tests
BOOST_HANA_ADAPT_STRUCT(sinter::files_tests::Body, mass, at, fixed);

namespace {

using files_tests::Body;

using files_tests::contains, files_tests::error_of, files_tests::TemporaryFile;

template <class T>
void round_trip(const std::string& path) {
    const std::string name = std::string("of/") + detail::name_of(detail::scalar_v<T>);
    const Array<T, 3> a = run(reshape(cast<T>(iota(60) - 20), shape(3, 4, 5)));
    hdf5::save(path, name, a);
    const Array<T, 3> b = hdf5::load<T, 3>(path, name);
    CHECK(b.shape() == a.shape());
    CHECK(b.to_vector() == a.to_vector());
    const Array<T, 0> one = run(fold([](auto x, auto) { return x; }, T(1), take(flatten(a), 0)));
    hdf5::save(path, name + "_one", one);
    CHECK(hdf5::load<T, 0>(path, name + "_one").item() == one.item());
    const Array<T> none = run(take(flatten(a), 0));
    hdf5::save(path, name + "_none", none, {.compression = 1});
    CHECK(hdf5::load<T>(path, name + "_none").size() == 0);
}

}  // namespace

TEST_CASE("HDF5: every scalar type and rank", "[files]") {
    TemporaryFile file("hdf5_types");
    round_trip<bool>(file.path);
    round_trip<std::int8_t>(file.path);
    round_trip<std::int16_t>(file.path);
    round_trip<std::int32_t>(file.path);
    round_trip<std::int64_t>(file.path);
    round_trip<std::uint8_t>(file.path);
    round_trip<std::uint16_t>(file.path);
    round_trip<std::uint32_t>(file.path);
    round_trip<std::uint64_t>(file.path);
    round_trip<half>(file.path);
    round_trip<float>(file.path);
    round_trip<double>(file.path);
    const std::vector<std::string> names = hdf5::names(file.path);
    CHECK(names.size() == 36);
    CHECK(names[0] == "of/bool");
    CHECK(hdf5::extents(file.path, "of/f32") == std::vector<std::int64_t>{3, 4, 5});
    CHECK(hdf5::extents(file.path, "of/f32_one").empty());
}

TEST_CASE("HDF5: products", "[files]") {
    TemporaryFile file("hdf5_products");
    std::vector<std::complex<float>> z(1000);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] = {float(k), -float(k) / 3};
    hdf5::save(file.path, "z", from(z));
    CHECK(hdf5::load<std::complex<float>>(file.path, "z").to_vector() == z);
    CHECK(hdf5::load<std::complex<double>>(file.path, "z", convert).to_vector()[3] == std::complex<double>(3, -1));
    // More than is packed at once.
    std::vector<std::complex<double>> many(300000);
    for (std::size_t k = 0; k < many.size(); ++k) many[k] = {double(k), 0.5};
    hdf5::save(file.path, "many", from(many, shape(3000, 100)));
    CHECK(hdf5::load<std::complex<double>, 2>(file.path, "many").to_vector() == many);
    using Pair = std::tuple<int, std::complex<double>>;
    hdf5::save(file.path, "pairs", from(std::vector<Pair>{{1, {2, 3}}, {4, {5, 6}}}));
    CHECK(hdf5::load<Pair>(file.path, "pairs")(1) == Pair{4, {5, 6}});
    // A tuple takes members by their positions, a struct by their names.
    hdf5::save(file.path, "bodies", from(std::vector<Body>{{1.5, {1, 2, 3}, true}, {2.5, {4, 5, 6}, false}}));
    const Body body = hdf5::load<Body>(file.path, "bodies").to_vector()[1];
    CHECK((body.mass == 2.5 && body.at[2] == 6.f && !body.fixed));
    CHECK(std::get<0>(hdf5::load<std::tuple<double, std::array<float, 3>, bool>>(file.path, "bodies")(0)) == 1.5);
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<float>(file.path, "bodies"); }),
                   "{mass: f64, at: f32[3], fixed: bool}, shape [2]; expected f32"));
    hdf5::save(file.path, "tuples", from(std::vector<std::tuple<double, std::array<float, 3>, bool>>{{1, {}, true}}));
    CHECK_THROWS_AS(hdf5::load<Body>(file.path, "tuples"), UsageError);
}

TEST_CASE("HDF5: parts are those of slice", "[files]") {
    TemporaryFile file("hdf5_parts");
    const Array<int, 3> a = run(reshape(cast<int>(iota(7 * 8 * 9)), shape(7, 8, 9)));
    hdf5::save(file.path, "a", a);
    hdf5::save(file.path, "chunks", a, {.chunk = {2, 3, 4}, .compression = 9});
    for (const char* name : {"a", "chunks"}) {
        CHECK(hdf5::load<int, 3>(file.path, name, range(1, 6, 2), all, range(8, 9)).to_vector() ==
              run(slice(a, range(1, 6, 2), all, range(8, 9))).to_vector());
        CHECK(hdf5::load<int, 2>(file.path, name, 3, all, range(0, 9, 4)).to_vector() ==
              run(slice(a, 3, all, range(0, 9, 4))).to_vector());
        CHECK(hdf5::load<int, 1>(file.path, name, all, 2, 1).to_vector() == run(slice(a, all, 2, 1)).to_vector());
        CHECK(hdf5::load<int, 0>(file.path, name, 6, 7, 8).item() == 7 * 8 * 9 - 1);
        CHECK(hdf5::load<int, 3>(file.path, name, range(2, 2), all, all).size() == 0);
        CHECK(hdf5::load<double, 1>(file.path, name, convert, 0, 0, all)(4) == 4.);
    }
    hdf5::save_part(file.path, "chunks", run(slice(a, range(0, 2), all, 3) * -1), range(0, 7, 4), all, 5);
    const Array<int, 3> changed = hdf5::load<int, 3>(file.path, "chunks");
    CHECK(changed(4, 7, 5) == -a(1, 7, 3));
    CHECK(changed(4, 7, 4) == a(4, 7, 4));
    CHECK(contains(error_of<ShapeError>([&] { hdf5::load<int, 3>(file.path, "a", range(1, 8), all, all); }),
                   "has no indices 1 to 8 in axis 0; its shape is [7, 8, 9]"));
    CHECK_THROWS_AS((hdf5::load<int, 3>(file.path, "a", range(6, 1, -1), all, all)), UsageError);
    CHECK_THROWS_AS((hdf5::load<int, 2>(file.path, "a", all, all)), ShapeError);
    CHECK(contains(error_of<ShapeError>([&] { hdf5::save_part(file.path, "a", run(iota<int>(3)), 0, 0, all); }),
                   "in a part of shape [9], with an array of shape [3]"));
    CHECK_THROWS_AS(hdf5::save_part(file.path, "a", run(iota<float>(9)), 0, 0, all), UsageError);
}

TEST_CASE("HDF5: what is there is overwritten or appended to only on request", "[files]") {
    TemporaryFile file("hdf5_existing");
    const Array<double, 2> a = run(reshape(iota<double>(6), shape(2, 3)));
    hdf5::save(file.path, "a", a);
    CHECK(contains(error_of<UsageError>([&] { hdf5::save(file.path, "a", a); }), "a is there already"));
    hdf5::save(file.path, "a", run(a * 2.), {.existing = hdf5::Existing::overwrite});
    CHECK(hdf5::load<double, 2>(file.path, "a")(1, 2) == 10.);
    hdf5::save(file.path, "a", run(iota<int>(4)), {.existing = hdf5::Existing::overwrite});
    CHECK(hdf5::load<int>(file.path, "a").size() == 4);
    CHECK(contains(
        error_of<UsageError>([&] { hdf5::save(file.path, "a", run(iota<int>(4)), {.existing = hdf5::Existing::append}); }),
        "cannot grow"));
    for (int k = 0; k < 3; ++k) hdf5::save(file.path, "log/rows", run(a + double(k)), {.existing = hdf5::Existing::append});
    const Array<double, 2> rows = hdf5::load<double, 2>(file.path, "log/rows");
    CHECK(rows.shape() == std::array<std::int64_t, 2>{6, 3});
    CHECK(rows(5, 2) == 7.);
    CHECK(rows(2, 0) == 1.);
    CHECK(contains(error_of<ShapeError>([&] {
                       hdf5::save(file.path, "log/rows", run(iota<double>(3)), {.existing = hdf5::Existing::append});
                   }),
                   "has shape [6, 3]; rows of shape [3] do not fit"));
    CHECK_THROWS_AS(hdf5::save(file.path, "log/rows", run(cast<float>(a)), {.existing = hdf5::Existing::append}),
                    UsageError);
    CHECK_THROWS_AS(hdf5::save(file.path, "log", a, {.existing = hdf5::Existing::overwrite}), UsageError);
    hdf5::save(file.path, "grows", a, {.growable = true, .chunk = {16, 2}});
    hdf5::save(file.path, "grows", a, {.existing = hdf5::Existing::append});
    CHECK(hdf5::extents(file.path, "grows") == std::vector<std::int64_t>{4, 3});
    CHECK_THROWS_AS(hdf5::save(file.path, "b", a, {.compression = 10}), UsageError);
    CHECK_THROWS_AS(hdf5::save(file.path, "b", a, {.chunk = {4}}), ShapeError);
    CHECK_THROWS_AS(hdf5::save(file.path, "b", a, {.chunk = {4, 0}}), ShapeError);
    CHECK_THROWS_AS(hdf5::save(file.path, "b", run(sum(flatten(a))), {.growable = true}), UsageError);
    const Array<float, 2> zeros = run(fill(shape(1000, 1000), 0.f));
    files_tests::meet();
    const auto before = std::filesystem::file_size(file.path);
    files_tests::meet();
    hdf5::save(file.path, "zeros", zeros, {.compression = 1});
    CHECK(std::filesystem::file_size(file.path) - before < 100000);
    files_tests::meet();
    CHECK(run(all(flatten(hdf5::load<float, 2>(file.path, "zeros") == 0.f))).item());
}

TEST_CASE("HDF5: attributes", "[files]") {
    TemporaryFile file("hdf5_attributes");
    hdf5::save(file.path, "u", run(iota(3)));
    hdf5::save_attribute(file.path, "/", "title", "Wärme");
    hdf5::save_attribute(file.path, "u", "step", 17);
    hdf5::save_attribute(file.path, "u", "dt", 0.5);
    hdf5::save_attribute(file.path, "u", "stable", true);
    hdf5::save_attribute(file.path, "u", "step", std::uint64_t{1} << 63);
    CHECK(hdf5::load_attribute<std::string>(file.path, "/", "title") == "Wärme");
    CHECK(hdf5::load_attribute<std::uint64_t>(file.path, "u", "step") == std::uint64_t{1} << 63);
    CHECK(hdf5::load_attribute<double>(file.path, "u", "step") == 0x1p63);
    CHECK_THROWS_AS(hdf5::load_attribute<std::int64_t>(file.path, "u", "step"), UsageError);
    CHECK(hdf5::load_attribute<float>(file.path, "u", "dt") == 0.5f);
    CHECK_THROWS_AS(hdf5::load_attribute<int>(file.path, "u", "dt"), UsageError);
    CHECK(hdf5::load_attribute<bool>(file.path, "u", "stable"));
    CHECK_THROWS_AS(hdf5::load_attribute<int>(file.path, "u", "stable"), UsageError);
    CHECK_THROWS_AS(hdf5::load_attribute<std::string>(file.path, "u", "dt"), UsageError);
    CHECK_THROWS_AS(hdf5::load_attribute<int>(file.path, "u", "none"), UsageError);
    CHECK_THROWS_AS(hdf5::save_attribute(file.path, "v", "none", 1), UsageError);
    CHECK(hdf5::attributes(file.path, "u") == std::vector<std::string>{"dt", "stable", "step"});
}

TEST_CASE("HDF5: numbers are converted on request, as by cast", "[files]") {
    TemporaryFile file("hdf5_convert");
    hdf5::save(file.path, "x", from({1.5, -2.7, 1e10, 300.}));
    CHECK(hdf5::load<int>(file.path, "x", convert).to_vector() == std::vector<int>{1, -2, 2147483647, 300});
    CHECK(hdf5::load<float>(file.path, "x", convert)(1) == -2.7f);
    CHECK(hdf5::load<std::complex<double>>(file.path, "x", convert)(3) == std::complex<double>(300, 0));
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<int>(file.path, "x"); }),
                   "x has elements of type f64, shape [4]; expected i32"));
    hdf5::save(file.path, "z", from(std::vector<std::complex<double>>{{1, 2}}));
    CHECK_THROWS_AS(hdf5::load<double>(file.path, "z", convert), UsageError);
}

TEST_CASE("HDF5: files that cannot be read are errors", "[files]") {
    TemporaryFile file("hdf5_damaged");
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<int>(file.path, "x"); }), "cannot be opened: No such file"));
    file.write("no HDF5");
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<int>(file.path, "x"); }), "is not an HDF5 file"));
    CHECK_THROWS_AS(hdf5::save(file.path, "x", run(iota(3))), UsageError);
    CHECK_THROWS_AS(hdf5::save("/no such folder/x.h5", "x", run(iota(3))), UsageError);
    CHECK_THROWS_AS(hdf5::names(file.path), UsageError);
    file.remove();
    hdf5::save(file.path, "group/x", run(iota(100000)));
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<std::int64_t>(file.path, "group/y"); }),
                   "group/y is not in the file"));
    CHECK(contains(error_of<UsageError>([&] { hdf5::load<std::int64_t>(file.path, "group"); }), "not a dataset"));
    CHECK_THROWS_AS(hdf5::save(file.path, "", run(iota(3))), UsageError);
    // Cut off.
    file.cut(5000);
    CHECK_THROWS_AS(hdf5::load<std::int64_t>(file.path, "group/x"), UsageError);
}
