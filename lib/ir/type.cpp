// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/type.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace sinter::ir {

namespace {

using Kind = Size::Kind;

bool is_leaf(Kind kind) {
    return kind == Kind::input_extent || kind == Kind::argument || kind == Kind::value || kind == Kind::constant;
}

/// The result of `kind` for two constants; nothing if it is not a constant.
std::optional<std::int64_t> folded(Kind kind, const Size& left, const Size& right) {
    const std::int64_t value = apply(kind, left.index, right.index);
    return is_huge(value) ? std::nullopt : std::optional(value);
}

}  // namespace

std::vector<std::int64_t> evaluate(const SizeTable& table, const std::function<std::int64_t(const Size&)>& leaf) {
    std::vector<std::int64_t> values(table.count());
    for (std::size_t i = 0; i < table.count(); ++i) {
        const Size& size = table[SizeId(i)];
        if (size.kind == Kind::constant)
            values[i] = size.index;
        else if (is_leaf(size.kind))
            values[i] = leaf(size);
        else
            values[i] = apply(size.kind, values[size.left.index], values[size.right.index]);
    }
    return values;
}

std::size_t SizeTable::Hash::operator()(const Size& size) const noexcept {
    std::uint64_t h = static_cast<std::uint64_t>(size.kind);
    for (std::uint64_t part : {static_cast<std::uint64_t>(size.index), static_cast<std::uint64_t>(size.axis),
                               static_cast<std::uint64_t>(size.left.index), static_cast<std::uint64_t>(size.right.index)})
        h = (h ^ part) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
}

SizeId SizeTable::enter(const Size& size) {
    auto [position, inserted] = ids_.try_emplace(size, SizeId(entries_.size()));
    if (inserted) entries_.push_back(size);
    return position->second;
}

bool SizeTable::is_constant(SizeId id, std::int64_t value) const {
    const Size& size = entries_[id.index];
    return size.kind == Kind::constant && size.index == value;
}

/// A structural order that is the same in every table, with constants last. Equal sizes have equal ids, so only one path is
/// followed.
bool SizeTable::before(SizeId a, SizeId b) const {
    while (a != b) {
        const Size& x = entries_[a.index];
        const Size& y = entries_[b.index];
        bool x_constant = x.kind == Kind::constant, y_constant = y.kind == Kind::constant;
        auto key = [](bool constant, const Size& s) { return std::tuple(constant, s.kind, s.index, s.axis); };
        if (key(x_constant, x) != key(y_constant, y)) return key(x_constant, x) < key(y_constant, y);
        bool left_differs = x.left != y.left;
        a = left_differs ? x.left : x.right;
        b = left_differs ? y.left : y.right;
    }
    return false;
}

SizeId SizeTable::commutative(Kind kind, SizeId a, SizeId b) {
    if (before(b, a)) std::swap(a, b);
    return enter({kind, 0, 0, a, b});
}

SizeId SizeTable::constant(std::int64_t value) { return enter({Kind::constant, value, 0, {}, {}}); }
SizeId SizeTable::input_extent(std::size_t input, std::size_t axis) {
    return enter({Kind::input_extent, static_cast<std::int64_t>(input), static_cast<std::int64_t>(axis), {}, {}});
}
SizeId SizeTable::argument(std::size_t index) {
    return enter({Kind::argument, static_cast<std::int64_t>(index), 0, {}, {}});
}
SizeId SizeTable::value(ValueId id) { return enter({Kind::value, static_cast<std::int64_t>(id.index), 0, {}, {}}); }

