// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A resolved size is the representative of its class with resolved operands; this terminates because no representative is
// made of itself. Every traversal of an expression has an explicit stack, because a size may be as deep as the program is
// long.
#include "convert/sizes/equalities.hpp"

#include <tuple>

namespace sinter::convert {

using Kind = Size::Kind;

void Equalities::set_known(SizeId symbol, std::int64_t value) {
    classes_.set_known(class_of(symbol), value);
    if (value >= 0) set_nonnegative(symbol);
}

bool Equalities::is_nonnegative(SizeId id) {
    const std::uint32_t number = class_of(id);
    return classes_.is_nonnegative(number) || classes_.known(number).value_or(-1) >= 0;
}

bool Equalities::mentions_value(SizeId id) {
    for (std::size_t k = mentions_.size(); k < table.count(); ++k) {
        const Size& size = table[SizeId(k)];
        mentions_.push_back(size.kind == Kind::value ||
                            (is_compound(size) && (mentions_[size.left.index] || mentions_[size.right.index])));
    }
    return mentions_[id.index];
}

Equalities::Resolved& Equalities::resolved(SizeId id) {
    const std::uint32_t number = class_of(id);
    if (resolved_.size() <= number) resolved_.resize(table.count());
    return resolved_[number];
}

/// The representative with resolved operands. Its normal form may be in another class; then that class is resolved, unless
/// this is already in progress.
SizeId Equalities::rebuilt(SizeId representative) {
    Size size = table[representative];
    size.left = resolved(size.left).form;
    size.right = resolved(size.right).form;
    return table.intern(size);
}

SizeId Equalities::resolve(SizeId id) {
    if (classes_.merges() == 0) return id;
    if (SizeId form = classes_.representative(class_of(id)); !is_compound(table[form])) return form;
    std::vector<SizeId> stack{id};
    while (!stack.empty()) {
        const SizeId top = stack.back();
        const SizeId representative = classes_.representative(class_of(top));
        const Size size = table[representative];
        SizeId form = representative;
        if (is_resolved(top)) {
            stack.pop_back();
            continue;
        }
        if (is_compound(size)) {
            resolved(top).begun = true;
            const std::size_t before = stack.size();
            for (SizeId operand : {size.left, size.right})
                if (!is_resolved(operand)) stack.push_back(operand);
            if (stack.size() > before) continue;
            form = rebuilt(representative);
            if (class_of(form) != class_of(top)) {
                const Resolved& other = resolved(form);
                if (!is_resolved(form) && !other.begun) {
                    stack.push_back(form);
                    continue;
                }
                if (is_resolved(form)) form = other.form;
            }
        }
        resolved(top) = {form, classes_.merges() + 1, false};
        stack.pop_back();
    }
    return resolved(id).form;
}

/// Learns from both sides of an equation that was found.
void Equalities::learn(SizeId a, SizeId b) {
    if (class_of(a) != class_of(b)) classes_.merge(table, a, b);
}

/// Removes an equal summand from both sides.
bool Equalities::strip(SizeId& a, SizeId& b) const {
    const Size left = table[a], right = table[b];
    if (left.kind != right.kind || (left.kind != Kind::add && left.kind != Kind::sub)) return false;
    if (left.right == right.right)
        std::tie(a, b) = std::pair(left.left, right.left);
    else if (left.left == right.left)
        std::tie(a, b) = std::pair(left.right, right.right);
    else
        return false;
    return true;
}

bool Equalities::proves(SizeId a, SizeId b) {
    if (class_of(a) == class_of(b)) return true;
    a = resolve(a);
    b = resolve(b);
    while (class_of(a) != class_of(b))
        if (!strip(a, b)) return false;
    return true;
}

Equalities::Answer Equalities::unify(SizeId a, SizeId b) {
    if (class_of(a) == class_of(b)) return {Outcome::proved, {a, b}};
    const SizeId first = a, second = b;
    a = resolve(a);
    b = resolve(b);
    learn(first, a);
    learn(second, b);
    while (class_of(a) != class_of(b)) {
        auto x = known(a), y = known(b);
        if (x && y && *x != *y) return {Outcome::contradiction, {a, b}};
        if (strip(a, b)) continue;
        if (classes_.merge(table, a, b)) std::swap(a, b);
        return {Outcome::assumed, {a, b}};
    }
    return {Outcome::proved, {a, b}};
}

}  // namespace sinter::convert
