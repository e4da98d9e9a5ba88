// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// NetCDF's files and variables, and its errors as exceptions.
#pragma once

#include "../slab.hpp"

#include <netcdf.h>

#include <mutex>
#include <optional>
#include <vector>

namespace sinter::netcdf {

using detail::Scalar;
using files::Place;

/// Fails with NetCDF's reason, "cannot be read: NetCDF: ..".
void check(const Place& place, const char* failed, int status);

/// A file that is open. Until it is closed, this thread is the only one in NetCDF, which is not safe for several.
class File {
  public:
    static File to_read(const Place& place);
    /// With `make`, a file that is not there is made.
    static File to_write(const Place& place, bool make);
    File(const File&) = delete;
    File(File&&) = default;
    File& operator=(File&&) = delete;
    /// Closes what has not been closed by close(): what fails then is lost.
    ~File();

    int id() const { return id_; }
    void close(const Place& place);

  private:
    File() : lock_(only_one()) {}
    static std::recursive_mutex& only_one();
    std::unique_lock<std::recursive_mutex> lock_;
    int id_ = -1;
};

/// A group and the name of something in it: "surface/t2m" is t2m in surface.
struct InGroup {
    int group;
    std::string name;
};
/// Nothing if there is no such group; with `make`, it is made.
std::optional<InGroup> find_group(const Place& place, int file, const std::string& path, bool make);

struct Variable {
    int group, id;
    nc_type type;
    std::vector<int> dimensions;
    std::vector<std::size_t> extents;
};
/// Nothing if the file has no variable of this name.
std::optional<Variable> find_variable(const Place& place, int file);
/// The variable, which has to be there.
Variable open_variable(const Place& place, int file);

nc_type type_of(Scalar scalar);
std::optional<Scalar> scalar_of(nc_type type);
/// A type for people.
std::string print_type(nc_type type);

std::string dimension_name(const Place& place, int group, int dimension);

}  // namespace sinter::netcdf
