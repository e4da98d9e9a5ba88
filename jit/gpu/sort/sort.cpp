// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/sort/sort.hpp"

#include "jit/gpu/device/code_cache.hpp"

#include "jit/gpu/emit/builtin_names.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace sinter::gpu {

using runtime::SortColumn;

namespace {

constexpr int digit_bits = 8;

template <class T>
T ceil_div(T a, T b) {
    return (a + b - 1) / b;
}

}  // namespace

/// One sort: its memory, and what is launched for it, one after another.
class SortRun {
  public:
    SortRun(Sorter& sorter, bool descending, std::int64_t rows, std::int64_t count)
        : sorter_(sorter), descending_(descending), rows_(rows), count_(count) {}

    void sort(std::span<const SortColumn> columns, std::size_t keys) {
        const std::uint32_t* order = order_of(columns, keys, columns.size() > 1);
        for (const SortColumn& column : columns.subspan(1)) gathered(column.scalar, placed(column), order, column.to);
    }

    /// Sorts the rows, of `length` elements each and stored one after another, as one row: by the keys, then by their rows.
    void sort_short_rows(std::span<const SortColumn> columns, std::size_t keys, std::int64_t length) {
        const std::uint32_t* order = order_of(columns, keys, true);
        auto *numbers = take_array<std::uint32_t>(count_), *sorted = take_array<std::uint32_t>(count_);
        std::array<void*, 4> parameters = {&numbers, &order, &count_, &length};
        launch(sorter_.row_numbers(), "row_numbers", ceil_div<std::int64_t>(count_, block_threads), parameters);
        const int passes =
            ceil_div(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count_ / length - 1))), digit_bits);
        order = sort_keys({lower::Scalar::u32, false, true}, numbers, order, sorted, std::max(passes, 1));
        for (const SortColumn& column : columns) gathered(column.scalar, placed(column), order, column.to);
    }

    void sort_numbers(const std::uint32_t* from, std::uint32_t* to, std::uint32_t* order, std::int64_t end) {
        // A number with all bits set in the digits that matter is above all others, so `end` itself has to fit.
        const int passes = ceil_div(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(end))), digit_bits);
        sort_keys({lower::Scalar::u32, false, true}, from, nullptr, to, std::max(passes, 1), order);
    }

  private:
    struct Lane {
        void* keys = nullptr;
        std::uint32_t* positions = nullptr;
    };

    std::size_t bytes_of(lower::Scalar scalar) const {
        return static_cast<std::size_t>(rows_ * count_ * detail::size_of(scalar));
    }

    void* take(std::size_t bytes) { return scratch_.emplace_back(sorter_.memory_, bytes).data(); }
    template <class T>
    T* take_array(std::int64_t count) {
        return static_cast<T*>(take(static_cast<std::size_t>(count) * sizeof(T)));
    }

    /// Sorts the keys of the first column to their destination; returns the order of all elements, if it is wanted.
    const std::uint32_t* order_of(std::span<const SortColumn> columns, std::size_t keys, bool indexed) {
        const std::uint32_t* order = nullptr;
        for (std::size_t c = keys; c-- > 0;) {
            const lower::Scalar scalar = columns[c].scalar;
            const void* from = placed(columns[c]);
            if (order) from = gathered(scalar, from, order, take(bytes_of(scalar)));
            const int passes = detail::size_of(scalar) * 8 / digit_bits;
            order = sort_keys({scalar, descending_, indexed}, from, order, columns[c].to, passes);
        }
        return order;
    }

    /// The column where the device can reach it.
    const void* placed(const SortColumn& column) {
        if (sorter_.memory_.contains(column.from)) return column.from;
        const std::size_t bytes = bytes_of(column.scalar);
        void* copy = take(bytes);
        sorter_.memory_.write(copy, column.from, bytes);
        return copy;
    }

    /// Sorts keys, which are in the order `order` (or, if that is null, as they are stored), by their lowest digits into
    /// `to`; returns their new order.
    const std::uint32_t* sort_keys(const SortKind& kind, const void* from, const std::uint32_t* order, void* to, int passes,
                                   std::uint32_t* to_order = nullptr) {
        const std::int64_t tile = sort_tile(kind),
                           wanted = std::max<std::int64_t>(1, sorter_.device_.wanted_blocks() / rows_);
        SortParameters p{};
        p.rows = rows_;
        p.length = count_;
        p.part_length = ceil_div(ceil_div(count_, wanted), tile) * tile;
        p.parts = ceil_div(count_, p.part_length);
        p.counts = take_array<std::uint32_t>(rows_ * sort_digits * p.parts);
        p.totals = take_array<std::uint32_t>(rows_ * sort_digits);
        std::array<Lane, 2> lanes;
        for (int k = 0; k < std::min(passes, 2); ++k)
            lanes[static_cast<std::size_t>(k)] = {passes > 1 ? take(bytes_of(kind.key)) : nullptr,
                                                  kind.indexed ? take_array<std::uint32_t>(rows_ * count_) : nullptr};
        Lane source{const_cast<void*>(from), const_cast<std::uint32_t*>(order)};
        for (int pass = 0; pass < passes; ++pass) {
            Lane target = lanes[static_cast<std::size_t>(pass % 2)];
            if (pass + 1 == passes) target.keys = to;
            if (pass + 1 == passes && to_order) target.positions = to_order;
            p.keys = source.keys;
            p.positions = source.positions;
            p.to_keys = target.keys;
            p.to_positions = target.positions;
            p.shift = pass * digit_bits;
            launch_pass(sorter_.passes(kind), p);
            source = target;
        }
        return source.positions;
    }

    void launch_pass(const Program& program, SortParameters& p) {
        std::array<void*, SortParameters::count> parameters = {&p.keys,   &p.positions,   &p.to_keys, &p.to_positions,
                                                               &p.counts, &p.totals,      &p.rows,    &p.length,
                                                               &p.parts,  &p.part_length, &p.shift};
        launch(program, "count", rows_ * p.parts, parameters);
        launch(program, "place", ceil_div<std::int64_t>(rows_ * sort_digits, block_threads / warp_threads), parameters);
        launch(program, "move", rows_ * p.parts, parameters);
    }

    const void* gathered(lower::Scalar scalar, const void* from, const std::uint32_t* order, void* to) {
        std::array<void*, 5> parameters = {&from, &to, &order, &rows_, &count_};
        launch(sorter_.gather(detail::size_of(scalar)), "gather", ceil_div<std::int64_t>(rows_ * count_, block_threads),
               parameters);
        return to;
    }

    void launch(const Program& program, const char* kernel, std::int64_t blocks, std::span<void*> parameters) {
        program.launch(kernel, std::min(blocks, sorter_.device_.wanted_blocks()), parameters);
    }

    Sorter& sorter_;
    bool descending_;
    std::int64_t rows_, count_;
    std::deque<Scratch> scratch_;
};

