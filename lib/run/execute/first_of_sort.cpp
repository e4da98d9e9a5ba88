// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/first_of_sort.hpp"

#include "run/execute/sort_order.hpp"
#include "run/threads/threads.hpp"
#include "run/tuning.hpp"
#include "support/with_width.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace sinter::runtime {
namespace {

/// Rows as they are: keys may be unaligned in borrowed memory.
struct Rows {
    std::span<const SortColumn> columns;
    std::size_t keys;
    bool descending;
    std::int64_t count, first;
};

template <class T>
T load(const SortColumn& column, std::int64_t at) {
    T value;
    std::memcpy(&value, static_cast<const char*>(column.from) + at * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
}

template <class Key>
struct Candidate {
    Key key;
    std::int64_t position;  ///< among all elements
};

/// The least elements of a part of a row so far. `Order` maps the first keys.
template <class Order>
class Least {
  public:
    using Key = typename Order::Key;

    Least(const Rows& rows, Order order) : rows_(rows), order_(order) {
        found_.reserve(2 * static_cast<std::size_t>(rows.first) + block);
    }

    void see(std::int64_t begin, std::int64_t end) {
        for (; begin + block <= end; begin += block) {
            if (is_full_ && !has_candidate(begin)) continue;
            take(begin, begin + block);
        }
        take(begin, end);
    }
    void add(const Least& other) {
        for (const Candidate<Key>& each : other.found_) insert(each);
    }
    /// The first elements in order, as positions.
    const std::vector<Candidate<Key>>& sorted() {
        shrink();
        std::sort(found_.begin(), found_.end(), is_before());
        return found_;
    }

  private:
    static constexpr std::int64_t block = 64;

    Key key(std::int64_t at) const { return order_(load<Key>(rows_.columns[0], at)); }

    /// Whether a key of a block may be among the first; without a branch, for vectors.
    bool has_candidate(std::int64_t begin) const {
        bool less = false, equal = false;
        for (std::int64_t i = 0; i < block; ++i) {
            const Key each = key(begin + i);
            less |= each < greatest_, equal |= each == greatest_;
        }
        return less || (equal && rows_.keys > 1);
    }
    /// Of elements with equal keys the first ones count, unless further keys decide.
    void take(std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const Key each = key(i);
            if (!is_full_ || each < greatest_ || (each == greatest_ && rows_.keys > 1)) insert({each, i});
        }
    }
    void insert(Candidate<Key> each) {
        if (found_.size() == found_.capacity()) shrink();
        found_.push_back(each);
    }
    /// Keeps the first ones; from now on no key that is greater than theirs matters.
    void shrink() {
        const auto first = static_cast<std::ptrdiff_t>(rows_.first);
        if (std::ssize(found_) <= first) return;
        std::nth_element(found_.begin(), found_.begin() + first - 1, found_.end(), is_before());
        found_.resize(static_cast<std::size_t>(first));
        greatest_ = found_.back().key;
        is_full_ = true;
    }

    auto is_before() const {
        return [this](const Candidate<Key>& a, const Candidate<Key>& b) {
            if (a.key != b.key) return a.key < b.key;
            for (std::size_t c = 1; c < rows_.keys; ++c)
                if (const int difference = compare(rows_.columns[c], a.position, b.position); difference != 0)
                    return difference < 0;
            return a.position < b.position;
        };
    }
    int compare(const SortColumn& column, std::int64_t a, std::int64_t b) const {
        int result = 0;
        with_order(column.scalar, rows_.descending, [&](auto order) {
            using Other = typename decltype(order)::Key;
            const Other x = order(load<Other>(column, a)), y = order(load<Other>(column, b));
            result = x < y ? -1 : y < x;
        });
        return result;
    }

    Rows rows_;
    Order order_;
    std::vector<Candidate<Key>> found_;
    Key greatest_ = std::numeric_limits<Key>::max();
    bool is_full_ = false;
};

/// to[i] is the element at the position of candidate i.
template <class Key>
void write(const Rows& rows, std::int64_t row, const std::vector<Candidate<Key>>& found) {
    for (const SortColumn& column : rows.columns)
        with_width_of(column.scalar, [&](auto sample) {
            using T = decltype(sample);
            T* to = static_cast<T*>(column.to) + row * rows.first;
            for (std::size_t i = 0; i < found.size(); ++i) to[i] = load<T>(column, found[i].position);
        });
}

/// Threads share rows if there are enough, else each row.
template <class Order>
void select(const Rows& rows, Order order, std::int64_t number, int threads) {
    const std::int64_t parts =
        number >= threads ? 1 : std::clamp<std::int64_t>(rows.count / tuning::least_sorted_block, 1, threads);
    const std::int64_t groups = parts > 1 ? 1 : std::min<std::int64_t>(number, threads);
    parallel_for(groups, threads, [&](std::int64_t g) {
        for (std::int64_t row = number * g / groups; row < number * (g + 1) / groups; ++row) {
            std::vector<Least<Order>> found;
            found.reserve(static_cast<std::size_t>(parts));
            for (std::int64_t p = 0; p < parts; ++p) found.emplace_back(rows, order);
            parallel_for(parts, threads, [&](std::int64_t p) {
                found[static_cast<std::size_t>(p)].see(row * rows.count + rows.count * p / parts,
                                                       row * rows.count + rows.count * (p + 1) / parts);
            });
            for (std::size_t p = 1; p < found.size(); ++p) found[0].add(found[p]);
            write(rows, row, found[0].sorted());
        }
    });
}

}  // namespace

void first_of_rows(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
                   std::int64_t count, std::int64_t first, int threads) {
    if (rows == 0 || first == 0) return;
    with_order(columns[0].scalar, descending,
               [&](auto order) { select(Rows{columns, keys, descending, count, first}, order, rows, threads); });
}

}  // namespace sinter::runtime
