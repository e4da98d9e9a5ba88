// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.hpp"

#include <sinter/detail/interop.hpp>
#include <sinter/detail/rows.hpp>
#include <sinter/netcdf.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace sinter::netcdf {

namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t row_elements(const files::Slab& slab) { return static_cast<std::int64_t>(slab.rows(0, 1).elements()); }

/// Reads or writes the elements of a slab. NetCDF wants at least one index, also of variables without dimensions.
template <class Transfer, class Data>
int transfer(Transfer function, const Variable& variable, const files::Slab& slab, Data* data) {
    std::vector<std::size_t> first = slab.first, count = slab.count;
    std::vector<std::ptrdiff_t> step(slab.step.begin(), slab.step.end());
    first.push_back(0);
    count.push_back(1);
    step.push_back(1);
    return function(variable.group, variable.id, first.data(), count.data(), step.data(), data);
}

/// True if all steps are 1: then NetCDF's functions without steps are used, which are faster.
bool is_dense(const files::Slab& slab) {
    return std::all_of(slab.step.begin(), slab.step.end(), [](std::size_t step) { return step == 1; });
}
int get(const Variable& variable, const files::Slab& slab, void* data) {
    auto dense = [](int group, int id, const std::size_t* first, const std::size_t* count, const std::ptrdiff_t*, void* to) {
        return nc_get_vara(group, id, first, count, to);
    };
    return is_dense(slab) ? transfer(dense, variable, slab, data) : transfer(nc_get_vars, variable, slab, data);
}
int put(const Variable& variable, const files::Slab& slab, const void* data) {
    auto dense = [](int group, int id, const std::size_t* first, const std::size_t* count, const std::ptrdiff_t*,
                    const void* from) { return nc_put_vara(group, id, first, count, from); };
    return is_dense(slab) ? transfer(dense, variable, slab, data) : transfer(nc_put_vars, variable, slab, data);
}

void read_rows(const Place& place, const Variable& variable, const files::Slab& slab, std::int64_t begin, std::int64_t end,
               Scalar scalar, std::byte* to) {
    const Scalar stored = *scalar_of(variable.type);
    const std::int64_t row = row_elements(slab), wide = detail::size_of(scalar), size = detail::size_of(stored);
    if (stored == scalar)
        return check(place, "cannot be read", get(variable, slab.rows(begin, end), to + begin * row * wide));
    std::vector<std::byte> block;
    files::each_block(begin, end, row * size, [&](std::int64_t first, std::int64_t last) {
        const auto count = static_cast<std::size_t>((last - first) * row);
        block.resize(count * static_cast<std::size_t>(size));
        check(place, "cannot be read", get(variable, slab.rows(first, last), block.data()));
        detail::cast_elements(stored, block.data(), scalar, to + first * row * wide, count);
    });
}

void check_type(const Place& place, const Variable& variable, Scalar wanted, bool convert) {
    const std::optional<Scalar> stored = scalar_of(variable.type);
    if (!stored || (*stored != wanted && !convert))
        place.fail(fmt::format("has elements of type {}, shape {}; expected {}", print_type(variable.type),
                               files::print(variable.extents), detail::name_of(wanted)));
}

/// The dimension of this name, which is made if the file does not have it.
int define_dimension(const Place& place, int group, const std::string& name, std::int64_t extent, bool unlimited) {
    int dimension = 0;
    std::size_t length = 0;
    if (nc_inq_dimid(group, name.c_str(), &dimension) != NC_NOERR) {
        length = unlimited ? NC_UNLIMITED : static_cast<std::size_t>(extent);
        if (!unlimited && extent == 0)
            place.fail_shape(fmt::format("has extent 0 in {}, which has to be unlimited for that", name));
        check(place, "cannot have this dimension", nc_def_dim(group, name.c_str(), length, &dimension));
        return dimension;
    }
    check(place, "cannot be read", nc_inq_dimlen(group, dimension, &length));
    if (static_cast<std::int64_t>(length) != extent && !unlimited)
        place.fail_shape(fmt::format("has extent {} in {}, which has {} in this file", extent, name, length));
    return dimension;
}

