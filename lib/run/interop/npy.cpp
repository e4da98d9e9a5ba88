// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/build.hpp>
#include <sinter/detail/interop.hpp>
#include <sinter/detail/ranks.hpp>

#include "front/shape.hpp"
#include "run/interop/npy_header.hpp"
#include "run/interop/npy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace sinter::runtime {
namespace {

using detail::Scalar;

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

std::size_t bytes_of(FileElement element) {
    return static_cast<std::size_t>(detail::size_of(element.scalar)) * (element.complex ? 2 : 1);
}

/// The element type without its byte order, for example "f4".
std::string type_code(FileElement element) {
    char kind = element.complex                             ? 'c'
                : detail::is_boolean(element.scalar)        ? 'b'
                : detail::is_float(element.scalar)          ? 'f'
                : detail::is_signed_integer(element.scalar) ? 'i'
                                                            : 'u';
    return fmt::format("{}{}", kind, bytes_of(element));
}
std::string descr_of(FileElement element) { return (bytes_of(element) == 1 ? "|" : "<") + type_code(element); }

NpyHeader read_header(Source& file) {
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

/// The element type of a file, and whether its bytes are in opposite order; nothing if Sinter has no such type.
struct StoredElement {
    FileElement element;
    bool swapped;
};
std::optional<StoredElement> stored_element(const std::string& descr) {
    const char order = descr[0];
    const bool is_known = order == '<' || order == '|' || order == '=' || order == '>';
    for (int k = 0; is_known && k < 2 * detail::scalar_count; ++k) {
        const FileElement element{static_cast<Scalar>(k / 2), k % 2 != 0};
        const bool is_complex_float = element.scalar == Scalar::f32 || element.scalar == Scalar::f64;
        if ((is_complex_float || !element.complex) && descr.substr(1) == type_code(element))
            return StoredElement{element, order == '>' && bytes_of(element) > 1};
    }
    return std::nullopt;
}

bool is_same(FileElement a, FileElement b) { return a.scalar == b.scalar && a.complex == b.complex; }

/// The element type of the file, which is `element` unless conversion is allowed.
StoredElement check_header(const Source& file, const NpyHeader& header, FileElement element, std::size_t rank,
                           bool convert) {
    const std::optional<StoredElement> stored = stored_element(header.descr);
    const bool fits = stored && (convert ? element.complex || !stored->element.complex
                                         : is_same(stored->element, element) && !stored->swapped);
    if (!fits) file.fail(fmt::format("has elements of type {}, expected {}", header.descr, descr_of(element)));
    if (header.shape.size() != rank)
        file.fail_shape(fmt::format("has an array of rank {}, shape {}; expected rank {}", header.shape.size(),
                                    front::print_shape(header.shape), rank));
    return *stored;
}

/// The position of element i, counted in row-major order, in a column-major array. Has to be called for i = 0, 1, ... in
/// turn.
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

/// Distributes the elements of a file to leaves: real and imaginary parts separately, in row-major order.
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

void swap_bytes(std::byte* from, std::size_t size, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k, from += size) std::reverse(from, from + size);
}

/// Converts as cast<T> does; an imaginary part that the file does not have is 0.
void convert_elements(const std::byte* from, FileElement stored, const NpyHeader& header, std::int64_t count,
                      FileElement element, void* const* leaves) {
    const auto size = static_cast<std::size_t>(detail::size_of(stored.scalar));
    const auto to = static_cast<std::size_t>(detail::size_of(element.scalar));
    const std::size_t stored_parts = stored.complex ? 2 : 1;
    ColumnMajor column_major(header.shape);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(header.fortran_order ? column_major.next() : i);
        for (std::size_t p = 0; p < (element.complex ? 2u : 1u); ++p) {
            std::byte* target = static_cast<std::byte*>(leaves[p]) + static_cast<std::size_t>(i) * to;
            std::memset(target, 0, to);
            if (p < stored_parts)
                detail::cast_elements(stored.scalar, from + (at * stored_parts + p) * size, element.scalar, target, 1);
        }
    }
}

