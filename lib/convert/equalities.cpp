// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules are made between resolved sizes. So no rule's right side contains an earlier rule's left side, and resolving
// terminates: it follows later and later rules. Every traversal of an expression has a stack of its own: a size may be
// as deep as the program is long.
#include "convert/equalities.hpp"

#include <sinter/error.hpp>

#include <algorithm>
#include <tuple>

namespace sinter::convert {

using Kind = Size::Kind;

/// Operands are entered before what is made of them, so facts are computed in the table's order.
Equalities::Facts& Equalities::facts(SizeId id) {
    for (std::size_t i = facts_.size(); i < table.count(); ++i) {
        facts_.emplace_back();
        compute(SizeId(i));
    }
    return facts_[id.index];
}

void Equalities::compute(SizeId id) {
    const Size& size = table[id];
    Facts& f = facts_[id.index];
    if (size.kind == Kind::constant) {
        f.known = size.index;
        f.nonnegative = size.index >= 0;
    } else if (is_symbol(size)) {
        f.nonnegative = size.kind == Kind::input_extent;
        f.mentions_value = size.kind == Kind::value;
        if (f.mentions_value) f.last_local = size.index;
    } else {
        const Facts &left = facts_[size.left.index], &right = facts_[size.right.index];
        bool both = left.nonnegative && right.nonnegative;
        f.nonnegative = size.kind == Kind::maximum ? left.nonnegative || right.nonnegative : both && size.kind != Kind::sub;
        f.mentions_value = left.mentions_value || right.mentions_value;
        f.last_local = std::max(left.last_local, right.last_local);
        if (left.known && right.known) f.known = ir::apply(size.kind, *left.known, *right.known);
    }
}

void Equalities::set_known(SizeId symbol, std::int64_t value) {
    facts(symbol).known = value;
    if (value >= 0) facts(symbol).nonnegative = true;
}
std::optional<std::int64_t> Equalities::known(SizeId id) { return facts(id).known; }
void Equalities::set_nonnegative(SizeId id) { facts(id).nonnegative = true; }
void Equalities::set_global(SizeId symbol) { facts(symbol).last_local = -1; }
bool Equalities::is_nonnegative(SizeId id) {
    const Facts& f = facts(id);
    return f.nonnegative || (f.known && *f.known >= 0);
}

SizeId Equalities::resolve(SizeId id) {
    if (epoch_ == 1) return id;
    if (const Facts& f = facts(id); f.epoch == epoch_) return f.resolved;
    // Substitution enters at most one size for each there is, unless sizes are required to equal what is made of them.
    const std::size_t most = 3 * table.count() + 1000;
    std::vector<SizeId> stack{id};
    auto done = [&](SizeId s) { return facts(s).epoch == epoch_; };
    while (!stack.empty()) {
        if (table.count() > most)
            throw Limitation("extents that have to be equal are made of each other in a way that is not understood", {});
        SizeId top = stack.back();
        const Size size = table[top];
        SizeId rule = facts(top).rule, result = top;
        if (!rule.valid() && is_compound(size)) {
            bool left = done(size.left), right = done(size.right);
            if (!left) stack.push_back(size.left);
            if (!right) stack.push_back(size.right);
            if (!left || !right) continue;
            Size rebuilt = size;
            rebuilt.left = facts_[size.left.index].resolved;
            rebuilt.right = facts_[size.right.index].resolved;
            result = table.intern(rebuilt);
            if (result != top) rule = result;  // the rebuilt expression may have a rule itself
        }
        if (rule.valid()) {
            if (!done(rule)) {
                stack.push_back(rule);
                continue;
            }
            result = facts_[rule.index].resolved;
        }
        facts(top).resolved = result;
        facts(top).epoch = epoch_;
        stack.pop_back();
    }
    return facts_[id.index].resolved;
}

bool Equalities::occurs(SizeId part, SizeId whole) const {
    bool found = false;
    for_each_part(table, whole, [&](SizeId id) {
        found = found || id == part;
        return !found && id.index > part.index;  // operands are entered first
    });
    return found;
}

/// Whether `left` is the one to be replaced, not `right`: constants stay, then extents of inputs, arguments, values of
/// inputs, then expressions without values, with global, with local ones; of two of a kind the earlier. But a symbol is
/// replaced by an expression of others.
bool Equalities::is_replaced(SizeId left, SizeId right) {
    constexpr int last_symbol = 3, expression = 4, local = 6;
    auto rank = [&](SizeId id) {
        const Facts& f = facts(id);
        if (f.last_local >= 0) return local;
        switch (table[id].kind) {
            case Kind::constant:
                return 0;
            case Kind::input_extent:
                return 1;
            case Kind::argument:
                return 2;
            case Kind::value:
                return last_symbol;
            default:
                return f.mentions_value ? 5 : expression;
        }
    };
    int l = rank(left), r = rank(right);
    if (1 <= l && l <= last_symbol && r == expression) return !occurs(left, right);
    if (1 <= r && r <= last_symbol && l == expression) return occurs(right, left);
    return std::tuple(l, facts(left).last_local, left) > std::tuple(r, facts(right).last_local, right);
}

Equalities::Answer Equalities::assume(SizeId left, SizeId right) {
    if (!is_replaced(left, right) || occurs(left, right)) std::swap(left, right);
    facts(left).rule = right;
    ++epoch_;
    return {Outcome::assumed, {left, right}};
}

Equalities::Answer Equalities::unify(SizeId a, SizeId b) {
    if (a == b) return {Outcome::proved, {a, b}};
    a = resolve(a);
    b = resolve(b);
    while (a != b) {
        auto x = known(a), y = known(b);
        if (x && y && *x != *y) return {Outcome::contradiction, {a, b}};
        const Size &left = table[a], &right = table[b];
        bool sums = left.kind == right.kind && (left.kind == Kind::add || left.kind == Kind::sub);
        if (sums && left.right == right.right)
            std::tie(a, b) = std::pair(left.left, right.left);
        else if (sums && left.left == right.left)
            std::tie(a, b) = std::pair(left.right, right.right);
        else
            return assume(a, b);
    }
    return {Outcome::proved, {a, b}};
}

}  // namespace sinter::convert