void define(const Place& place, int file, const std::vector<std::string>& dimensions, Scalar scalar, const Shape& shape,
            const SaveOptions& options) {
    const InGroup at = *find_group(place, file, place.name, true);
    if (at.name.empty()) place.fail("is no name for a variable");
    const bool unlimited = options.unlimited || options.existing == Existing::append;
    std::vector<int> ids;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        ids.push_back(define_dimension(place, at.group, dimensions[axis], shape[axis], unlimited && axis == 0));
    int id = 0;
    check(place, "cannot be made",
          nc_def_var(at.group, at.name.c_str(), type_of(scalar), static_cast<int>(ids.size()), ids.data(), &id));
    if (options.compression > 0)
        check(place, "cannot be compressed", nc_def_var_deflate(at.group, id, 1, 1, options.compression));
    const std::vector<std::size_t> chunk(options.chunk.begin(), options.chunk.end());
    if (!chunk.empty())
        check(place, "cannot be stored in these chunks", nc_def_var_chunking(at.group, id, NC_CHUNKED, chunk.data()));
}

void check_options(const Place& place, const Shape& shape, const SaveOptions& options) {
    if (shape.empty() && (options.unlimited || options.existing == Existing::append || options.compression != 0))
        place.fail("is a single number, which has no rows to append and is not compressed");
    if (options.compression < 0 || options.compression > 9)
        place.fail(fmt::format("is to be compressed with level {}; levels are 0 to 9", options.compression));
    const bool positive =
        std::all_of(options.chunk.begin(), options.chunk.end(), [](std::int64_t extent) { return extent > 0; });
    if (!options.chunk.empty() && (options.chunk.size() != shape.size() || !positive))
        place.fail_shape(fmt::format("has shape {}, and is to be stored in chunks of shape {}", files::print(shape),
                                     files::print(options.chunk)));
}

/// What is there fits the array, except for the number of rows if they are appended.
void check_there(const Place& place, const Variable& variable, const std::vector<std::string>& dimensions, Scalar scalar,
                 const Shape& shape, bool append) {
    check_type(place, variable, scalar, false);
    std::vector<std::string> names;
    for (int dimension : variable.dimensions) names.push_back(dimension_name(place, variable.group, dimension));
    if (names != dimensions)
        place.fail(fmt::format("has the dimensions {}, not {}", fmt::join(names, ", "), fmt::join(dimensions, ", ")));
    Shape extents(variable.extents.begin(), variable.extents.end());
    if (append) extents[0] = shape[0];
    if (extents != shape)
        place.fail_shape(
            fmt::format("has shape {}; rows of shape {} do not fit", files::print(variable.extents), files::print(shape)));
    int count = 0;
    std::vector<int> unlimited(NC_MAX_DIMS);
    if (!append) return;
    check(place, "cannot be read", nc_inq_unlimdims(variable.group, &count, unlimited.data()));
    if (std::find(unlimited.begin(), unlimited.begin() + count, variable.dimensions[0]) == unlimited.begin() + count)
        place.fail(
            fmt::format("cannot grow: save it with .unlimited = true, or with Existing::append from the beginning; {} "
                        "is not unlimited",
                        names[0]));
}

/// Makes the variable, or sees that it fits.
void prepare(const Place& place, const std::vector<std::string>& dimensions, Scalar scalar, const Shape& shape,
             const SaveOptions& options) {
    check_options(place, shape, options);
    File file = File::to_write(place, true);
    const std::optional<Variable> variable = find_variable(place, file.id());
    if (variable && options.existing == Existing::refuse)
        place.fail("is there already: say .existing = netcdf::Existing::overwrite, or append");
    if (variable) {
        check_there(place, *variable, dimensions, scalar, shape, options.existing == Existing::append);
    } else {
        nc_redef(file.id());  // an error in NetCDF-4, which has no such mode
        define(place, file.id(), dimensions, scalar, shape, options);
        nc_enddef(file.id());
    }
    file.close(place);
}

/// The number of rows that the variable has before rows are appended; on all ranks, before one of them writes.
std::int64_t rows_before(const Place& place) {
    std::int64_t rows = 0;
    detail::meet_for_file(place.what, 0, place.where);
    detail::together(place.what, place.where, [&] {
        std::error_code error;
        if (!std::filesystem::exists(place.path, error)) return;
        const File file = File::to_read(place);
        const std::optional<Variable> variable = find_variable(place, file.id());
        if (variable && !variable->extents.empty()) rows = static_cast<std::int64_t>(variable->extents[0]);
    });
    return rows;
}

}  // namespace

namespace detail {

void load(const PathHere& path, const std::string& variable, Scalar scalar, bool convert, const StoredPart* parts,
          std::size_t part_count, std::size_t rank, LeafRef* out) {
    const Place place{"netcdf::load", path.text, variable, path.where};
    std::optional<File> file;
    Variable found;
    files::Slab slab;
    auto shape = [&] {
        file.emplace(File::to_read(place));
        found = open_variable(place, file->id());
        check_type(place, found, scalar, convert);
        slab = files::select(place, found.extents, parts, part_count, rank);
        return slab.shape();
    };
    auto read = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        read_rows(place, found, slab, begin, end, scalar, columns[0]);
    };
    files::load_rows(place, &scalar, 1, shape, read, out);
}

