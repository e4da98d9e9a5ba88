// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products in Einstein's notation. Two operands are combined at a time, from the left: both are repeated along the
// axes that they lack, multiplied, and summed along the letters that neither a later operand nor the result has. Thanks to
// fusion, nothing of this is stored.
#include <sinter/detail/build.hpp>

#include "front/shape.hpp"
#include "front/traced.hpp"
#include "ir/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace sinter::front {
namespace {

/// An array whose axes have names.
struct Term {
    Leaf leaf;
    std::string letters;
};

ir::Fn binary(ir::Op op, Scalar scalar) {
    ir::BlockBuilder builder;
    builder.open({scalar, scalar});
    const ir::Local result = builder.emit(op, {ir::Local(0), ir::Local(1)});
    return {{}, builder.close({result})};
}

class Einsum {
  public:
    Einsum(std::string_view subscripts, location where) : subscripts_(subscripts), where_(where) {}

    Leaf run(std::vector<Leaf> operands) {
        parse(operands.size());
        std::vector<Term> terms;
        for (std::size_t k = 0; k < operands.size(); ++k) terms.push_back(named(std::move(operands[k]), inputs_[k]));
        for (std::size_t k = 1; k < terms.size(); ++k) terms[k] = product(terms[k - 1], terms[k], needed_after(k));
        return permuted(reduced(terms.back(), output_), output_).leaf;
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw UsageError(fmt::format("einsum: in \"{}\" {}", subscripts_, what), where_);
    }

    void parse(std::size_t count) {
        const std::size_t arrow = subscripts_.find("->");
        if (arrow == std::string::npos) refuse("the result is missing: write ->");
        inputs_.emplace_back();
        for (char c : subscripts_.substr(0, arrow)) {
            if (c == ',')
                inputs_.emplace_back();
            else
                inputs_.back() += letter(c);
        }
        for (char c : subscripts_.substr(arrow + 2)) {
            if (output_.find(letter(c)) != std::string::npos) refuse(fmt::format("the result names the axis {} twice", c));
            if (std::none_of(inputs_.begin(), inputs_.end(),
                             [c](const std::string& in) { return in.find(c) != std::string::npos; }))
                refuse(fmt::format("no array has the axis {} of the result", c));
            output_ += c;
        }
        if (inputs_.size() != count) refuse(fmt::format("there are {} arrays, not {}", inputs_.size(), count));
    }

    char letter(char c) const {
        if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) refuse(fmt::format("'{}' is no letter", c));
        return c;
    }

    /// Axes with the same name become one: the diagonal.
    Term named(Leaf leaf, const std::string& letters) {
        const std::size_t rank = type_of(leaf).shape.size();
        if (letters.size() != rank) refuse(fmt::format("an array of rank {} has {} letters", rank, letters.size()));
        std::string kept;
        for (std::size_t k = 0; k < rank; ++k) {
            if (kept.find(letters[k]) == std::string::npos) kept += letters[k];
            const Extent extent = type_of(leaf).shape[k];
            const Extent known = known_.try_emplace(letters[k], extent).first->second;
            if (known == unknown) known_[letters[k]] = extent;
            if (known != unknown && extent != unknown && known != extent)
                throw ShapeError(fmt::format("einsum: in \"{}\" the axis {} has extents {} and {}", subscripts_, letters[k],
                                             known, extent),
                                 where_);
        }
        if (kept.size() == rank) return {std::move(leaf), letters};
        ir::BlockBuilder builder;
        builder.open(std::vector<Scalar>(kept.size(), Scalar::i64));
        const Scalar scalar = type_of(leaf).scalar;
        ir::Inst read{ir::Op::read, {scalar}, 0, {}, {}};
        for (char c : letters) read.operands.push_back(ir::Local(kept.find(c)));
        const ir::Local element = builder.emit(std::move(read));
        Map map{.fn = {{{scalar, rank}}, builder.close({element})},
                .args = {},
                .captures = {{}, {leaf}},
                .indexed = true,
                .shape = {}};
        for (char c : kept) map.shape.push_back(extent_operand(leaf, letters.find(c), where_));
        std::vector<LeafType> types{{scalar, known_extents(map.shape)}};
        return {{make_node(std::move(map), std::move(types), where_, "einsum"), 0}, kept};
    }