SizeId SizeTable::add(SizeId a, SizeId b) {
    if (before(b, a)) std::swap(a, b);  // if one is a constant, it is b now
    Size x = entries_[a.index], y = entries_[b.index];
    if (y.kind == Kind::constant) {
        if (y.index == 0) return a;
        if (x.kind == Kind::constant)
            if (auto sum = folded(Kind::add, x, y)) return constant(*sum);
        if (x.kind == Kind::add && entries_[x.right.index].kind == Kind::constant)
            if (auto sum = folded(Kind::add, entries_[x.right.index], y)) return add(x.left, constant(*sum));
    }
    if (x.kind == Kind::sub && x.right == b) return x.left;
    if (y.kind == Kind::sub && y.right == a) return y.left;
    return enter({Kind::add, 0, 0, a, b});
}

SizeId SizeTable::sub(SizeId a, SizeId b) {
    if (a == b) return constant(0);
    Size x = entries_[a.index], y = entries_[b.index];
    if (y.kind == Kind::constant && !is_huge(y.index)) return add(a, constant(-y.index));
    if (x.kind == Kind::add && x.left == b) return x.right;
    if (x.kind == Kind::add && x.right == b) return x.left;
    if (x.kind == Kind::add && entries_[x.right.index].kind == Kind::constant)  // (u + c) - v = (u - v) + c
        return add(sub(x.left, b), x.right);
    if (y.kind == Kind::add && entries_[y.right.index].kind == Kind::constant)  // u - (v + c) = (u - v) - c
        return sub(sub(a, y.left), y.right);
    if (y.kind == Kind::sub && y.left == a) return y.right;
    return enter({Kind::sub, 0, 0, a, b});
}

SizeId SizeTable::mul(SizeId a, SizeId b) {
    if (before(b, a)) std::swap(a, b);
    Size x = entries_[a.index], y = entries_[b.index];
    if (y.kind == Kind::constant) {
        if (y.index == 0) return b;
        if (y.index == 1) return a;
        if (x.kind == Kind::constant)
            if (auto product = folded(Kind::mul, x, y)) return constant(*product);
        if (x.kind == Kind::mul && entries_[x.right.index].kind == Kind::constant)
            if (auto product = folded(Kind::mul, entries_[x.right.index], y)) return mul(x.left, constant(*product));
    }
    return enter({Kind::mul, 0, 0, a, b});
}

SizeId SizeTable::ceil_div(SizeId a, SizeId b) {
    if (is_constant(b, 1)) return a;
    Size x = entries_[a.index], y = entries_[b.index];
    if (x.kind == Kind::constant && y.kind == Kind::constant && y.index > 0)
        return constant(apply(Kind::ceil_div, x.index, y.index));
    if (x.kind == Kind::mul && x.right == b && y.kind == Kind::constant && y.index > 0) return x.left;
    return enter({Kind::ceil_div, 0, 0, a, b});
}

SizeId SizeTable::minimum(SizeId a, SizeId b) {
    if (a == b) return a;
    const Size x = entries_[a.index], y = entries_[b.index];
    if (x.kind == Kind::constant && y.kind == Kind::constant) return constant(std::min(x.index, y.index));
    return commutative(Kind::minimum, a, b);
}

SizeId SizeTable::maximum(SizeId a, SizeId b) {
    if (a == b) return a;
    const Size x = entries_[a.index], y = entries_[b.index];
    if (x.kind == Kind::constant && y.kind == Kind::constant) return constant(std::max(x.index, y.index));
    return commutative(Kind::maximum, a, b);
}

SizeId SizeTable::intern(const Size& size) {
    switch (size.kind) {
        case Kind::input_extent:
        case Kind::argument:
        case Kind::value:
        case Kind::constant:
            return enter({size.kind, size.index, size.kind == Kind::input_extent ? size.axis : 0, {}, {}});
        case Kind::add:
            return add(size.left, size.right);
        case Kind::sub:
            return sub(size.left, size.right);
        case Kind::mul:
            return mul(size.left, size.right);
        case Kind::ceil_div:
            return ceil_div(size.left, size.right);
        case Kind::minimum:
            return minimum(size.left, size.right);
        case Kind::maximum:
            return maximum(size.left, size.right);
    }
    fail_check("unknown kind of size", location::current());
}

}  // namespace sinter::ir