void read_elements(Source& file, const NpyHeader& header, const StoredElement& stored, FileElement element,
                   std::int64_t count, void* const* leaves) {
    const std::size_t parts = element.complex ? 2 : 1, size = bytes_of(stored.element);
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    const bool as_it_lies = is_same(stored.element, element) && !stored.swapped;
    if (as_it_lies && parts == 1 && (!header.fortran_order || header.shape.size() < 2))
        return file.read(leaves[0], bytes, "elements");
    detail::LeafRef raw =
        detail::make_array(Scalar::u8, std::array{static_cast<std::int64_t>(bytes)}.data(), 1, file.where());
    auto* from = static_cast<std::byte*>(detail::data(raw, file.where()));
    file.read(from, bytes, "elements");
    const std::size_t stored_parts = stored.element.complex ? 2 : 1;
    if (stored.swapped) swap_bytes(from, size / stored_parts, static_cast<std::size_t>(count) * stored_parts);
    if (is_same(stored.element, element)) return spread(from, header, size / parts, parts, count, leaves);
    convert_elements(from, stored.element, header, count, element, leaves);
}

}  // namespace

void read_npy(Source& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out) {
    NpyHeader header = read_header(source);
    const StoredElement stored = check_header(source, header, element, rank, convert);
    const std::int64_t count = front::element_count(header.shape, "load_npy", source.where());
    void* leaves[2];
    for (std::size_t p = 0; p < (element.complex ? 2u : 1u); ++p) {
        out[p] = detail::make_array(element.scalar, header.shape.data(), rank, source.where());
        leaves[p] = detail::data(out[p], source.where());
    }
    read_elements(source, header, stored, element, count, leaves);
    if (element.scalar == Scalar::boolean) {
        auto* values = static_cast<std::uint8_t*>(leaves[0]);
        for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] != 0;
    }
}

NpyImage make_npy_image(FileElement element, const std::int64_t* shape, std::size_t rank, const detail::LeafRef* leaves,
                        const char* what, location where) {
    NpyHeader header{descr_of(element), false, std::vector<std::int64_t>(shape, shape + rank)};
    NpyImage image{print_npy_header(header), {}, {}};
    const auto count = static_cast<std::size_t>(front::element_count(header.shape, what, where));
    const auto part = static_cast<std::size_t>(detail::size_of(element.scalar));
    const auto* real = static_cast<const unsigned char*>(detail::data(leaves[0], where));
    if (!element.complex) {
        image.elements = {real, count * part};
        return image;
    }
    const auto* imaginary = static_cast<const unsigned char*>(detail::data(leaves[1], where));
    image.own.resize(2 * count * part);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(image.own.data() + 2 * i * part, real + i * part, part);
        std::memcpy(image.own.data() + (2 * i + 1) * part, imaginary + i * part, part);
    }
    image.elements = image.own;
    return image;
}

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

void load_npy(const std::string& path, FileElement element, std::size_t rank, bool convert, LeafRef* out, location where) {
    File file("load_npy", path, "rb", where);
    read_npy(file, element, rank, convert, out);
}

namespace {

void write_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
               const LeafRef* leaves, location where) {
    File file("save_npy", path, "wb", where);
    const NpyImage image = make_npy_image(element, shape, rank, leaves, "save_npy", where);
    file.write(image.header.data(), image.header.size());
    file.write(image.elements.data(), image.elements.size());
    file.close();
}

}  // namespace

/// If there are several ranks, the first one writes and tells the others whether it could.
void save_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
              const LeafRef* leaves, location where) {
    meet_ranks("save_npy", 0, where);
    for (std::size_t k = 0; k < (element.complex ? 2 : 1); ++k)
        data(leaves[k], where);  // all ranks fetch the rows of others
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
