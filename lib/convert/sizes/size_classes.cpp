// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Congruence closure (Downey, Sethi and Tarjan, Variations on the common subexpression problem, 1980): when two classes
// become one, the users of the class with fewer of them are looked up again by the classes of their operands, and those
// found equal are merged in turn.
//
// Representatives: the graph with an edge from each class to the classes of its representative's operands has no cycle. Of
// two classes that become one, at least one can provide its representative: if each reached the other, there would have been
// a cycle before.
//
// An equation is checked where both of its sides can be computed. A size is equal to the representative of its class
// wherever it can be written. This holds when representatives are merged, because the one with less reach stands for the
// other. A size that is found to be congruent is equal where it can be written itself; where it is represented by another,
// that equation is implied.
#include "convert/sizes/size_classes.hpp"

#include "ir/sizes/size_arithmetic.hpp"

#include <algorithm>

namespace sinter::convert {

using Kind = Size::Kind;

std::uint32_t SizeClasses::find(SizeId id) {
    std::uint32_t root = id.index;
    while (parents_[root] != root) root = parents_[root] = parents_[parents_[root]];
    return root;
}

/// The same for commutative operations with their operands in either order.
std::uint64_t SizeClasses::signature(const Size& size) {
    std::uint64_t left = find(size.left), right = find(size.right);
    if (size.kind != Kind::sub && size.kind != Kind::ceil_div && left > right) std::swap(left, right);
    return static_cast<std::uint64_t>(size.kind) << 60 | left << 30 | right;
}

// Entering

std::uint32_t SizeClasses::class_of(const Table& table, SizeId id) {
    while (parents_.size() < table.count()) enter(table, SizeId(parents_.size()));
    return find(id);
}

/// Operands are entered before the sizes made from them.
void SizeClasses::enter(const Table& table, SizeId id) {
    const Size& size = table[id];
    parents_.push_back(id.index);
    visited_.push_back(0);
    Class& own = classes_.emplace_back();
    own.representative = id;
    own.reach = reach(size);
    if (size.kind == Kind::constant) {
        own.known = size.index;
        own.nonnegative = size.index >= 0;
    } else if (is_symbol(size)) {
        own.nonnegative = size.kind == Kind::input_extent;
    } else {
        enter_compound(table, id);
    }
}

void SizeClasses::enter_compound(const Table& table, SizeId id) {
    const Size& size = table[id];
    Class &own = classes_[id.index], &left = classes_[find(size.left)], &right = classes_[find(size.right)];
    if (left.known && right.known) own.known = ir::apply(size.kind, *left.known, *right.known);
    own.nonnegative = size.kind == Kind::maximum ? left.nonnegative || right.nonnegative
                                                 : size.kind != Kind::sub && left.nonnegative && right.nonnegative;
    left.users.push_back(id);
    if (&left != &right) right.users.push_back(id);
    const std::uint64_t key = signature(size);
    if (std::uint32_t found = signatures_.find(key); found != HashTable::none)
        join_congruent(table, id, find(SizeId(found)));
    else
        signatures_.insert(key, id.index);
}

/// The size becomes the representative if it can be written where the current one cannot.
void SizeClasses::join_congruent(const Table& table, SizeId id, std::uint32_t number) {
    Class &own = classes_[id.index], &found = classes_[number];
    if (own.reach < found.reach && !is_made_of(table, id, number)) {
        implied_.emplace_back(id, found.representative);
        found.representative = id;
        found.reach = own.reach;
        ++merges_;
    }
    parents_[id.index] = number;
}

// Representatives

SizeClasses::Reach SizeClasses::reach(const Size& size) {
    if (size.kind == Kind::value) return {size.index, true};
    if (!is_compound(size)) return {};
    const Reach &left = classes_[find(size.left)].reach, &right = classes_[find(size.right)].reach;
    return {std::max(left.last_place, right.last_place), left.mentions_value || right.mentions_value};
}

/// The least size is the representative. A symbol is represented by an expression of other symbols, unless these are values.
SizeClasses::Order SizeClasses::order(const Size& size, SizeId id, const Reach& reach) {
    auto rank = [&] {
        switch (size.kind) {
            case Kind::constant:
                return 0;
            case Kind::input_extent:
                return 2;
            case Kind::argument:
                return 3;
            case Kind::value:
                return 4;
            default:
                return reach.mentions_value ? 5 : 1;
        }
    };
    return {reach.last_place, reach.last_place < 0 ? rank() : 0, id};
}

/// True if the operands of `compound`, replaced by representatives, mention the class.
bool SizeClasses::is_made_of(const Table& table, SizeId compound, std::uint32_t number) {
    ++walks_;
    std::vector<SizeId> stack{compound};
    while (!stack.empty()) {
        const Size& size = table[stack.back()];
        stack.pop_back();
        if (!is_compound(size)) continue;
        for (SizeId operand : {size.left, size.right}) {
            std::uint32_t root = find(operand);
            if (root == number) return true;
            if (std::exchange(visited_[root], walks_) != walks_) stack.push_back(classes_[root].representative);
        }
    }
    return false;
}

/// True if a's representative stands for both classes; otherwise it is b's.
bool SizeClasses::stands_for_both(const Table& table, std::uint32_t a, std::uint32_t b) {
    SizeId x = classes_[a].representative, y = classes_[b].representative;
    bool first = order(table[x], x, classes_[a].reach) < order(table[y], y, classes_[b].reach);
    return first ? !is_made_of(table, x, b) : is_made_of(table, y, a);
}

// Merging

bool SizeClasses::merge(const Table& table, SizeId a, SizeId b) {
    std::uint32_t left = class_of(table, a), right = class_of(table, b);
    bool first = stands_for_both(table, left, right);
    ++merges_;
    equal_.emplace_back(classes_[left].representative, classes_[right].representative);
    merge_equal(table);
    return first;
}

void SizeClasses::merge_equal(const Table& table) {
    while (!equal_.empty()) {
        auto [a, b] = equal_.back();
        equal_.pop_back();
        std::uint32_t left = find(a), right = find(b);
        if (left == right) continue;
        SizeId x = classes_[left].representative, y = classes_[right].representative;
        if (x != a || y != b) implied_.emplace_back(x, y);
        bool more = classes_[left].users.size() >= classes_[right].users.size();
        join(table, more ? left : right, more ? right : left);
    }
}

/// Class `left` becomes part of `kept`.
void SizeClasses::join(const Table& table, std::uint32_t kept, std::uint32_t left) {
    const bool keeps = stands_for_both(table, kept, left);
    Class& own = classes_[kept];
    Class other = std::move(classes_[left]);
    if (!keeps) own.representative = other.representative, own.reach = other.reach;
    own.nonnegative = own.nonnegative || other.nonnegative;
    if (!own.known) own.known = other.known;
    parents_[left] = kept;
    for (SizeId user : other.users) {
        const std::uint64_t key = signature(table[user]);
        if (std::uint32_t found = signatures_.find(key); found != HashTable::none) {
            equal_.emplace_back(SizeId(found), user);  // it is a user itself: one of the two is enough
        } else {
            signatures_.insert(key, user.index);
            own.users.push_back(user);
        }
    }
}

}  // namespace sinter::convert
