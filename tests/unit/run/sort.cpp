// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort_rows and first_of_rows against std::stable_sort of positions, compared bit by bit.
#include "run/execute/sort.hpp"
#include "run/execute/first_of_sort.hpp"

#include <sinter/element.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace sinter;
using ir::Scalar;
using runtime::SortColumn;

namespace {

const std::int64_t sizes[] = {0, 1, 2, 7, 8, 9, 31, 64, 65, 511, 512, 1000, 100003};
const Scalar scalars[] = {Scalar::boolean, Scalar::i8,  Scalar::i16, Scalar::i32, Scalar::i64, Scalar::u8,
                          Scalar::u16,     Scalar::u32, Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64};

/// Calls f with a value of the C++ type of a scalar.
template <class F>
void with_type(Scalar scalar, F f) {
    switch (scalar) {
        case Scalar::boolean:
            return f(bool{});
        case Scalar::i8:
            return f(std::int8_t{});
        case Scalar::i16:
            return f(std::int16_t{});
        case Scalar::i32:
            return f(std::int32_t{});
        case Scalar::i64:
            return f(std::int64_t{});
        case Scalar::u8:
            return f(std::uint8_t{});
        case Scalar::u16:
            return f(std::uint16_t{});
        case Scalar::u32:
            return f(std::uint32_t{});
        case Scalar::u64:
            return f(std::uint64_t{});
        case Scalar::f16:
            return f(half{});
        case Scalar::f32:
            return f(float{});
        case Scalar::f64:
            return f(double{});
    }
}

enum class Values { random, few, equal, descending };

/// A column's memory.
struct Column {
    Scalar scalar;
    std::vector<std::byte> from, to;

    Column(Scalar type, std::int64_t count) : scalar(type) {
        from.resize(static_cast<std::size_t>(count * detail::size_of(type)));
        to.resize(from.size());
    }
    template <class T>
    T at(std::int64_t i) const {
        T value;
        std::memcpy(static_cast<void*>(&value), from.data() + i * std::int64_t{sizeof(T)}, sizeof(T));
        return value;
    }
    template <class T>
    void set(std::int64_t i, T value) {
        std::memcpy(from.data() + i * std::int64_t{sizeof(T)}, &value, sizeof(T));
    }
};

template <class T>
T make_value(Values values, std::int64_t i, std::mt19937_64& random) {
    std::int64_t few = static_cast<std::int64_t>(random() % 7) - 3;
    std::int64_t number = values == Values::few ? few : values == Values::equal ? 1 : -i;
    if constexpr (std::is_same_v<T, bool>) {
        return values == Values::random ? random() % 2 == 0 : number > 0;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(values == Values::random ? static_cast<std::int64_t>(random()) : number);
    } else {
        if (values == Values::few && few == 0) return static_cast<T>(random() % 2 == 0 ? 0.0 : -0.0);
        if (values == Values::few && few == 3) return static_cast<T>(random() % 2 == 0 ? NAN : -NAN);
        if (values == Values::few && few == -3) return static_cast<T>(random() % 2 == 0 ? INFINITY : -INFINITY);
        if (values != Values::random) return static_cast<T>(static_cast<double>(number));
        std::uint64_t bits = random();  // any bit pattern: subnormals, infinities, NaNs of both signs
        T value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
        return value;
    }
}

Column make_column(Scalar scalar, std::int64_t count, Values values, unsigned seed) {
    std::mt19937_64 random(seed);
    Column column(scalar, count);
    with_type(scalar, [&](auto sample) {
        using T = decltype(sample);
        for (std::int64_t i = 0; i < count; ++i) column.set(i, make_value<T>(values, i, random));
    });
    return column;
}

/// The documented order of one column.
template <class T>
bool precedes(T a, T b, bool descending) {
    if constexpr (!std::is_integral_v<T>) {
        bool nan_a = std::isnan(static_cast<double>(a)), nan_b = std::isnan(static_cast<double>(b));
        if (nan_a || nan_b) return !nan_a && nan_b;
    }
    return descending ? b < a : a < b;
}

/// -1, 0, 1: how elements a and b of a column compare.
int compare(const Column& column, std::int64_t a, std::int64_t b, bool descending) {
    int result = 0;
    with_type(column.scalar, [&](auto sample) {
        using T = decltype(sample);
        T x = column.at<T>(a), y = column.at<T>(b);
        result = precedes(x, y, descending) ? -1 : precedes(y, x, descending) ? 1 : 0;
    });
    return result;
}

/// first_of_rows against the whole order.
void require_first(std::vector<Column>& columns, const std::vector<std::int64_t>& order, std::size_t keys, bool descending,
                   std::int64_t rows, std::int64_t count, int threads) {
    for (const std::int64_t first : {std::int64_t{1}, std::int64_t{7}, count / 3, count}) {
        if (first > count) continue;
        std::vector<SortColumn> arguments;
        for (Column& c : columns) {
            std::fill(c.to.begin(), c.to.end(), std::byte{0xa5});
            arguments.push_back({c.scalar, c.from.data(), c.to.data()});
        }
        runtime::first_of_rows(arguments, keys, descending, rows, count, first, threads);
        for (const Column& c : columns) {
            const auto size = static_cast<std::size_t>(detail::size_of(c.scalar));
            std::size_t wrong = 0;
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t i = 0; i < first; ++i) {
                    const auto at = static_cast<std::size_t>(order[static_cast<std::size_t>(row * count + i)]);
                    const auto to = static_cast<std::size_t>(row * first + i);
                    wrong += std::memcmp(c.from.data() + at * size, c.to.data() + to * size, size) != 0;
                }
            CAPTURE(detail::name_of(c.scalar), keys, columns.size(), descending, rows, count, first, threads);
            REQUIRE(wrong == 0);
        }
    }
}

