// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/build.hpp>
#include <sinter/detail/interop.hpp>
#include <sinter/detail/ranks.hpp>

#include "front/shape.hpp"
#include "run/interop/npy_header.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace sinter::runtime {
namespace {

using detail::FileElement;
using detail::Scalar;

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

std::size_t bytes_of(FileElement element) {
    return static_cast<std::size_t>(detail::size_of(element.scalar)) * (element.complex ? 2 : 1);
}

/// The element type without its byte order: "f4".
std::string type_code(FileElement element) {
    char kind = element.complex                             ? 'c'
                : detail::is_boolean(element.scalar)        ? 'b'
                : detail::is_float(element.scalar)          ? 'f'
                : detail::is_signed_integer(element.scalar) ? 'i'
                                                            : 'u';
    return fmt::format("{}{}", kind, bytes_of(element));
}
std::string descr_of(FileElement element) { return (bytes_of(element) == 1 ? "|" : "<") + type_code(element); }

/// An open file and what to say when something is wrong with it.
class File {
  public:
    File(const char* what, const std::string& path, const char* mode, location where)
        : what_(what), path_(path), where_(where), file_(std::fopen(path.c_str(), mode)) {
        if (!file_) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    }
    void read(void* to, std::size_t bytes, const char* part) {
        if (bytes != 0 && std::fread(to, 1, bytes, file_.get()) != bytes)
            fail(fmt::format("ends within its {} ({} bytes expected)", part, bytes));
    }
    void write(const void* from, std::size_t bytes) {
        if (bytes != 0 && std::fwrite(from, 1, bytes, file_.get()) != bytes)
            fail(fmt::format("cannot be written: {}", std::strerror(errno)));
    }
    void close() {
        if (std::fclose(file_.release()) != 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
    }
    [[noreturn]] void fail(const std::string& message) const { throw UsageError(text(message), where_); }
    [[noreturn]] void fail_shape(const std::string& message) const { throw ShapeError(text(message), where_); }

  private:
    std::string text(const std::string& message) const { return fmt::format("{}: {} {}", what_, path_, message); }

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const char* what_;
    const std::string& path_;
    location where_;
    std::unique_ptr<std::FILE, Close> file_;
};

NpyHeader read_header(File& file) {
    unsigned char start[12] = {};
    file.read(start, 8, "header");
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) file.fail("is not a .npy file");
    if (start[6] < 1 || start[6] > 3) file.fail(fmt::format("has format version {}.{}, not 1.0 to 3.0", start[6], start[7]));
    std::size_t digits = start[6] == 1 ? 2 : 4, length = 0;
    file.read(start + 8, digits, "header");
    for (std::size_t k = 0; k < digits; ++k) length |= static_cast<std::size_t>(start[8 + k]) << 8 * k;
    if (length > 1 << 20) file.fail(fmt::format("has a header of {} bytes", length));
    std::string text(length, ' ');
    file.read(text.data(), length, "header");
    auto header = parse_npy_dictionary(text);
    if (!header) file.fail(fmt::format("has a header that is no array's: {}", text));
    return std::move(*header);
}

void check_header(const File& file, const NpyHeader& header, FileElement element, std::size_t rank) {
    char order = header.descr[0];
    bool is_known = order == '<' || order == '|' || order == '=' || (order == '>' && bytes_of(element) == 1);
    if (!is_known || header.descr.substr(1) != type_code(element))
        file.fail(fmt::format("has elements of type {}, expected {}", header.descr, descr_of(element)));
    if (header.shape.size() != rank)
        file.fail_shape(fmt::format("has an array of rank {}, shape {}; expected rank {}", header.shape.size(),
                                    front::print_shape(header.shape), rank));
}

/// Where element i, counted in row-major order, stands in a column-major array; called for i = 0, 1, ... in turn.
class ColumnMajor {
  public:
    explicit ColumnMajor(const std::vector<std::int64_t>& shape)
        : shape_(shape), index_(shape.size()), stride_(shape.size()) {
        std::int64_t step = 1;
        for (std::size_t k = 0; k < shape.size(); ++k) {
            stride_[k] = step;
            step *= shape[k];
        }
    }
    std::int64_t next() {
        std::int64_t current = offset_;
        for (std::size_t k = shape_.size(); k-- > 0;) {
            offset_ += stride_[k];
            if (++index_[k] < shape_[k]) break;
            offset_ -= stride_[k] * shape_[k];
            index_[k] = 0;
        }
        return current;
    }

