// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../numbers.hpp"
#include "types.hpp"

#include <sinter/detail/rows.hpp>
#include <sinter/hdf5.hpp>

#include <fmt/format.h>

namespace sinter::hdf5 {

namespace {

Place place_of(const char* what, const detail::PathHere& path, const std::string& object, const std::string& name) {
    return {what, path.text, name.empty() ? object : fmt::format("{}, attribute {}", object, name), path.where};
}

Handle open_object(const Place& place, hid_t file, const std::string& object) {
    if (!exists(file, object)) place.fail("is not in the file: there is no such dataset or group");
    return opened(place, "cannot be opened", H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
}

/// Replaces an attribute. Rank 0 writes.
void set_attribute(const Place& place, const std::string& object, const std::string& name, hid_t type, const void* value) {
    detail::meet_for_file(place.what, 0, place.where);
    detail::together(place.what, place.where, [&] {
        if (detail::own_rank() != 0) return;
        const Handle file = open_to_write(place, false), owner = open_object(place, file, object);
        if (H5Aexists(owner, name.c_str()) > 0) checked(place, "cannot be replaced", H5Adelete(owner, name.c_str()));
        const Handle space = opened(place, "cannot be made", H5Screate(H5S_SCALAR), H5Sclose);
        const Handle attribute = opened(place, "cannot be made",
                                        H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        checked(place, "cannot be written", H5Awrite(attribute, type, value));
    });
}

/// Calls read(attribute, its type), if it is a single value.
template <class F>
void read_attribute(const Place& place, const std::string& object, const std::string& name, F read) {
    detail::meet_for_file(place.what, 0, place.where);
    detail::together(place.what, place.where, [&] {
        const Handle file = open_to_read(place), owner = open_object(place, file, object);
        if (H5Aexists(owner, name.c_str()) <= 0) place.fail("is not in the file: there is no such attribute");
        const Handle attribute = opened(place, "cannot be opened", H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
        const Handle space = opened(place, "cannot be read", H5Aget_space(attribute), H5Sclose);
        if (const hssize_t count = H5Sget_simple_extent_npoints(space); count != 1)
            place.fail(fmt::format("has {} values, expected one", count));
        read(attribute, opened(place, "cannot be read", H5Aget_type(attribute), H5Tclose));
    });
}

/// Text in UTF-8 of any length, as h5py writes it.
Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

std::string read_variable(const Place& place, hid_t attribute, hid_t stored) {
    Handle type = text_type();
    H5Tset_cset(type, H5Tget_cset(stored));
    char* text = nullptr;
    checked(place, "cannot be read", H5Aread(attribute, type, &text));
    std::string result = text == nullptr ? "" : text;
    H5free_memory(text);
    return result;
}

std::string read_fixed(const Place& place, hid_t attribute, hid_t stored) {
    std::string text(H5Tget_size(stored), '\0');
    checked(place, "cannot be read", H5Aread(attribute, stored, text.data()));
    const std::size_t end = text.find_last_not_of(H5Tget_strpad(stored) == H5T_STR_SPACEPAD ? ' ' : '\0');
    text.resize(H5Tget_strpad(stored) == H5T_STR_NULLTERM ? std::min(text.find('\0'), text.size()) : end + 1);
    return text;
}

}  // namespace

namespace detail {

void save_number(const PathHere& path, const std::string& object, const std::string& name, Scalar scalar,
                 std::uint64_t bits) {
    const Session session;
    StoredElement element;
    element.scalar = scalar;
    set_attribute(place_of("hdf5::save_attribute", path, object, name), object, name, memory_type(element), &bits);
}

void save_text(const PathHere& path, const std::string& object, const std::string& name, const std::string& text) {
    const Session session;
    const char* start = text.c_str();
    set_attribute(place_of("hdf5::save_attribute", path, object, name), object, name, text_type(), &start);
}

std::uint64_t load_number(const PathHere& path, const std::string& object, const std::string& name, Scalar scalar) {
    const Session session;
    const Place place = place_of("hdf5::load_attribute", path, object, name);
    std::uint64_t result = 0;
    read_attribute(place, object, name, [&](hid_t attribute, hid_t type) {
        const std::optional<StoredElement> stored = element_of(type);
        if (!stored || stored->kind != StoredElement::Kind::scalar)
            place.fail(fmt::format("is of type {}, expected {}", print_type(type), name_of(scalar)));
        std::uint64_t bits = 0;
        checked(place, "cannot be read", H5Aread(attribute, memory_type(*stored), &bits));
        result = files::exact_number(place, stored->scalar, bits, scalar);
    });
    return result;
}

std::string load_text(const PathHere& path, const std::string& object, const std::string& name) {
    const Session session;
    const Place place = place_of("hdf5::load_attribute", path, object, name);
    std::string text;
    read_attribute(place, object, name, [&](hid_t attribute, hid_t type) {
        if (H5Tget_class(type) != H5T_STRING) place.fail(fmt::format("is of type {}, expected a text", print_type(type)));
        text = H5Tis_variable_str(type) > 0 ? read_variable(place, attribute, type) : read_fixed(place, attribute, type);
    });
    return text;
}

}  // namespace detail

namespace {

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
}

}  // namespace

std::vector<std::string> attributes(const detail::PathHere& path, const std::string& object) {
    const Session session;
    const Place place = place_of("hdf5::attributes", path, object, "");
    const Handle file = open_to_read(place), owner = open_object(place, file, object);
    std::vector<std::string> list;
    checked(place, "cannot be read", H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &list));
    return list;
}

}  // namespace sinter::hdf5