void require_sorted(std::vector<Column> columns, std::size_t keys, bool descending, std::int64_t rows, std::int64_t count) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows * count));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::stable_sort(order.begin() + row * count, order.begin() + (row + 1) * count,
                         [&](std::int64_t a, std::int64_t b) {
                             for (std::size_t c = 0; c < keys; ++c) {
                                 if (int found = compare(columns[c], a, b, descending)) return found < 0;
                             }
                             return false;
                         });
    }
    for (int threads : {1, 2, 5}) {
        std::vector<SortColumn> arguments;
        for (Column& c : columns) {
            std::fill(c.to.begin(), c.to.end(), std::byte{0xa5});
            arguments.push_back({c.scalar, c.from.data(), c.to.data()});
        }
        runtime::sort_rows(arguments, keys, descending, rows, count, threads);
        for (const Column& c : columns) {
            std::size_t size = static_cast<std::size_t>(detail::size_of(c.scalar)), wrong = 0;
            for (std::size_t i = 0; i < order.size(); ++i) {
                const std::byte* expected = c.from.data() + static_cast<std::size_t>(order[i]) * size;
                wrong += std::memcmp(expected, c.to.data() + i * size, size) != 0;
            }
            CAPTURE(detail::name_of(c.scalar), keys, columns.size(), descending, rows, count, threads);
            REQUIRE(wrong == 0);
        }
        require_first(columns, order, keys, descending, rows, count, threads);
    }
}

}  // namespace

TEST_CASE("one column of every type and size", "[sort]") {
    for (Scalar scalar : scalars) {
        for (std::int64_t count : sizes) {
            for (Values values : {Values::random, Values::few, Values::equal, Values::descending}) {
                for (bool descending : {false, true})
                    require_sorted({make_column(scalar, count, values, 1)}, 1, descending, 1, count);
            }
        }
    }
}