void save(const PathHere& path, const std::string& variable, const std::vector<std::string>& dimensions, Scalar scalar,
          const std::int64_t* shape, const LeafRef& array, const SaveOptions& options) {
    const Place place{"netcdf::save", path.text, variable, path.where};
    const Shape extents(shape, shape + dimensions.size());
    const std::int64_t first = options.existing == Existing::append ? rows_before(place) : 0;
    auto prepare_all = [&] { prepare(place, dimensions, scalar, extents, options); };
    auto write = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        File file = File::to_write(place, false);
        const Variable found = open_variable(place, file.id());
        files::Slab slab = files::whole({extents.begin(), extents.end()});
        if (!extents.empty()) slab.first[0] = static_cast<std::size_t>(first);
        const std::byte* from = columns[0] + begin * row_elements(slab) * size_of(scalar);
        if (slab.elements() > 0) check(place, "cannot be written", put(found, slab.rows(begin, end), from));
        file.close(place);
    };
    files::save_rows(place, extents, &array, 1, prepare_all, write);
}

void save_part(const PathHere& path, const std::string& variable, Scalar scalar, const StoredPart* parts,
               std::size_t part_count, const std::int64_t* shape, std::size_t rank, const LeafRef& array) {
    const Place place{"netcdf::save_part", path.text, variable, path.where};
    const Shape extents(shape, shape + rank);
    auto select_part = [&](const Variable& found) {
        check_type(place, found, scalar, false);
        files::Slab slab = files::select(place, found.extents, parts, part_count, rank);
        if (slab.shape() != extents)
            place.fail_shape(fmt::format("is to be written in a part of shape {}, with an array of shape {}",
                                         files::print(slab.shape()), files::print(extents)));
        return slab;
    };
    auto look = [&] {
        const File file = File::to_read(place);
        select_part(open_variable(place, file.id()));
    };
    auto write = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        File file = File::to_write(place, false);
        const Variable found = open_variable(place, file.id());
        const files::Slab slab = select_part(found);
        const std::byte* from = columns[0] + begin * row_elements(slab) * size_of(scalar);
        if (slab.elements() > 0) check(place, "cannot be written", put(found, slab.rows(begin, end), from));
        file.close(place);
    };
    files::save_rows(place, extents, &array, 1, look, write);
}

}  // namespace detail

std::vector<std::int64_t> extents(const detail::PathHere& path, const std::string& variable) {
    const Place place{"netcdf::extents", path.text, variable, path.where};
    const File file = File::to_read(place);
    const Variable found = open_variable(place, file.id());
    return {found.extents.begin(), found.extents.end()};
}

std::vector<std::string> dimensions(const detail::PathHere& path, const std::string& variable) {
    const Place place{"netcdf::dimensions", path.text, variable, path.where};
    const File file = File::to_read(place);
    const Variable found = open_variable(place, file.id());
    std::vector<std::string> names;
    for (int dimension : found.dimensions) names.push_back(dimension_name(place, found.group, dimension));
    return names;
}

namespace {

void list_names(const Place& place, int group, const std::string& prefix, std::vector<std::string>& names) {
    int count = 0;
    check(place, "cannot be read", nc_inq_nvars(group, &count));
    for (int id = 0; id < count; ++id) {
        char name[NC_MAX_NAME + 1] = {};
        check(place, "cannot be read", nc_inq_varname(group, id, name));
        names.push_back(prefix + name);
    }
    if (nc_inq_grps(group, &count, nullptr) != NC_NOERR) return;  // a classic file has none
    std::vector<int> groups(static_cast<std::size_t>(count));
    check(place, "cannot be read", nc_inq_grps(group, &count, groups.data()));
    for (int inner : groups) {
        char name[NC_MAX_NAME + 1] = {};
        check(place, "cannot be read", nc_inq_grpname(inner, name));
        list_names(place, inner, prefix + name + "/", names);
    }
}

}  // namespace

std::vector<std::string> names(const detail::PathHere& path) {
    const Place place{"netcdf::names", path.text, "", path.where};
    const File file = File::to_read(place);
    std::vector<std::string> all;
    list_names(place, file.id(), "", all);
    return all;
}

}  // namespace sinter::netcdf
