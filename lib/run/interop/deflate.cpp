// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/deflate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sinter::runtime {

namespace {

using Data = std::span<const unsigned char>;

constexpr int longest_code = 15;
constexpr std::size_t longest_match = 258, shortest_match = 3, window = 32768;
constexpr std::size_t end_of_block = 256, first_length = 257;

/// The lengths (distances) that symbols begin at, and how many bits follow them.
struct Range {
    std::uint16_t base;
    std::uint8_t bits;
};
constexpr std::array<Range, 29> lengths = {{{3, 0},   {4, 0},   {5, 0},   {6, 0},   {7, 0},  {8, 0},  {9, 0},  {10, 0},
                                            {11, 1},  {13, 1},  {15, 1},  {17, 1},  {19, 2}, {23, 2}, {27, 2}, {31, 2},
                                            {35, 3},  {43, 3},  {51, 3},  {59, 3},  {67, 4}, {83, 4}, {99, 4}, {115, 4},
                                            {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};
constexpr std::array<Range, 30> distances = {{{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
                                              {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
                                              {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
                                              {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
                                              {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

struct Damaged {};

class BitReader {
  public:
    explicit BitReader(Data data) : data_(data) {}

    std::uint32_t bits(int count) {
        while (held_ < count) {
            if (next_ == data_.size()) throw Damaged();
            buffer_ |= static_cast<std::uint64_t>(data_[next_++]) << held_;
            held_ += 8;
        }
        const auto value = static_cast<std::uint32_t>(buffer_ & ((std::uint64_t{1} << count) - 1));
        buffer_ >>= count;
        held_ -= count;
        return value;
    }

    /// Whole bytes, from the next one on.
    Data bytes(std::size_t count) {
        next_ -= static_cast<std::size_t>(held_ / 8);
        buffer_ = 0, held_ = 0;
        if (data_.size() - next_ < count) throw Damaged();
        next_ += count;
        return data_.subspan(next_ - count, count);
    }

  private:
    Data data_;
    std::size_t next_ = 0;
    std::uint64_t buffer_ = 0;
    int held_ = 0;
};

/// A canonical Huffman code: symbols in the order of their codes, and how many codes there are of each length.
class Code {
  public:
    explicit Code(std::span<const std::uint8_t> lengths_of_symbols) : symbols_(lengths_of_symbols.size()) {
        for (std::uint8_t length : lengths_of_symbols) ++count_[length];
        std::array<std::uint16_t, longest_code + 2> first{};
        for (std::size_t length = 1; length <= longest_code; ++length)
            first[length + 1] = static_cast<std::uint16_t>(first[length] + count_[length]);
        for (std::size_t symbol = 0; symbol < lengths_of_symbols.size(); ++symbol)
            if (const std::size_t length = lengths_of_symbols[symbol]; length != 0)
                symbols_[first[length]++] = static_cast<std::uint16_t>(symbol);
    }

    std::size_t read(BitReader& in) const {
        std::uint32_t code = 0, first = 0, index = 0;
        for (std::size_t length = 1; length <= longest_code; ++length) {
            code = code << 1 | in.bits(1);
            if (code < first + count_[length]) return symbols_[index + code - first];
            index += count_[length];
            first = (first + count_[length]) << 1;
        }
        throw Damaged();
    }

  private:
    std::array<std::uint16_t, longest_code + 1> count_{};
    std::vector<std::uint16_t> symbols_;
};

std::vector<std::uint8_t> fixed_lengths() {
    std::vector<std::uint8_t> all(288, 8);
    std::fill(all.begin() + 144, all.begin() + 256, 9);
    std::fill(all.begin() + 256, all.begin() + 280, 7);
    return all;
}

class Inflater {
  public:
    Inflater(Data data, std::size_t most) : in_(data), most_(most) {}

    std::vector<unsigned char> operator()() {
        for (bool last = false; !last;) {
            last = in_.bits(1) != 0;
            const std::uint32_t kind = in_.bits(2);
            if (kind == 3) throw Damaged();
            kind == 0 ? stored() : kind == 1 ? compressed(fixed_lengths(), std::vector<std::uint8_t>(30, 5)) : dynamic();
        }
        return std::move(out_);
    }

  private:
    void room(std::size_t bytes) const {
        if (most_ - out_.size() < bytes) throw Damaged();
    }

    void stored() {
        const Data head = in_.bytes(4);
        const std::size_t length = head[0] | head[1] << 8;
        if ((length ^ 0xffff) != static_cast<std::size_t>(head[2] | head[3] << 8)) throw Damaged();
        room(length);
        const Data data = in_.bytes(length);
        out_.insert(out_.end(), data.begin(), data.end());
    }

    void dynamic() {
        constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = in_.bits(5) + 257, offsets = in_.bits(5) + 1, codes = in_.bits(4) + 4;
        std::vector<std::uint8_t> of_codes(19);
        for (std::size_t k = 0; k < codes; ++k) of_codes[order[k]] = static_cast<std::uint8_t>(in_.bits(3));
        const Code code(of_codes);
        std::vector<std::uint8_t> all;
        while (all.size() < literals + offsets) {
            const std::size_t symbol = code.read(in_);
            if (symbol < 16) {
                all.push_back(static_cast<std::uint8_t>(symbol));
                continue;
            }
            if (symbol == 16 && all.empty()) throw Damaged();
            const std::uint8_t value = symbol == 16 ? all.back() : std::uint8_t{0};
            const std::size_t times = symbol == 16 ? 3 + in_.bits(2) : symbol == 17 ? 3 + in_.bits(3) : 11 + in_.bits(7);
            all.insert(all.end(), times, value);
        }
        if (all.size() != literals + offsets) throw Damaged();
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(literals);
        compressed({all.begin(), middle}, {middle, all.end()});
    }

    void compressed(const std::vector<std::uint8_t>& of_literals, const std::vector<std::uint8_t>& of_distances) {
        const Code literals(of_literals), offsets(of_distances);
        for (;;) {
            const std::size_t symbol = literals.read(in_);
            if (symbol == end_of_block) return;
            if (symbol < end_of_block) {
                room(1);
                out_.push_back(static_cast<unsigned char>(symbol));
                continue;
            }
            if (symbol - first_length >= lengths.size()) throw Damaged();
            const Range length = lengths[symbol - first_length];
            const std::size_t count = length.base + in_.bits(length.bits), of_distance = offsets.read(in_);
            if (of_distance >= distances.size()) throw Damaged();
            const Range distance = distances[of_distance];
            repeat(count, distance.base + in_.bits(distance.bits));
        }
    }

    void repeat(std::size_t count, std::size_t distance) {
        if (distance > out_.size()) throw Damaged();
        room(count);
        for (std::size_t k = 0; k < count; ++k) out_.push_back(out_[out_.size() - distance]);
    }

    BitReader in_;
    std::size_t most_;
    std::vector<unsigned char> out_;
};

class BitWriter {
  public:
    void bits(std::uint32_t value, int count) {
        buffer_ |= static_cast<std::uint64_t>(value) << held_;
        for (held_ += count; held_ >= 8; held_ -= 8, buffer_ >>= 8) out_.push_back(static_cast<unsigned char>(buffer_));
    }
    /// Codes stand with their highest bit first.
    void code(std::uint32_t value, int count) {
        for (int k = count; k-- > 0;) bits(value >> k & 1, 1);
    }
    /// Of the fixed code.
    void literal(std::size_t symbol) {
        const auto s = static_cast<std::uint32_t>(symbol);
        if (s < 144) return code(0x30 + s, 8);
        if (s < 256) return code(0x190 + s - 144, 9);
        s < 280 ? code(s - 256, 7) : code(0xc0 + s - 280, 8);
    }
    std::vector<unsigned char> finish() {
        if (held_ > 0) out_.push_back(static_cast<unsigned char>(buffer_));
        return std::move(out_);
    }

  private:
    std::vector<unsigned char> out_;
    std::uint64_t buffer_ = 0;
    int held_ = 0;
};

template <std::size_t N>
std::size_t find_range(const std::array<Range, N>& ranges, std::size_t value) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), value,
                                        [](std::size_t v, const Range& range) { return v < range.base; });
    return static_cast<std::size_t>(after - ranges.begin()) - 1;
}

void write_match(BitWriter& out, std::size_t count, std::size_t distance) {
    const std::size_t length = find_range(lengths, count), offset = find_range(distances, distance);
    out.literal(first_length + length);
    out.bits(static_cast<std::uint32_t>(count - lengths[length].base), lengths[length].bits);
    out.code(static_cast<std::uint32_t>(offset), 5);
    out.bits(static_cast<std::uint32_t>(distance - distances[offset].base), distances[offset].bits);
}

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        table[n] = n;
        for (int k = 0; k < 8; ++k) table[n] = table[n] & 1 ? 0xedb88320u ^ table[n] >> 1 : table[n] >> 1;
    }
    return table;
}

}  // namespace

std::optional<std::vector<unsigned char>> inflate(Data data, std::size_t most) try {
    return Inflater(data, most)();
} catch (const Damaged&) {
    return std::nullopt;
}

/// The only candidate for a match is the last place where the same three bytes began.
std::vector<unsigned char> deflate(Data data) {
    BitWriter out;
    out.bits(1, 1);
    out.bits(1, 2);
    std::vector<std::size_t> last(1 << 15, data.size());
    for (std::size_t at = 0; at < data.size();) {
        std::size_t length = 0, distance = 0;
        if (data.size() - at >= shortest_match) {
            const std::uint32_t three = data[at] | data[at + 1] << 8 | data[at + 2] << 16;
            std::size_t& place = last[(three * 2654435761u) >> 17];
            if (place < at && at - place <= window) {
                const std::size_t most = std::min(longest_match, data.size() - at);
                while (length < most && data[place + length] == data[at + length]) ++length;
                distance = at - place;
            }
            place = at;
        }
        if (length >= shortest_match) {
            write_match(out, length, distance);
            at += length;
        } else {
            out.literal(data[at++]);
        }
    }
    out.literal(end_of_block);
    return out.finish();
}

std::uint32_t crc32(Data data, std::uint32_t before) {
    static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
    std::uint32_t crc = ~before;
    for (unsigned char byte : data) crc = table[(crc ^ byte) & 0xff] ^ crc >> 8;
    return ~crc;
}

std::uint32_t adler32(Data data) {
    constexpr std::uint32_t prime = 65521;
    std::uint32_t a = 1, b = 0;
    for (unsigned char byte : data) {
        a = (a + byte) % prime;
        b = (b + a) % prime;
    }
    return b << 16 | a;
}

}  // namespace sinter::runtime
