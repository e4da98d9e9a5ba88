// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/build.hpp>
#include <sinter/detail/interop.hpp>
#include <sinter/detail/rows.hpp>

#include "front/shape.hpp"
#include "run/interop/npy_header.hpp"
#include "run/interop/npy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace sinter::runtime {

NpyHeader read_npy_header(Source& file) {
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

namespace {

using detail::Scalar;

/// Bytes that are read at once where elements are not stored as they lie in memory: a part of the second cache.
constexpr std::int64_t block_bytes = 1 << 20;
/// Runs of fewer bytes are not worth a call of the system each: a page.
constexpr std::int64_t least_run_bytes = 4096;

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
        if ((is_complex_float || !element.complex) && descr.substr(1) == npy_descr(element).substr(1))
            return StoredElement{element, order == '>' && npy_bytes(element) > 1};
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
    if (!fits) file.fail(fmt::format("has elements of type {}, expected {}", header.descr, npy_descr(element)));
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
    const std::size_t parts = element.complex ? 2 : 1, size = npy_bytes(stored.element);
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

void normalise(FileElement element, void* values, std::int64_t count) {
    if (element.scalar != Scalar::boolean) return;
    auto* bytes = static_cast<std::uint8_t*>(values);
    for (std::int64_t i = 0; i < count; ++i) bytes[i] = bytes[i] != 0;
}

/// This rank's rows of a file in C order, where they follow each other.
void read_rows(FilePart& source, const NpyHeader& header, const StoredElement& stored, FileElement element, Part rows,
               std::byte* const* leaves) {
    NpyHeader block = header;
    std::int64_t row = 1;
    for (std::size_t axis = 1; axis < header.shape.size(); ++axis) row *= header.shape[axis];
    const auto size = static_cast<std::int64_t>(npy_bytes(stored.element)),
               part = std::int64_t{detail::size_of(element.scalar)};
    const std::int64_t most = std::max<std::int64_t>(1, block_bytes / std::max<std::int64_t>(1, row * size));
    source.seek(source.position() + static_cast<std::uint64_t>(rows.first * row * size));
    source.forget();
    for (std::int64_t first = rows.first; first < rows.last; first += most) {
        const std::int64_t count = std::min(most, rows.last - first);
        if (!block.shape.empty()) block.shape[0] = count;
        void* to[2] = {leaves[0] + first * row * part, element.complex ? leaves[1] + first * row * part : nullptr};
        read_elements(source, block, stored, element, count * row, to);
        normalise(element, to[0], count * row);
    }
}

/// This rank's rows of a file in Fortran order, where they are a run of each column. Long runs are read one by one; of short
/// ones, whole columns are.
void read_runs(FilePart& source, const NpyHeader& header, const StoredElement& stored, FileElement element, Part rows,
               std::byte* const* leaves) {
    const std::uint64_t begin = source.position();
    const std::int64_t height = header.shape[0], own = rows.last - rows.first;
    const auto size = static_cast<std::int64_t>(npy_bytes(stored.element));
    const std::size_t part = static_cast<std::size_t>(detail::size_of(element.scalar)), parts = element.complex ? 2 : 1;
    const std::vector<std::int64_t> inner(header.shape.begin() + 1, header.shape.end());
    std::int64_t width = 1;
    for (std::int64_t extent : inner) width *= extent;
    std::vector<std::int64_t> row_of(static_cast<std::size_t>(width));  // where a column's elements are in a row
    ColumnMajor order(inner);
    for (std::int64_t k = 0; k < width; ++k) row_of[static_cast<std::size_t>(order.next())] = k;
    const bool long_runs = own * size >= least_run_bytes;
    const std::int64_t step = long_runs ? 1 : std::max<std::int64_t>(1, block_bytes / (height * size));
    const std::int64_t first = long_runs ? rows.first : 0, length = long_runs ? own : height;
    std::vector<std::byte> real, imaginary;
    for (std::int64_t column = 0; column < width; column += step) {
        const std::int64_t columns = std::min(step, width - column);
        const NpyHeader block{header.descr, false, {columns * length}};
        real.resize(static_cast<std::size_t>(columns * length) * part);
        imaginary.resize(element.complex ? real.size() : 0);
        void* to[2] = {real.data(), imaginary.data()};
        source.seek(begin + static_cast<std::uint64_t>((column * height + first) * size));
        read_elements(source, block, stored, element, columns * length, to);
        normalise(element, to[0], columns * length);
        for (std::size_t p = 0; p < parts; ++p)
            for (std::int64_t c = 0; c < columns; ++c)
                for (std::int64_t i = 0; i < own; ++i)
                    std::memcpy(leaves[p] + static_cast<std::size_t>((rows.first + i) * width +
                                                                     row_of[static_cast<std::size_t>(column + c)]) *
                                                part,
                                static_cast<std::byte*>(to[p]) +
                                    static_cast<std::size_t>(c * length + i + rows.first - first) * part,
                                part);
    }
}

}  // namespace

void read_npy(Source& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out) {
    NpyHeader header = read_npy_header(source);
    const StoredElement stored = check_header(source, header, element, rank, convert);
    const std::int64_t count = front::element_count(header.shape, "load_npy", source.where());
    void* leaves[2];
    for (std::size_t p = 0; p < (element.complex ? 2u : 1u); ++p) {
        out[p] = detail::make_array(element.scalar, header.shape.data(), rank, source.where());
        leaves[p] = detail::data(out[p], source.where());
    }
    read_elements(source, header, stored, element, count, leaves);
    normalise(element, leaves[0], count);
}

NpyRead read_own_npy(FilePart& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out) {
    NpyRead result;
    source.forget();
    const NpyHeader header = read_npy_header(source);
    result.header_sum = source.checksum();
    const StoredElement stored = check_header(source, header, element, rank, convert);
    const std::int64_t count = front::element_count(header.shape, "load_npy", source.where());
    const std::size_t parts = element.complex ? 2 : 1, bytes = static_cast<std::size_t>(count) * npy_bytes(stored.element);
    if (source.left() < bytes) source.fail_short(bytes, "elements");  // whether these rows are there or not
    std::byte* leaves[2] = {};
    for (std::size_t p = 0; p < parts; ++p) {
        out[p] = detail::make_rows(element.scalar, header.shape.data(), rank,
                                   count * static_cast<std::int64_t>(npy_bytes(element)), source.where());
        leaves[p] = static_cast<std::byte*>(const_cast<void*>(detail::own_rows(out[p], source.where())));
    }
    const std::int64_t rows = rank == 0 ? 1 : header.shape[0];
    result.in_blocks = detail::in_blocks(out[0], source.where());
    const Part own = result.in_blocks ? detail::own_part(rows) : Part{0, rows};
    if (count == 0 || own.first == own.last) return result;
    if (header.fortran_order && rank >= 2)
        read_runs(source, header, stored, element, own, leaves);
    else
        read_rows(source, header, stored, element, own, leaves);
    result.rows_sum = source.checksum();
    result.bytes = static_cast<std::uint64_t>((own.last - own.first) * (count / rows)) * npy_bytes(stored.element);
    return result;
}

}  // namespace sinter::runtime