TEST_CASE("a payload that travels and payloads that are gathered", "[sort]") {
    for (Scalar key : {Scalar::boolean, Scalar::i16, Scalar::f16, Scalar::i32, Scalar::f32, Scalar::u64, Scalar::f64}) {
        for (std::int64_t count : sizes) {
            for (Scalar payload : {Scalar::u8, Scalar::i16, Scalar::i32, Scalar::f64}) {
                Column keys = make_column(key, count, Values::few, 2),
                       values = make_column(payload, count, Values::random, 3);
                for (bool descending : {false, true}) require_sorted({keys, values}, 1, descending, 1, count);
                require_sorted({keys, values, make_column(Scalar::u8, count, Values::random, 4)}, 1, false, 1, count);
            }
        }
    }
}

TEST_CASE("several keys are compared lexicographically", "[sort]") {
    for (std::int64_t count : sizes) {
        for (bool descending : {false, true}) {
            std::vector<Column> columns = {make_column(Scalar::i8, count, Values::few, 5),
                                           make_column(Scalar::f32, count, Values::few, 6),
                                           make_column(Scalar::u64, count, Values::few, 7)};
            require_sorted(columns, 2, descending, 1, count);
            require_sorted(columns, 3, descending, 1, count);
            columns.push_back(make_column(Scalar::i32, count, Values::random, 8));
            require_sorted(columns, 3, descending, 1, count);
        }
    }
}

TEST_CASE("equal keys in order keep their bits with their elements", "[sort]") {
    for (std::int64_t count : sizes) {
        Column zeros = make_column(Scalar::f64, count, Values::equal, 12);
        for (std::int64_t i = 0; i < count; ++i) zeros.set(i, i % 3 == 0 ? -0.0 : 0.0);
        const Column keys = make_column(Scalar::i64, count, Values::random, 13);
        for (bool descending : {false, true}) require_sorted({zeros, keys}, 2, descending, 1, count);
    }
}

TEST_CASE("rows are sorted one by one", "[sort]") {
    for (auto [rows, count] : {std::pair<std::int64_t, std::int64_t>{1000, 3}, {3, 1000}, {17, 700}, {2, 40000}, {5, 0}}) {
        for (Scalar key : {Scalar::i32, Scalar::f32, Scalar::f64}) {
            Column keys = make_column(key, rows * count, Values::few, 9);
            Column values = make_column(Scalar::i32, rows * count, Values::random, 10);
            require_sorted({keys}, 1, false, rows, count);
            require_sorted({keys, values}, 1, true, rows, count);
            require_sorted({keys, values}, 2, false, rows, count);
        }
    }
}

TEST_CASE("keys that differ in a few high, low or scattered bits", "[sort]") {
    constexpr std::int64_t count = 5000;
    for (std::uint64_t mask : {0xff00'0000'0000'0000ULL, 1ULL, 0x8000'0000'0000'0001ULL, 0x0000'0ff8'0000'1fffULL}) {
        Column keys = make_column(Scalar::u64, count, Values::random, 11);
        for (std::int64_t i = 0; i < count; ++i) keys.set(i, (keys.at<std::uint64_t>(i) & mask) | 0x10'0000);
        for (bool descending : {false, true}) require_sorted({keys}, 1, descending, 1, count);
    }
}

TEST_CASE("columns that begin anywhere in memory are sorted as others are", "[sort]") {
    for (Scalar scalar : {Scalar::u16, Scalar::f32, Scalar::f64}) {
        for (std::int64_t count : {31, 1000}) {
            Column aligned = make_column(scalar, count, Values::random, 9), shifted = aligned;
            shifted.from.insert(shifted.from.begin(), std::byte{0});
            const SortColumn first{scalar, aligned.from.data(), aligned.to.data()};
            const SortColumn second{scalar, shifted.from.data() + 1, shifted.to.data()};
            runtime::sort_rows({&first, 1}, 1, false, 1, count, 2);
            runtime::sort_rows({&second, 1}, 1, false, 1, count, 2);
            CHECK(aligned.to == shifted.to);
        }
    }
}
