// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HDF5 files. Needs the component libsinter-hdf5.so (CMake: sinter::hdf5). Not part of sinter.hpp.
///
/// Numbers are stored in the types of their kind; half as an IEEE number of 16 bits; bool and std::complex as h5py does; a
/// std::array as an array type; std::tuple, std::pair and adapted structs as a compound, whose members are f0, f1, .. or
/// have the names of the struct's. With several ranks, all of them make these calls: each reads and writes its own rows.
#pragma once

#include <sinter/detail/stored_element.hpp>
#include <sinter/detail/stored_part.hpp>
#include <sinter/npy.hpp>

#include <concepts>
#include <cstring>

namespace sinter::hdf5 {

/// What save does if the file has a dataset of this name.
enum class Existing {
    refuse,     ///< UsageError
    overwrite,  ///< its elements, if it has the same type and shape and the options ask for nothing else; else it is
                ///< replaced
    append,     ///< rows at the end of a dataset that can grow; it is made if it is not there
};

struct SaveOptions {
    Existing existing = Existing::refuse;
    bool growable = false;  ///< rows can be appended later
    std::vector<std::int64_t> chunk =
        {};               ///< extents of the pieces in which it is stored; empty: chosen, where any are needed
    int compression = 0;  ///< 1 (fast) to 9 (small): deflate, after a shuffle of the bytes
};

namespace detail {

using namespace sinter::detail;

SINTER_API void load(const PathHere& path, const std::string& dataset, const StoredElement& element, bool convert,
                     const StoredPart* parts, std::size_t part_count, std::size_t rank, LeafRef* out);
SINTER_API void save(const PathHere& path, const std::string& dataset, const StoredElement& element,
                     const std::int64_t* shape, std::size_t rank, const LeafRef* leaves, const SaveOptions& options);
SINTER_API void save_part(const PathHere& path, const std::string& dataset, const StoredElement& element,
                          const StoredPart* parts, std::size_t part_count, const std::int64_t* shape, std::size_t rank,
                          const LeafRef* leaves);
SINTER_API void save_number(const PathHere& path, const std::string& object, const std::string& name, Scalar scalar,
                            std::uint64_t bits);
SINTER_API void save_text(const PathHere& path, const std::string& object, const std::string& name, const std::string& text);
/// The bits of a number of this type; UsageError if the attribute is not one, or has another value in it.
SINTER_API std::uint64_t load_number(const PathHere& path, const std::string& object, const std::string& name,
                                     Scalar scalar);
SINTER_API std::string load_text(const PathHere& path, const std::string& object, const std::string& name);

template <class T, int Rank, class... Spec>
Array<T, Rank> load_array(const PathHere& path, const std::string& dataset, bool convert, const Spec&... spec) {
    static_assert(Element<T>, "hdf5::load: not an element type");
    static_assert(sizeof...(Spec) == 0 || parts_rank<Spec...> == Rank,
                  "hdf5::load: an axis of the result for each specification that is all or a range");
    const StoredPart parts[] = {stored_part(spec)..., StoredPart{}};
    Leaves<T> leaves;
    load(path, dataset, stored_element<T>(), convert, parts, sizeof...(Spec), Rank, leaves.leaf);
    return Array<T, Rank>(std::move(leaves));
}

}  // namespace detail

/// A dataset of this name, a path inside of the file: load<float, 2>("run.h5", "fields/u"). A part of it if there are
/// specifications as for slice, one an axis: load<float, 2>("run.h5", "fields/u", range(0, 10), all). UsageError if the file
/// cannot be read, has no such dataset, or one of other elements; ShapeError if its rank is another, or the part leaves it.
template <class T, int Rank = 1, class... Spec>
    requires(detail::is_slice_spec<Spec> && ...)
Array<T, Rank> load(const sinter::detail::PathHere& path, const std::string& dataset, const Spec&... spec) {
    return detail::load_array<T, Rank>(path, dataset, false, spec...);
}
/// The same for numbers of any type, which are converted as by cast<T>.
template <class T, int Rank = 1, class... Spec>
    requires(detail::is_slice_spec<Spec> && ...)
Array<T, Rank> load(const sinter::detail::PathHere& path, const std::string& dataset, Convert, const Spec&... spec) {
    return detail::load_array<T, Rank>(path, dataset, true, spec...);
}

/// Adds an array to a file, which is made if it is not there, with the groups in the dataset's path.
template <class T, int Rank>
void save(const sinter::detail::PathHere& path, const std::string& dataset, const Array<T, Rank>& a,
          const SaveOptions& options = {}) {
    const auto shape = a.shape(path.where);
    detail::save(path, dataset, detail::stored_element<T>(), shape.data(), Rank, a.leaves().leaf, options);
}

/// Writes a part of a dataset that is there: save_part("run.h5", "fields/u", rows, range(0, 10), all). ShapeError if the
/// part has another shape than the array.
template <class T, int Rank, class... Spec>
    requires(sizeof...(Spec) > 0 && (detail::is_slice_spec<Spec> && ...))
void save_part(const sinter::detail::PathHere& path, const std::string& dataset, const Array<T, Rank>& a,
               const Spec&... spec) {
    static_assert(detail::parts_rank<Spec...> == Rank,
                  "hdf5::save_part: an axis of the array for each specification that is all or a range");
    const detail::StoredPart parts[] = {detail::stored_part(spec)...};
    const auto shape = a.shape(path.where);
    detail::save_part(path, dataset, detail::stored_element<T>(), parts, sizeof...(Spec), shape.data(), Rank,
                      a.leaves().leaf);
}

/// The names of all datasets, each with its groups, in alphabetical order.
SINTER_API std::vector<std::string> names(const sinter::detail::PathHere& path);
/// The extents of a dataset.
SINTER_API std::vector<std::int64_t> extents(const sinter::detail::PathHere& path, const std::string& dataset);

/// Sets an attribute of a dataset or group ("/" is the file's): a number, a boolean or a text.
template <class V>
void save_attribute(const sinter::detail::PathHere& path, const std::string& object, const std::string& name,
                    const V& value) {
    if constexpr (detail::is_scalar<V>) {
        detail::save_number(path, object, name, detail::scalar_v<V>, detail::bits_of<V>(value));
    } else {
        static_assert(std::convertible_to<const V&, std::string>, "hdf5::save_attribute: a number, a boolean or a text");
        detail::save_text(path, object, name, value);
    }
}
/// An attribute as a number, a boolean or a std::string. UsageError if there is none, if it is of another kind, or if T
/// cannot hold its value.
template <class V>
V load_attribute(const sinter::detail::PathHere& path, const std::string& object, const std::string& name) {
    if constexpr (detail::is_scalar<V>) {
        const std::uint64_t bits = detail::load_number(path, object, name, detail::scalar_v<V>);
        V value{};
        std::memcpy(&value, &bits, sizeof value);
        return value;
    } else {
        static_assert(std::is_same_v<V, std::string>, "hdf5::load_attribute: a number, a boolean or a std::string");
        return detail::load_text(path, object, name);
    }
}
/// The names of an object's attributes, in alphabetical order.
SINTER_API std::vector<std::string> attributes(const sinter::detail::PathHere& path, const std::string& object);

}  // namespace sinter::hdf5
