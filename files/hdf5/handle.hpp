// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HDF5's identifiers as owners, and its errors as exceptions.
#pragma once

#include "../slab.hpp"

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace sinter::hdf5 {

using files::Place;

class Handle {
  public:
    Handle() = default;
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }

  private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// For as long as it lives, this thread is the only one in HDF5, which prints nothing.
class Session {
  public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

  private:
    std::lock_guard<std::recursive_mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* context_ = nullptr;
};

/// Fails with HDF5's reason, "cannot be read: no such ..".
[[noreturn]] void fail_by_hdf5(const Place& place, const char* failed);

/// Fails if the result of one of its functions is an error.
template <class Result>
Result checked(const Place& place, const char* failed, Result result) {
    if (result < 0) fail_by_hdf5(place, failed);
    return result;
}

/// An identifier that has to be there.
inline Handle opened(const Place& place, const char* failed, hid_t id, herr_t (*close)(hid_t)) {
    return {checked(place, failed, id), close};
}

Handle open_to_read(const Place& place);
/// With `make`, a file that is not there is made.
Handle open_to_write(const Place& place, bool make);

/// True if there is an object with this path in the file.
bool exists(hid_t file, const std::string& name);
Handle open_dataset(const Place& place, hid_t file);

std::vector<std::size_t> extents_of(const Place& place, hid_t dataset);

}  // namespace sinter::hdf5
