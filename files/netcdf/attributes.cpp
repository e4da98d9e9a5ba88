// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../numbers.hpp"
#include "file.hpp"

#include <sinter/detail/rows.hpp>
#include <sinter/netcdf.hpp>

#include <fmt/format.h>

namespace sinter::netcdf {

namespace {

Place place_of(const char* what, const detail::PathHere& path, const std::string& variable, const std::string& name) {
    const std::string comma = variable.empty() ? "" : ", ";
    return {what, path.text, name.empty() ? variable : fmt::format("{}{}attribute {}", variable, comma, name), path.where};
}

/// Whose attributes they are: a variable's, or the file's.
struct Owner {
    int group, variable;
};
Owner open_owner(const Place& place, int file, const std::string& variable) {
    if (variable.empty()) return {file, NC_GLOBAL};
    const Variable found = open_variable({place.what, place.path, variable, place.where}, file);
    return {found.group, found.id};
}

/// Calls put(owner). Rank 0 writes.
template <class F>
void set_attribute(const Place& place, const std::string& variable, F put) {
    detail::meet_for_file(place.what, 0, place.where);
    detail::together(place.what, place.where, [&] {
        if (detail::own_rank() != 0) return;
        File file = File::to_write(place, false);
        nc_redef(file.id());  // an error in NetCDF-4, which has no such mode
        check(place, "cannot be written", put(open_owner(place, file.id(), variable)));
        file.close(place);
    });
}

/// Calls read(owner, type, number of values).
template <class F>
void read_attribute(const Place& place, const std::string& variable, const std::string& name, F read) {
    detail::meet_for_file(place.what, 0, place.where);
    detail::together(place.what, place.where, [&] {
        const File file = File::to_read(place);
        const Owner owner = open_owner(place, file.id(), variable);
        nc_type type = NC_NAT;
        std::size_t count = 0;
        if (nc_inq_att(owner.group, owner.variable, name.c_str(), &type, &count) != NC_NOERR)
            place.fail("is not in the file: there is no such attribute");
        read(owner, type, count);
    });
}

}  // namespace

namespace detail {

void save_number(const PathHere& path, const std::string& variable, const std::string& name, Scalar scalar,
                 std::uint64_t bits) {
    const Place place = place_of("netcdf::save_attribute", path, variable, name);
    set_attribute(place, variable, [&](const Owner& owner) {
        return nc_put_att(owner.group, owner.variable, name.c_str(), type_of(scalar), 1, &bits);
    });
}

void save_text(const PathHere& path, const std::string& variable, const std::string& name, const std::string& text) {
    const Place place = place_of("netcdf::save_attribute", path, variable, name);
    set_attribute(place, variable, [&](const Owner& owner) {
        return nc_put_att_text(owner.group, owner.variable, name.c_str(), text.size(), text.data());
    });
}

std::uint64_t load_number(const PathHere& path, const std::string& variable, const std::string& name, Scalar scalar) {
    const Place place = place_of("netcdf::load_attribute", path, variable, name);
    std::uint64_t result = 0;
    read_attribute(place, variable, name, [&](const Owner& owner, nc_type type, std::size_t count) {
        const std::optional<Scalar> stored = scalar_of(type);
        if (!stored || count != 1)
            place.fail(fmt::format("has {} values of type {}, expected one {}", count, print_type(type), name_of(scalar)));
        std::uint64_t bits = 0;
        check(place, "cannot be read", nc_get_att(owner.group, owner.variable, name.c_str(), &bits));
        result = files::exact_number(place, *stored, bits, scalar);
    });
    return result;
}

std::string load_text(const PathHere& path, const std::string& variable, const std::string& name) {
    const Place place = place_of("netcdf::load_attribute", path, variable, name);
    std::string text;
    read_attribute(place, variable, name, [&](const Owner& owner, nc_type type, std::size_t count) {
        if (type == NC_CHAR) {
            text.resize(count);
            check(place, "cannot be read", nc_get_att_text(owner.group, owner.variable, name.c_str(), text.data()));
            return;
        }
        if (type != NC_STRING || count != 1)
            place.fail(fmt::format("has {} values of type {}, expected a text", count, print_type(type)));
        char* value = nullptr;
        check(place, "cannot be read", nc_get_att_string(owner.group, owner.variable, name.c_str(), &value));
        text = value == nullptr ? "" : value;
        nc_free_string(1, &value);
    });
    return text;
}

}  // namespace detail

std::vector<std::string> attributes(const detail::PathHere& path, const std::string& variable) {
    const Place place = place_of("netcdf::attributes", path, variable, "");
    const File file = File::to_read(place);
    const Owner owner = open_owner(place, file.id(), variable);
    int count = 0;
    check(place, "cannot be read", nc_inq_varnatts(owner.group, owner.variable, &count));
    std::vector<std::string> names;
    for (int k = 0; k < count; ++k) {
        char name[NC_MAX_NAME + 1] = {};
        check(place, "cannot be read", nc_inq_attname(owner.group, owner.variable, k, name));
        names.emplace_back(name);
    }
    return names;
}

}  // namespace sinter::netcdf