const Program& Sorter::find(const std::string& name, const codegen::CardCode& code) {
    const SectionLock lock(mutex_);
    std::unique_ptr<Program>& program = programs_[name];
    if (!program) program = find_or_make(device_, name, name, code);
    return *program;
}

const Program& Sorter::passes(const SortKind& kind) {
    const std::string name = "sort_" + std::to_string(static_cast<int>(kind.key)) + (kind.descending ? "_descending" : "") +
                             (kind.indexed ? "_positions" : "");
    return find(name, kind);
}

const Program& Sorter::gather(int element_bytes) {
    return find("gather_" + std::to_string(element_bytes), codegen::Gather{element_bytes});
}

const Program& Sorter::row_numbers() { return find("row_numbers", codegen::RowNumbers{}); }

void Sorter::sort_numbers(const std::uint32_t* from, std::uint32_t* to, std::uint32_t* order, std::int64_t count,
                          std::int64_t end) {
    SortRun(*this, false, 1, count).sort_numbers(from, to, order, end);
}

void Sorter::sort(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
                  std::int64_t count) {
    if (rows == 0 || count == 0) return;
    if (rows > 1 && count < schedule::card::tuning::short_sort_row && rows * count < most_elements)
        SortRun(*this, descending, 1, rows * count).sort_short_rows(columns, keys, count);
    else
        SortRun(*this, descending, rows, count).sort(columns, keys);
}

}  // namespace sinter::gpu
