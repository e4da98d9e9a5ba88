// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace sinter::netcdf {

void check(const Place& place, const char* failed, int status) {
    if (status != NC_NOERR) place.fail(fmt::format("{}: {}", failed, nc_strerror(status)));
}

namespace {

/// The place in a message about the file itself.
Place of_file(const Place& place) { return {place.what, place.path, "", place.where}; }

}  // namespace

std::recursive_mutex& File::only_one() {
    static auto* mutex = new std::recursive_mutex;  // NetCDF may be used while the process ends
    return *mutex;
}

File File::to_read(const Place& place) {
    File file;
    check(of_file(place), "cannot be opened", nc_open(place.path.c_str(), NC_NOWRITE, &file.id_));
    return file;
}

File File::to_write(const Place& place, bool make) {
    File file;
    std::error_code error;
    if (make && !std::filesystem::exists(place.path, error))
        check(of_file(place), "cannot be made", nc_create(place.path.c_str(), NC_NETCDF4 | NC_NOCLOBBER, &file.id_));
    else
        check(of_file(place), "cannot be opened", nc_open(place.path.c_str(), NC_WRITE, &file.id_));
    return file;
}

File::~File() {
    if (lock_.owns_lock() && id_ >= 0) nc_close(id_);
}

void File::close(const Place& place) { check(of_file(place), "cannot be written", nc_close(std::exchange(id_, -1))); }

std::optional<InGroup> find_group(const Place& place, int file, const std::string& path, bool make) {
    InGroup found{file, path};
    if (found.name.starts_with('/')) found.name.erase(0, 1);
    for (std::size_t slash = found.name.find('/'); slash != std::string::npos; slash = found.name.find('/')) {
        const std::string name = found.name.substr(0, slash);
        int next = 0, status = nc_inq_grp_ncid(found.group, name.c_str(), &next);
        if (status != NC_NOERR && !make) return {};
        if (status != NC_NOERR) check(place, "cannot be made", nc_def_grp(found.group, name.c_str(), &next));
        found = {next, found.name.substr(slash + 1)};
    }
    return found;
}

std::optional<Variable> find_variable(const Place& place, int file) {
    const std::optional<InGroup> at = find_group(place, file, place.name, false);
    Variable variable{};
    if (!at || nc_inq_varid(at->group, at->name.c_str(), &variable.id) != NC_NOERR) return {};
    variable.group = at->group;
    int rank = 0;
    check(place, "cannot be read",
          nc_inq_var(variable.group, variable.id, nullptr, &variable.type, &rank, nullptr, nullptr));
    variable.dimensions.resize(static_cast<std::size_t>(rank));
    check(place, "cannot be read", nc_inq_vardimid(variable.group, variable.id, variable.dimensions.data()));
    for (int dimension : variable.dimensions) {
        std::size_t extent = 0;
        check(place, "cannot be read", nc_inq_dimlen(variable.group, dimension, &extent));
        variable.extents.push_back(extent);
    }
    return variable;
}

Variable open_variable(const Place& place, int file) {
    std::optional<Variable> variable = find_variable(place, file);
    if (!variable) place.fail("is not in the file: there is no such variable");
    return std::move(*variable);
}

nc_type type_of(Scalar scalar) {
    constexpr nc_type types[] = {NC_NAT,    NC_BYTE, NC_SHORT,  NC_INT, NC_INT64, NC_UBYTE,
                                 NC_USHORT, NC_UINT, NC_UINT64, NC_NAT, NC_FLOAT, NC_DOUBLE};
    return types[static_cast<int>(scalar)];
}

std::optional<Scalar> scalar_of(nc_type type) {
    for (int k = 0; k < detail::scalar_count; ++k)
        if (type != NC_NAT && type_of(static_cast<Scalar>(k)) == type) return static_cast<Scalar>(k);
    return {};
}

std::string print_type(nc_type type) {
    if (const std::optional<Scalar> scalar = scalar_of(type)) return detail::name_of(*scalar);
    if (type == NC_CHAR) return "char";
    return type == NC_STRING ? "string" : "a type of the file's own";
}

std::string dimension_name(const Place& place, int group, int dimension) {
    char name[NC_MAX_NAME + 1] = {};
    check(place, "cannot be read", nc_inq_dimname(group, dimension, name));
    return name;
}

}  // namespace sinter::netcdf
