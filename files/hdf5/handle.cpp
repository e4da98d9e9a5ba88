// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handle.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sinter::hdf5 {

namespace {

std::recursive_mutex& only_one() {
    static auto* mutex = new std::recursive_mutex;  // HDF5 may be used while the process ends
    return *mutex;
}

/// The first message is the innermost.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
    auto& message = *static_cast<std::string*>(text);
    if (message.empty() && error->desc != nullptr) message = error->desc;
    return 0;
}

}  // namespace

Session::Session() : lock_(only_one()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &context_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, context_); }

void fail_by_hdf5(const Place& place, const char* failed) {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
    place.fail(fmt::format("{}: {}", failed, reason.empty() ? "HDF5 gives no reason" : reason));
}

namespace {

/// The place in a message about the file itself.
Place of_file(const Place& place) { return {place.what, place.path, "", place.where}; }

void check_format(const Place& place) {
    errno = 0;
    if (!std::ifstream(place.path)) of_file(place).fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    if (H5Fis_hdf5(place.path.c_str()) <= 0) of_file(place).fail("is not an HDF5 file");
}

}  // namespace

Handle open_to_read(const Place& place) {
    check_format(place);
    return opened(of_file(place), "cannot be opened", H5Fopen(place.path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
}

Handle open_to_write(const Place& place, bool make) {
    std::error_code error;
    if (make && !std::filesystem::exists(place.path, error))
        return opened(of_file(place), "cannot be made",
                      H5Fcreate(place.path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    check_format(place);
    return opened(of_file(place), "cannot be opened", H5Fopen(place.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
}

bool exists(hid_t file, const std::string& name) {
    for (std::size_t slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1))
        if (H5Lexists(file, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    return name == "/" || (!name.empty() && H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) > 0);
}

Handle open_dataset(const Place& place, hid_t file) {
    if (!exists(file, place.name)) place.fail("is not in the file");
    Handle object = opened(place, "cannot be opened", H5Oopen(file, place.name.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object) != H5I_DATASET) place.fail("is a group or a type, not a dataset");
    return object;
}

std::vector<std::size_t> extents_of(const Place& place, hid_t dataset) {
    const Handle space = opened(place, "cannot be read", H5Dget_space(dataset), H5Sclose);
    if (H5Sget_simple_extent_type(space) == H5S_NULL)
        place.fail("has no elements, not even a shape (its dataspace is null)");
    hsize_t extents[H5S_MAX_RANK];
    const int rank = checked(place, "cannot be read", H5Sget_simple_extent_dims(space, extents, nullptr));
    return {extents, extents + rank};
}

}  // namespace sinter::hdf5