    /// The letters of the operands from k on and of the result.
    std::string needed_after(std::size_t k) const {
        std::string needed = output_;
        for (std::size_t later = k + 1; later < inputs_.size(); ++later) needed += inputs_[later];
        return needed;
    }

    Term product(const Term& a, const Term& b, const std::string& needed) {
        // What is kept comes first, as far as possible in the order of the result; what is summed comes last, innermost.
        std::string all = a.letters;
        for (char c : b.letters)
            if (all.find(c) == std::string::npos) all += c;
        std::stable_sort(all.begin(), all.end(), [&](char x, char y) { return place(x, needed) < place(y, needed); });
        Map map{.fn = binary(ir::Op::mul, type_of(a.leaf).scalar),
                .args = {spread(a, all, b), spread(b, all, a)},
                .captures = {},
                .indexed = false,
                .shape = {}};
        std::vector<LeafType> types{{type_of(a.leaf).scalar, merged_shape(map.args)}};
        Term made;
        made.letters = all;
        made.leaf.node = make_node(std::move(map), std::move(types), where_, "einsum");
        return reduced(made, needed);
    }

    std::size_t place(char c, const std::string& needed) const {
        if (needed.find(c) == std::string::npos) return 1000;
        const std::size_t at = output_.find(c);
        return at == std::string::npos ? 500 : at;
    }

    /// The term with all these axes, some of which it has; the extents of the others are those of `like`.
    Leaf spread(const Term& term, const std::string& all, const Term& like) {
        const Term moved = permuted(term, all);
        if (moved.letters == all) return moved.leaf;
        Broadcast broadcast{moved.leaf, {}, {}};
        LeafType type{type_of(moved.leaf).scalar, {}};
        for (std::size_t axis = 0, k = 0; axis < all.size(); ++axis) {
            if (k < moved.letters.size() && moved.letters[k] == all[axis]) {
                broadcast.axes.push_back(axis);
                type.shape.push_back(type_of(moved.leaf).shape[k++]);
            } else {
                broadcast.new_extents.push_back(extent_operand(like.leaf, like.letters.find(all[axis]), where_));
                const auto* literal = std::get_if<std::int64_t>(&broadcast.new_extents.back());
                type.shape.push_back(literal ? *literal : unknown);
            }
        }
        return {make_node(std::move(broadcast), {std::move(type)}, where_, "einsum"), 0};
    }

    /// The term with its axes in the order in which `all` has them.
    Term permuted(const Term& term, const std::string& all) {
        std::string sorted = term.letters;
        std::stable_sort(sorted.begin(), sorted.end(), [&](char x, char y) { return all.find(x) < all.find(y); });
        if (sorted == term.letters) return term;
        Transpose transpose{term.leaf, {}};
        LeafType type{type_of(term.leaf).scalar, {}};
        for (char c : sorted) {
            transpose.axes.push_back(term.letters.find(c));
            type.shape.push_back(type_of(term.leaf).shape[transpose.axes.back()]);
        }
        return {{make_node(std::move(transpose), {std::move(type)}, where_, "einsum"), 0}, sorted};
    }

    /// The term summed along the axes that are not needed.
    Term reduced(const Term& term, const std::string& needed) {
        std::string kept;
        const Scalar scalar = type_of(term.leaf).scalar;
        LeafType type{scalar, {}};
        Fold fold{binary(ir::Op::add, scalar), {}, {term.leaf}, {}, {}, true};
        for (std::size_t k = 0; k < term.letters.size(); ++k) {
            if (needed.find(term.letters[k]) == std::string::npos) {
                fold.axes.push_back(k);
            } else {
                kept += term.letters[k];
                type.shape.push_back(type_of(term.leaf).shape[k]);
            }
        }
        if (fold.axes.empty()) return term;
        fold.inits.push_back(make_literal(scalar, 0, where_));
        return {{make_node(std::move(fold), {std::move(type)}, where_, "einsum"), 0}, kept};
    }

    std::string subscripts_;
    location where_;
    std::vector<std::string> inputs_;
    std::string output_;
    std::map<char, Extent> known_;
};

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

LeafRef einsum(const char* subscripts, const LeafRef* operands, std::size_t count, location where) {
    return to_ref(Einsum(subscripts, where).run(to_leaves(operands, count, where)));
}

}  // namespace sinter::detail