  private:
    const std::vector<std::int64_t>& shape_;
    std::vector<std::int64_t> index_, stride_;
    std::int64_t offset_ = 0;
};

/// Elements of a file to leaves: real and imaginary parts apart, in row-major order.
void spread(const std::byte* from, const NpyHeader& header, std::size_t part_bytes, std::size_t parts, std::int64_t count,
            void* const* leaves) {
    ColumnMajor column_major(header.shape);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t at = header.fortran_order ? column_major.next() : i;
        const std::byte* element = from + static_cast<std::size_t>(at) * part_bytes * parts;
        for (std::size_t p = 0; p < parts; ++p)
            std::memcpy(static_cast<std::byte*>(leaves[p]) + static_cast<std::size_t>(i) * part_bytes,
                        element + p * part_bytes, part_bytes);
    }
}

}  // namespace
}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

void load_npy(const std::string& path, FileElement element, std::size_t rank, LeafRef* out, location where) {
    File file("load_npy", path, "rb", where);
    NpyHeader header = read_header(file);
    check_header(file, header, element, rank);
    std::int64_t count = front::element_count(header.shape, "load_npy", where);
    std::size_t parts = element.complex ? 2 : 1, bytes = static_cast<std::size_t>(count) * bytes_of(element);
    void* leaves[2];
    for (std::size_t p = 0; p < parts; ++p) {
        out[p] = make_array(element.scalar, header.shape.data(), rank, where);
        leaves[p] = data(out[p], where);
    }
    if (parts == 1 && (!header.fortran_order || rank < 2)) {
        file.read(leaves[0], bytes, "elements");
    } else {
        LeafRef raw = make_array(Scalar::u8, std::array{static_cast<std::int64_t>(bytes)}.data(), 1, where);
        file.read(data(raw, where), bytes, "elements");
        spread(static_cast<const std::byte*>(data(raw, where)), header, bytes_of(element) / parts, parts, count, leaves);
    }
    if (element.scalar == Scalar::boolean) {
        auto* values = static_cast<std::uint8_t*>(leaves[0]);
        for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] != 0;
    }
}

namespace {

void write_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
               const LeafRef* leaves, location where) {
    File file("save_npy", path, "wb", where);
    NpyHeader header{descr_of(element), false, std::vector<std::int64_t>(shape, shape + rank)};
    std::string text = print_npy_header(header);
    file.write(text.data(), text.size());
    auto count = static_cast<std::size_t>(front::element_count(header.shape, "save_npy", where));
    if (!element.complex) {
        file.write(data(leaves[0], where), count * bytes_of(element));
    } else {
        auto part = static_cast<std::size_t>(size_of(element.scalar));
        const auto *real = static_cast<const std::byte*>(data(leaves[0], where)),
                   *imaginary = static_cast<const std::byte*>(data(leaves[1], where));
        for (std::size_t i = 0; i < count; ++i) {
            file.write(real + i * part, part);
            file.write(imaginary + i * part, part);
        }
    }
    file.close();
}

}  // namespace

/// Of several ranks the first writes, and the others hear whether it could.
void save_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
              const LeafRef* leaves, location where) {
    meet_ranks("save_npy", 0, where);
    if (own_rank() != 0) {
        if (!tell_ranks(true, "save_npy", where))
            throw UsageError(fmt::format("save_npy: rank 0 could not write {}", path), where);
        return;
    }
    try {
        write_npy(path, element, shape, rank, leaves, where);
    } catch (...) {
        tell_ranks(false, "save_npy", where);
        throw;
    }
    tell_ranks(true, "save_npy", where);
}

}  // namespace sinter::detail
