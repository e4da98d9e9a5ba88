// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays come back from NetCDF files as they were, parts are those of slice, and what is wrong is said.
#include "files/support.hpp"

#include <sinter/netcdf.hpp>
#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

using files_tests::contains, files_tests::error_of, files_tests::TemporaryFile;

template <class T>
void round_trip(const std::string& path) {
    const std::string name = detail::name_of(detail::scalar_v<T>);
    const Array<T, 3> a = run(reshape(cast<T>(iota(60) - 20), shape(3, 4, 5)));
    netcdf::save(path, name, {"z", "y", "x"}, a);
    const Array<T, 3> b = netcdf::load<T, 3>(path, name);
    CHECK(b.shape() == a.shape());
    CHECK(b.to_vector() == a.to_vector());
    netcdf::save(path, "scalars/" + name, {}, run(max(flatten(a))));
    CHECK(netcdf::load<T, 0>(path, "scalars/" + name).item() == run(max(flatten(a))).item());
    netcdf::save_attribute(path, name, "largest", run(max(flatten(a))).item());
    CHECK(netcdf::load_attribute<T>(path, name, "largest") == run(max(flatten(a))).item());
}

}  // namespace

TEST_CASE("NetCDF: every scalar type", "[files]") {
    TemporaryFile file("netcdf_types");
    round_trip<std::int8_t>(file.path);
    round_trip<std::int16_t>(file.path);
    round_trip<std::int32_t>(file.path);
    round_trip<std::int64_t>(file.path);
    round_trip<std::uint8_t>(file.path);
    round_trip<std::uint16_t>(file.path);
    round_trip<std::uint32_t>(file.path);
    round_trip<std::uint64_t>(file.path);
    round_trip<float>(file.path);
    round_trip<double>(file.path);
    const std::vector<std::string> names = netcdf::names(file.path);
    CHECK(names.size() == 20);
    CHECK(names[0] == "i8");
    CHECK(names[10] == "scalars/i8");
    CHECK(netcdf::extents(file.path, "f32") == std::vector<std::int64_t>{3, 4, 5});
    CHECK(netcdf::dimensions(file.path, "f32") == std::vector<std::string>{"z", "y", "x"});
    CHECK(netcdf::dimensions(file.path, "scalars/f32").empty());
}

TEST_CASE("NetCDF: parts are those of slice", "[files]") {
    TemporaryFile file("netcdf_parts");
    const Array<int, 3> a = run(reshape(cast<int>(iota(7 * 8 * 9)), shape(7, 8, 9)));
    netcdf::save(file.path, "a", {"z", "y", "x"}, a);
    netcdf::save(file.path, "chunks", {"z", "y", "x"}, a, {.chunk = {2, 3, 4}, .compression = 9});
    for (const char* name : {"a", "chunks"}) {
        CHECK(netcdf::load<int, 3>(file.path, name, range(1, 6, 2), all, range(8, 9)).to_vector() ==
              run(slice(a, range(1, 6, 2), all, range(8, 9))).to_vector());
        CHECK(netcdf::load<int, 2>(file.path, name, 3, all, range(0, 9, 4)).to_vector() ==
              run(slice(a, 3, all, range(0, 9, 4))).to_vector());
        CHECK(netcdf::load<int, 0>(file.path, name, 6, 7, 8).item() == 7 * 8 * 9 - 1);
        CHECK(netcdf::load<int, 3>(file.path, name, range(2, 2), all, all).size() == 0);
        CHECK(netcdf::load<double, 1>(file.path, name, convert, 0, 0, all)(4) == 4.);
    }
    netcdf::save_part(file.path, "a", run(slice(a, range(0, 2), all, 3) * -1), range(0, 7, 4), all, 5);
    const Array<int, 3> changed = netcdf::load<int, 3>(file.path, "a");
    CHECK(changed(4, 7, 5) == -a(1, 7, 3));
    CHECK(changed(4, 7, 4) == a(4, 7, 4));
    CHECK(contains(error_of<ShapeError>([&] { netcdf::load<int, 3>(file.path, "a", range(1, 8), all, all); }),
                   "has no indices 1 to 8 in axis 0; its shape is [7, 8, 9]"));
    CHECK_THROWS_AS((netcdf::load<int, 2>(file.path, "a", all, all)), ShapeError);
    CHECK_THROWS_AS(netcdf::save_part(file.path, "a", run(iota<int>(3)), 0, 0, all), ShapeError);
    CHECK_THROWS_AS(netcdf::save_part(file.path, "a", run(iota<float>(9)), 0, 0, all), UsageError);
}

