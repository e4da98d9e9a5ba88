// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

#include <fmt/format.h>

namespace sinter::hdf5 {

namespace {

using Kind = StoredElement::Kind;

/// h5py's type of booleans: an enumeration of bytes.
Handle boolean_type() {
    Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
    const signed char no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

/// IEEE binary16: sign, 5 bits of exponent, 10 of the mantissa.
Handle half_type() {
    Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

Handle scalar_type(Scalar scalar) {
    const hid_t integers[] = {H5T_NATIVE_INT8,  H5T_NATIVE_INT16,  H5T_NATIVE_INT32,  H5T_NATIVE_INT64,
                              H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64};
    if (scalar == Scalar::boolean) return boolean_type();
    if (scalar == Scalar::f16) return half_type();
    if (detail::is_float(scalar)) return {H5Tcopy(scalar == Scalar::f32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE), H5Tclose};
    return {H5Tcopy(integers[static_cast<int>(scalar) - static_cast<int>(Scalar::i8)]), H5Tclose};
}

std::optional<Scalar> float_of(hid_t type) {
    std::size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return {};
    const std::size_t bytes = H5Tget_size(type);
    if (bytes == 2 && exponent_bits == 5 && mantissa_bits == 10) return Scalar::f16;
    if (bytes == 4 && exponent_bits == 8 && mantissa_bits == 23) return Scalar::f32;
    if (bytes == 8 && exponent_bits == 11 && mantissa_bits == 52) return Scalar::f64;
    return {};
}

bool has_member(hid_t type, const char* name, signed char value) {
    signed char found = 0;
    return H5Tenum_valueof(type, name, &found) >= 0 && found == value;
}

std::optional<Scalar> scalar_of(hid_t type) {
    const std::size_t bytes = H5Tget_size(type);
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
            if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
            return detail::integer_scalar(H5Tget_sign(type) == H5T_SGN_2, bytes);
        case H5T_FLOAT:
            return float_of(type);
        case H5T_ENUM:
            if (bytes != 1 || H5Tget_nmembers(type) != 2) return {};
            return has_member(type, "FALSE", 0) && has_member(type, "TRUE", 1) ? std::optional(Scalar::boolean)
                                                                               : std::nullopt;
        default:
            return {};
    }
}

std::optional<StoredElement> record_of(hid_t type) {
    StoredElement element{Kind::record, {}, 1, false, {}, {}};
    for (int k = 0; k < H5Tget_nmembers(type); ++k) {
        const Handle member(H5Tget_member_type(type, static_cast<unsigned>(k)), H5Tclose);
        char* name = H5Tget_member_name(type, static_cast<unsigned>(k));
        std::optional<StoredElement> part = element_of(member);
        if (part && name != nullptr) {
            part->name = name;
            element.parts.push_back(std::move(*part));
        }
        H5free_memory(name);
        if (!part) return {};
    }
    return element;
}

std::optional<StoredElement> array_of(hid_t type) {
    hsize_t extents[H5S_MAX_RANK];
    if (H5Tget_array_ndims(type) != 1 || H5Tget_array_dims2(type, extents) < 0) return {};
    std::optional<StoredElement> part = element_of(Handle(H5Tget_super(type), H5Tclose));
    if (!part) return {};
    return StoredElement{Kind::array, {}, static_cast<std::int64_t>(extents[0]), false, {}, {std::move(*part)}};
}

}  // namespace

Handle memory_type(const StoredElement& element) {
    if (element.kind == Kind::scalar) return scalar_type(element.scalar);
    if (element.kind == Kind::array) {
        const auto extent = static_cast<hsize_t>(element.count);
        return {H5Tarray_create2(memory_type(element.parts[0]), 1, &extent), H5Tclose};
    }
    Handle type(H5Tcreate(H5T_COMPOUND, static_cast<std::size_t>(bytes_of(element))), H5Tclose);
    std::int64_t offset = 0;
    for (const StoredElement& part : element.parts) {
        H5Tinsert(type, part.name.c_str(), static_cast<std::size_t>(offset), memory_type(part));
        offset += bytes_of(part);
    }
    return type;
}

std::optional<StoredElement> element_of(hid_t type) {
    if (H5Tget_class(type) == H5T_COMPOUND) return record_of(type);
    if (H5Tget_class(type) == H5T_ARRAY) return array_of(type);
    const std::optional<Scalar> scalar = scalar_of(type);
    if (!scalar) return {};
    return StoredElement{Kind::scalar, *scalar, 1, false, {}, {}};
}

std::string print(const StoredElement& element) {
    if (element.kind == Kind::scalar) return detail::name_of(element.scalar);
    if (element.kind == Kind::array) return fmt::format("{}[{}]", print(element.parts[0]), element.count);
    std::string text;
    for (const StoredElement& part : element.parts)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", part.name, print(part));
    return "{" + text + "}";
}

std::string print_type(hid_t type) {
    if (const std::optional<StoredElement> element = element_of(type)) return print(*element);
    constexpr const char* names[] = {"integer",  "float",     "time",        "string",          "bit field", "opaque",
                                     "compound", "reference", "enumeration", "variable-length", "array"};
    const int kind = H5Tget_class(type);
    return fmt::format("{} of {} bytes", kind >= 0 && kind < 11 ? names[kind] : "unknown", H5Tget_size(type));
}

bool fits(const StoredElement& wanted, const StoredElement& stored) {
    if (wanted.kind != stored.kind || wanted.count != stored.count || wanted.parts.size() != stored.parts.size())
        return false;
    if (wanted.kind == Kind::scalar) return wanted.scalar == stored.scalar;
    for (std::size_t k = 0; k < wanted.parts.size(); ++k) {
        if (!fits(wanted.parts[k], stored.parts[k])) return false;
        if (!wanted.by_position && wanted.parts[k].name != stored.parts[k].name) return false;
    }
    return true;
}

std::int64_t bytes_of(const StoredElement& element) {
    if (element.kind == Kind::scalar) return detail::size_of(element.scalar);
    std::int64_t bytes = 0;
    for (const StoredElement& part : element.parts) bytes += bytes_of(part);
    return bytes * element.count;
}

namespace {

void list_members(const StoredElement& element, std::int64_t& offset, std::vector<Member>& members) {
    if (element.kind == Kind::scalar) {
        members.push_back({offset, element.scalar});
        offset += detail::size_of(element.scalar);
    }
    for (std::int64_t k = 0; k < element.count; ++k)
        for (const StoredElement& part : element.parts) list_members(part, offset, members);
}

}  // namespace

std::vector<Member> members_of(const StoredElement& element) {
    std::vector<Member> members;
    std::int64_t offset = 0;
    list_members(element, offset, members);
    return members;
}

}  // namespace sinter::hdf5
