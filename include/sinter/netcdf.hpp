// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// NetCDF files. Needs the component libsinter-netcdf.so (CMake: sinter::netcdf). Not part of sinter.hpp.
///
/// Files are made in the format NetCDF-4; those in the classic formats are read and written, too. Elements are integers,
/// float and double. With several ranks, all of them make these calls: each reads and writes its own rows.
#pragma once

#include <sinter/detail/stored_part.hpp>
#include <sinter/npy.hpp>

#include <concepts>
#include <cstring>

namespace sinter::netcdf {

/// What save does if the file has a variable of this name.
enum class Existing {
    refuse,     ///< UsageError
    overwrite,  ///< its elements, if it has the same type, dimensions and shape; variables cannot be removed
    append,     ///< rows at the end of an unlimited dimension; the variable is made if it is not there
};

struct SaveOptions {
    Existing existing = Existing::refuse;
    bool unlimited = false;                ///< the first dimension, if it is new, can grow
    std::vector<std::int64_t> chunk = {};  ///< extents of the pieces in which it is stored; empty: the library's choice
    int compression = 0;                   ///< 1 (fast) to 9 (small): deflate, after a shuffle of the bytes
};

namespace detail {

using namespace sinter::detail;

template <class T>
concept Number = is_scalar<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, half>;

SINTER_API void load(const PathHere& path, const std::string& variable, Scalar scalar, bool convert, const StoredPart* parts,
                     std::size_t part_count, std::size_t rank, LeafRef* out);
SINTER_API void save(const PathHere& path, const std::string& variable, const std::vector<std::string>& dimensions,
                     Scalar scalar, const std::int64_t* shape, const LeafRef& array, const SaveOptions& options);
SINTER_API void save_part(const PathHere& path, const std::string& variable, Scalar scalar, const StoredPart* parts,
                          std::size_t part_count, const std::int64_t* shape, std::size_t rank, const LeafRef& array);
SINTER_API void save_number(const PathHere& path, const std::string& variable, const std::string& name, Scalar scalar,
                            std::uint64_t bits);
SINTER_API void save_text(const PathHere& path, const std::string& variable, const std::string& name,
                          const std::string& text);
/// The bits of a number of this type; UsageError if the attribute is not one, or has another value in it.
SINTER_API std::uint64_t load_number(const PathHere& path, const std::string& variable, const std::string& name,
                                     Scalar scalar);
SINTER_API std::string load_text(const PathHere& path, const std::string& variable, const std::string& name);

template <class T, int Rank, class... Spec>
Array<T, Rank> load_array(const PathHere& path, const std::string& variable, bool convert, const Spec&... spec) {
    static_assert(Number<T>, "netcdf::load: elements are integers, float or double");
    static_assert(sizeof...(Spec) == 0 || parts_rank<Spec...> == Rank,
                  "netcdf::load: an axis of the result for each specification that is all or a range");
    const StoredPart parts[] = {stored_part(spec)..., StoredPart{}};
    Leaves<T> leaves;
    load(path, variable, scalar_v<T>, convert, parts, sizeof...(Spec), Rank, leaves.leaf);
    return Array<T, Rank>(std::move(leaves));
}

}  // namespace detail

/// A variable, whose name may have groups before it: load<float, 3>("era.nc", "t2m"). A part of it if there are
/// specifications as for slice, one a dimension. Values are those in the file: attributes such as scale_factor change
/// nothing. UsageError if the file cannot be read, has no such variable, or one of other elements; ShapeError if its rank is
/// another, or the part leaves it.
template <class T, int Rank = 1, class... Spec>
    requires(detail::is_slice_spec<Spec> && ...)
Array<T, Rank> load(const sinter::detail::PathHere& path, const std::string& variable, const Spec&... spec) {
    return detail::load_array<T, Rank>(path, variable, false, spec...);
}
/// The same for numbers of any type, which are converted as by cast<T>.
template <class T, int Rank = 1, class... Spec>
    requires(detail::is_slice_spec<Spec> && ...)
Array<T, Rank> load(const sinter::detail::PathHere& path, const std::string& variable, Convert, const Spec&... spec) {
    return detail::load_array<T, Rank>(path, variable, true, spec...);
}

/// Adds an array to a file, which is made if it is not there, as a variable with these dimensions, one an axis:
/// save("run.nc", "u", {"y", "x"}, u). Dimensions that the file has already must have the array's extents.
template <class T, int Rank>
void save(const sinter::detail::PathHere& path, const std::string& variable, const std::vector<std::string>& dimensions,
          const Array<T, Rank>& a, const SaveOptions& options = {}) {
    static_assert(detail::Number<T>, "netcdf::save: elements are integers, float or double");
    const auto shape = a.shape(path.where);
    if (dimensions.size() != static_cast<std::size_t>(Rank))
        throw ShapeError("netcdf::save: " + path.text + ": " + variable + " has rank " + std::to_string(Rank) + ", and " +
                             std::to_string(dimensions.size()) + " dimensions are named",
                         path.where);
    detail::save(path, variable, dimensions, detail::scalar_v<T>, shape.data(), a.leaves().leaf[0], options);
}

/// Writes a part of a variable that is there: save_part("run.nc", "u", rows, range(0, 10), all). ShapeError if the part has
/// another shape than the array.
template <class T, int Rank, class... Spec>
    requires(sizeof...(Spec) > 0 && (detail::is_slice_spec<Spec> && ...))
void save_part(const sinter::detail::PathHere& path, const std::string& variable, const Array<T, Rank>& a,
               const Spec&... spec) {
    static_assert(detail::Number<T>, "netcdf::save_part: elements are integers, float or double");
    static_assert(detail::parts_rank<Spec...> == Rank,
                  "netcdf::save_part: an axis of the array for each specification that is all or a range");
    const detail::StoredPart parts[] = {detail::stored_part(spec)...};
    const auto shape = a.shape(path.where);
    detail::save_part(path, variable, detail::scalar_v<T>, parts, sizeof...(Spec), shape.data(), Rank, a.leaves().leaf[0]);
}

/// The names of all variables, each with its groups, in the order in which they were made.
SINTER_API std::vector<std::string> names(const sinter::detail::PathHere& path);
/// The extents of a variable.
SINTER_API std::vector<std::int64_t> extents(const sinter::detail::PathHere& path, const std::string& variable);
/// The names of its dimensions.
SINTER_API std::vector<std::string> dimensions(const sinter::detail::PathHere& path, const std::string& variable);

/// Sets an attribute of a variable, or of the file if `variable` is empty: a number or a text.
template <class V>
void save_attribute(const sinter::detail::PathHere& path, const std::string& variable, const std::string& name,
                    const V& value) {
    if constexpr (detail::Number<V>) {
        detail::save_number(path, variable, name, detail::scalar_v<V>, detail::bits_of<V>(value));
    } else {
        static_assert(!std::is_arithmetic_v<V> && std::convertible_to<const V&, std::string>,
                      "netcdf::save_attribute: an integer, a float, a double or a text");
        detail::save_text(path, variable, name, value);
    }
}
/// An attribute as a number or a std::string. UsageError if there is none, if it is of another kind, or if V cannot hold its
/// value.
template <class V>
V load_attribute(const sinter::detail::PathHere& path, const std::string& variable, const std::string& name) {
    if constexpr (detail::Number<V>) {
        const std::uint64_t bits = detail::load_number(path, variable, name, detail::scalar_v<V>);
        V value{};
        std::memcpy(&value, &bits, sizeof value);
        return value;
    } else {
        static_assert(std::is_same_v<V, std::string>,
                      "netcdf::load_attribute: an integer, a float, a double or a std::string");
        return detail::load_text(path, variable, name);
    }
}
/// The names of the attributes of a variable, or of the file if `variable` is empty.
SINTER_API std::vector<std::string> attributes(const sinter::detail::PathHere& path, const std::string& variable);

}  // namespace sinter::netcdf