TEST_CASE("NetCDF: variables and dimensions that are there", "[files]") {
    TemporaryFile file("netcdf_existing");
    const Array<double, 2> a = run(reshape(iota<double>(6), shape(2, 3)));
    netcdf::save(file.path, "a", {"y", "x"}, a);
    CHECK(contains(error_of<UsageError>([&] { netcdf::save(file.path, "a", {"y", "x"}, a); }), "a is there already"));
    netcdf::save(file.path, "a", {"y", "x"}, run(a * 2.), {.existing = netcdf::Existing::overwrite});
    CHECK(netcdf::load<double, 2>(file.path, "a")(1, 2) == 10.);
    CHECK_THROWS_AS(netcdf::save(file.path, "a", {"x", "y"}, a, {.existing = netcdf::Existing::overwrite}), UsageError);
    CHECK(contains(error_of<ShapeError>([&] { netcdf::save(file.path, "b", {"x", "y"}, a); }),
                   "b has extent 2 in x, which has 3"));
    CHECK(contains(
        error_of<UsageError>([&] { netcdf::save(file.path, "a", {"y", "x"}, a, {.existing = netcdf::Existing::append}); }),
        "y is not unlimited"));
    for (int k = 0; k < 3; ++k)
        netcdf::save(file.path, "log", {"time", "x"}, run(a + double(k)), {.existing = netcdf::Existing::append});
    const Array<double, 2> rows = netcdf::load<double, 2>(file.path, "log");
    CHECK(rows.shape() == std::array<std::int64_t, 2>{6, 3});
    CHECK(rows(5, 2) == 7.);
    CHECK(rows(2, 0) == 1.);
    CHECK_THROWS_AS(netcdf::save(file.path, "log", {"time"}, run(iota<double>(3)), {.existing = netcdf::Existing::append}),
                    UsageError);
    CHECK_THROWS_AS(netcdf::save(file.path, "c", {"y", "x"}, a, {.compression = 10}), UsageError);
    CHECK_THROWS_AS(netcdf::save(file.path, "c", {"y", "x"}, a, {.chunk = {4}}), ShapeError);
    CHECK_THROWS_AS(netcdf::save(file.path, "c", {"y"}, a), ShapeError);
    CHECK_THROWS_AS(netcdf::save(file.path, "none", {"n"}, run(iota<int>(0))), ShapeError);
    netcdf::save(file.path, "none", {"n"}, run(iota<int>(0)), {.unlimited = true});
    CHECK(netcdf::load<int>(file.path, "none").size() == 0);
}

TEST_CASE("NetCDF: attributes", "[files]") {
    TemporaryFile file("netcdf_attributes");
    netcdf::save(file.path, "u", {"x"}, run(iota(3)));
    netcdf::save_attribute(file.path, "", "title", "Wärme");
    netcdf::save_attribute(file.path, "u", "units", std::string("K"));
    netcdf::save_attribute(file.path, "u", "step", 17);
    netcdf::save_attribute(file.path, "u", "dt", 0.5);
    CHECK(netcdf::load_attribute<std::string>(file.path, "", "title") == "Wärme");
    CHECK(netcdf::load_attribute<std::string>(file.path, "u", "units") == "K");
    CHECK(netcdf::load_attribute<std::int64_t>(file.path, "u", "step") == 17);
    CHECK(netcdf::load_attribute<float>(file.path, "u", "dt") == 0.5f);
    CHECK_THROWS_AS(netcdf::load_attribute<int>(file.path, "u", "dt"), UsageError);
    CHECK_THROWS_AS(netcdf::load_attribute<int>(file.path, "u", "units"), UsageError);
    CHECK_THROWS_AS(netcdf::load_attribute<std::string>(file.path, "u", "dt"), UsageError);
    CHECK_THROWS_AS(netcdf::load_attribute<int>(file.path, "u", "none"), UsageError);
    CHECK_THROWS_AS(netcdf::save_attribute(file.path, "v", "none", 1), UsageError);
    CHECK(netcdf::attributes(file.path, "u") == std::vector<std::string>{"units", "step", "dt"});
}

TEST_CASE("NetCDF: files that cannot be read are errors", "[files]") {
    TemporaryFile file("netcdf_damaged");
    CHECK(contains(error_of<UsageError>([&] { netcdf::load<int>(file.path, "x"); }), "cannot be opened: No such file"));
    file.write("no NetCDF");
    CHECK_THROWS_AS(netcdf::load<int>(file.path, "x"), UsageError);
    CHECK_THROWS_AS(netcdf::save(file.path, "x", {"n"}, run(iota(3))), UsageError);
    CHECK_THROWS_AS(netcdf::save("/no such folder/x.nc", "x", {"n"}, run(iota(3))), UsageError);
    file.remove();
    netcdf::save(file.path, "group/x", {"n"}, run(iota(100)));
    CHECK(contains(error_of<UsageError>([&] { netcdf::load<std::int64_t>(file.path, "group/y"); }),
                   "group/y is not in the file"));
    CHECK_THROWS_AS(netcdf::load<std::int64_t>(file.path, "group"), UsageError);
    CHECK(contains(error_of<UsageError>([&] { netcdf::load<float>(file.path, "group/x"); }),
                   "has elements of type i64, shape [100]; expected f32"));
    CHECK(contains(error_of<ShapeError>([&] { netcdf::load<std::int64_t, 2>(file.path, "group/x"); }),
                   "has rank 1, shape [100]; expected rank 2"));
    CHECK_THROWS_AS(netcdf::save(file.path, "", {"n"}, run(iota(3))), UsageError);
}
