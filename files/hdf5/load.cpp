// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.hpp"

#include <sinter/hdf5.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sinter::hdf5 {

namespace {

bool is_complex(const StoredElement& element) {
    return element.kind == StoredElement::Kind::record && element.parts.size() == 2 && element.parts[0].name == "r" &&
           element.parts[1].name == "i" && element.parts[0].kind == StoredElement::Kind::scalar &&
           element.parts[1].kind == StoredElement::Kind::scalar;
}

/// Numbers become numbers; complex ones need numbers that are complex, too.
bool converts(const StoredElement& wanted, const StoredElement& stored) {
    const auto scalar = StoredElement::Kind::scalar;
    return (wanted.kind == scalar && stored.kind == scalar) ||
           (is_complex(wanted) && (stored.kind == scalar || is_complex(stored)));
}

/// The element type of the dataset, which is known to fit.
StoredElement stored_type(const Place& place, hid_t dataset, const StoredElement& wanted, bool convert) {
    const Handle type = opened(place, "cannot be read", H5Dget_type(dataset), H5Tclose);
    std::optional<StoredElement> stored = element_of(type);
    if (!stored || !(fits(wanted, *stored) || (convert && converts(wanted, *stored))))
        place.fail(fmt::format("has elements of type {}, shape {}; expected {}", print_type(type),
                               files::print(extents_of(place, dataset)), print(wanted)));
    return std::move(*stored);
}

/// A dataset that is open, and what is to be read of it.
struct Reading {
    Handle file, dataset;
    StoredElement stored;
    files::Slab slab;
};

}  // namespace

namespace detail {

void load(const PathHere& path, const std::string& dataset, const StoredElement& element, bool convert,
          const StoredPart* parts, std::size_t part_count, std::size_t rank, LeafRef* out) {
    const Session session;
    const Place place{"hdf5::load", path.text, dataset, path.where};
    Reading reading;
    std::vector<Scalar> scalars;
    for (const Member& member : members_of(element)) scalars.push_back(member.scalar);
    auto shape = [&] {
        reading.file = open_to_read(place);
        reading.dataset = open_dataset(place, reading.file);
        reading.stored = stored_type(place, reading.dataset, element, convert);
        reading.slab = files::select(place, extents_of(place, reading.dataset), parts, part_count, rank);
        return reading.slab.shape();
    };
    auto read = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        read_rows(place, reading.dataset, {reading.slab, reading.stored, begin, end}, scalars, columns);
    };
    files::load_rows(place, scalars.data(), scalars.size(), shape, read, out);
}

}  // namespace detail

std::vector<std::int64_t> extents(const detail::PathHere& path, const std::string& dataset) {
    const Session session;
    const Place place{"hdf5::extents", path.text, dataset, path.where};
    const Handle file = open_to_read(place);
    const std::vector<std::size_t> all = extents_of(place, open_dataset(place, file));
    return {all.begin(), all.end()};
}

namespace {

herr_t add_name(hid_t, const char* name, const H5O_info_t* info, void* list) {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
}

}  // namespace

std::vector<std::string> names(const detail::PathHere& path) {
    const Session session;
    const Place place{"hdf5::names", path.text, "", path.where};
    const Handle file = open_to_read(place);
    std::vector<std::string> list;
    checked(place, "cannot be read", H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add_name, &list));
    return list;
}

}  // namespace sinter::hdf5
