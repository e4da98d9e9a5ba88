// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.hpp"

#include <sinter/hdf5.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sinter::hdf5 {

namespace {

using Shape = std::vector<std::int64_t>;

/// Bytes of a chunk: HDF5's own cache of chunks holds 1 MiB of each dataset, and does without if a chunk is larger.
constexpr std::int64_t chunk_bytes = 1 << 18;

/// Whole rows where they are short, else parts of one, halved from the outermost axis inwards.
std::vector<hsize_t> chosen_chunk(const Shape& shape, std::int64_t element_bytes, bool growable) {
    std::vector<hsize_t> chunk;
    auto bytes = static_cast<hsize_t>(element_bytes);
    for (std::int64_t extent : shape) chunk.push_back(static_cast<hsize_t>(std::max<std::int64_t>(extent, 1)));
    for (hsize_t extent : chunk) bytes *= extent;
    const auto most = static_cast<hsize_t>(chunk_bytes);
    if (growable && bytes < most) chunk[0] *= std::max<hsize_t>(1, most / bytes);
    for (std::size_t axis = 0; axis < chunk.size(); ++axis)
        while (chunk[axis] > 1 && bytes > most) {
            bytes = bytes / chunk[axis] * ((chunk[axis] + 1) / 2);
            chunk[axis] = (chunk[axis] + 1) / 2;
        }
    return chunk;
}

void check_options(const Place& place, const Shape& shape, const SaveOptions& options) {
    const bool in_chunks = options.growable || options.compression != 0 || !options.chunk.empty();
    if (shape.empty() && (in_chunks || options.existing == Existing::append))
        place.fail("is a single element, which has no rows to append and no chunks");
    if (options.compression < 0 || options.compression > 9)
        place.fail(fmt::format("is to be compressed with level {}; levels are 0 to 9", options.compression));
    if (!options.chunk.empty() && options.chunk.size() != shape.size())
        place.fail_shape(fmt::format("has shape {}, and is to be stored in chunks of shape {}", files::print(shape),
                                     files::print(options.chunk)));
    if (std::any_of(options.chunk.begin(), options.chunk.end(), [](std::int64_t extent) { return extent < 1; }))
        place.fail_shape(
            fmt::format("is to be stored in chunks of shape {}; extents are positive", files::print(options.chunk)));
    if (options.compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
        place.fail("cannot be compressed: this HDF5 was built without deflate");
}

/// How the dataset is stored.
Handle storage(const Place& place, const Shape& shape, std::int64_t element_bytes, const SaveOptions& options,
               bool growable) {
    Handle list = opened(place, "cannot be made", H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(list, false);  // the same call makes the same bytes
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    if (!growable && options.chunk.empty() && (options.compression == 0 || empty)) return list;
    std::vector<hsize_t> chunk(options.chunk.begin(), options.chunk.end());
    if (chunk.empty()) chunk = chosen_chunk(shape, element_bytes, growable);
    for (std::size_t axis = growable ? 1 : 0; axis < shape.size(); ++axis)
        chunk[axis] = std::min(chunk[axis], static_cast<hsize_t>(std::max<std::int64_t>(shape[axis], 1)));
    checked(place, "cannot be stored in these chunks", H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()));
    if (options.compression > 0) {
        H5Pset_shuffle(list);
        checked(place, "cannot be compressed", H5Pset_deflate(list, static_cast<unsigned>(options.compression)));
    }
    return list;
}

void make_dataset(const Place& place, hid_t file, const StoredElement& element, const Shape& shape,
                  const SaveOptions& options) {
    const bool growable = options.growable || options.existing == Existing::append;
    const Handle groups = opened(place, "cannot be made", H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(groups, 1);
    std::vector<hsize_t> extents(shape.begin(), shape.end()), most = extents;
    if (growable) most[0] = H5S_UNLIMITED;
    const Handle space =
        opened(place, "cannot be made",
               shape.empty() ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(static_cast<int>(shape.size()), extents.data(), most.data()),
               H5Sclose);
    const Handle list = storage(place, shape, bytes_of(element), options, growable);
    opened(place, "cannot be made",
           H5Dcreate2(file, place.name.c_str(), memory_type(element), space, groups, list, H5P_DEFAULT), H5Dclose);
}

void check_type(const Place& place, hid_t dataset, const StoredElement& element, const char* done) {
    const Handle type = opened(place, "cannot be read", H5Dget_type(dataset), H5Tclose);
    const std::optional<StoredElement> stored = element_of(type);
    if (!stored || !fits(element, *stored))
        place.fail(fmt::format("has elements of type {}, and {} are {}", print_type(type), done, print(element)));
}

/// Makes room for rows at the end. Returns the number of rows that there were.
std::int64_t grow(const Place& place, hid_t file, const StoredElement& element, const Shape& shape) {
    const Handle dataset = open_dataset(place, file);
    check_type(place, dataset, element, "appended");
    std::vector<std::size_t> extents = extents_of(place, dataset);
    bool fit = extents.size() == shape.size();
    for (std::size_t axis = 1; fit && axis < shape.size(); ++axis)
        fit = static_cast<std::int64_t>(extents[axis]) == shape[axis];
    if (!fit)
        place.fail_shape(
            fmt::format("has shape {}; rows of shape {} do not fit", files::print(extents), files::print(shape)));
    const auto before = static_cast<std::int64_t>(extents[0]);
    std::vector<hsize_t> larger(extents.begin(), extents.end());
    larger[0] += static_cast<hsize_t>(shape[0]);
    const Handle list = opened(place, "cannot be read", H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(list) != H5D_CHUNKED || H5Dset_extent(dataset, larger.data()) < 0)
        place.fail("cannot grow: save it with .growable = true, or with Existing::append from the beginning");
    return before;
}

/// True if the dataset that is there may take the elements as it is.
bool can_stay(const Place& place, hid_t file, const StoredElement& element, const Shape& shape, const SaveOptions& options) {
    if (options.growable || options.compression != 0 || !options.chunk.empty()) return false;
    const Handle dataset = open_dataset(place, file);
    const std::vector<std::size_t> extents = extents_of(place, dataset);
    const Handle type = opened(place, "cannot be read", H5Dget_type(dataset), H5Tclose);
    const std::optional<StoredElement> stored = element_of(type);
    return Shape(extents.begin(), extents.end()) == shape && stored && fits(element, *stored);
}

/// Makes the dataset, or the room in it. Returns the row from which on the array is written.
std::int64_t prepare(const Place& place, const StoredElement& element, const Shape& shape, const SaveOptions& options) {
    if (place.name.empty() || place.name.back() == '/') place.fail("is no name for a dataset");
    check_options(place, shape, options);
    const Handle file = open_to_write(place, true);
    const bool is_there = exists(file, place.name);
    if (is_there && options.existing == Existing::refuse)
        place.fail("is there already: say .existing = hdf5::Existing::overwrite, or append");
    if (is_there && options.existing == Existing::append) return grow(place, file, element, shape);
    if (is_there) {
        open_dataset(place, file);  // groups are not overwritten
        if (can_stay(place, file, element, shape, options)) return 0;
        checked(place, "cannot be replaced", H5Ldelete(file, place.name.c_str(), H5P_DEFAULT));
    }
    make_dataset(place, file, element, shape, options);
    return 0;
}

std::vector<std::size_t> read_extents(const Place& place) {
    const Handle file = open_to_read(place);
    return extents_of(place, open_dataset(place, file));
}

/// Writes rows of an array into a part of a dataset.
void write(const Place& place, const files::Slab& slab, const StoredElement& element, std::int64_t begin, std::int64_t end,
           const files::Columns& columns) {
    const Handle file = open_to_write(place, false), dataset = open_dataset(place, file);
    const Handle type = opened(place, "cannot be read", H5Dget_type(dataset), H5Tclose);
    const StoredElement stored = element_of(type).value_or(element);  // with the names of its members
    write_rows(place, dataset, {slab, stored, begin, end}, columns);
    checked(place, "cannot be written", H5Fflush(file, H5F_SCOPE_LOCAL));
}

}  // namespace

namespace detail {

void save(const PathHere& path, const std::string& dataset, const StoredElement& element, const std::int64_t* shape,
          std::size_t rank, const LeafRef* leaves, const SaveOptions& options) {
    const Session session;
    const Place place{"hdf5::save", path.text, dataset, path.where};
    const Shape extents(shape, shape + rank);
    auto prepare_all = [&] { prepare(place, element, extents, options); };
    auto write_own = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        files::Slab slab = files::whole(read_extents(place));
        // Rows that are appended are the last ones.
        if (rank > 0) {
            slab.first[0] = slab.count[0] - static_cast<std::size_t>(extents[0]);
            slab.count[0] = static_cast<std::size_t>(extents[0]);
        }
        if (slab.elements() > 0) write(place, slab, element, begin, end, columns);
    };
    files::save_rows(place, extents, leaves, members_of(element).size(), prepare_all, write_own);
}

void save_part(const PathHere& path, const std::string& dataset, const StoredElement& element, const StoredPart* parts,
               std::size_t part_count, const std::int64_t* shape, std::size_t rank, const LeafRef* leaves) {
    const Session session;
    const Place place{"hdf5::save_part", path.text, dataset, path.where};
    const Shape extents(shape, shape + rank);
    auto slab_of_part = [&] {
        const Handle file = open_to_read(place), set = open_dataset(place, file);
        check_type(place, set, element, "those to be written");
        files::Slab slab = files::select(place, extents_of(place, set), parts, part_count, rank);
        if (slab.shape() != extents)
            place.fail_shape(fmt::format("is to be written in a part of shape {}, with an array of shape {}",
                                         files::print(slab.shape()), files::print(extents)));
        return slab;
    };
    auto write_own = [&](std::int64_t begin, std::int64_t end, const files::Columns& columns) {
        const files::Slab slab = slab_of_part();
        if (slab.elements() > 0) write(place, slab, element, begin, end, columns);
    };
    files::save_rows(place, extents, leaves, members_of(element).size(), [&] { slab_of_part(); }, write_own);
}

}  // namespace detail

}  // namespace sinter::hdf5
