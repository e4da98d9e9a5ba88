// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computed indices that are inside an array in every call: x + 1 < n where x < n - 2. An index is a linear form of other
// indices, whose ranges are known, and of sizes; its least and its most value are forms of sizes alone. A check that always
// holds would cost a branch per element, and in code that is written out for several steps or rows one for each of them.
#include "lower/index/point.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::combine;
using ir::LinearForm;
using ir::MaybeForm;
using ir::Term;

/// All that a proof uses is known wherever the index is: an index that is less than some extent exists only if there is one.
class Indexing::Proof {
  public:
    explicit Proof(Indexing& indexing) : in_(indexing) {}

    bool run(Ref index, SizeId extent, const Point& beside) {
        const LinearForm one{{}, 1};
        add_facts(index, deepest);
        for (const Segment& segment : beside.segments) add_facts(segment.index, deepest, true);
        return is_at_least(index, deepest) && is_at_most(index, combine(in_.forms_.of(extent), -1, one), deepest);
    }

    /// The form of an index, whose terms of kind axis are indices with known ranges.
    MaybeForm form(Ref index, int depth = deepest) {
        if (const std::uint64_t* constant = in_.graph_.constant_bits(index))
            return combine(LinearForm{}, 1, LinearForm{{}, static_cast<std::int64_t>(*constant)});
        const Node& node = in_.graph_[index.node];
        if (depth > 0 && !node.parameters) {
            auto operand = [&](std::size_t k) { return form(node.operands[k], depth - 1); };
            if (node.op == Op::size) return in_.forms_.of(SizeId(node.bits));
            if (node.op == Op::add) return combine(operand(0), 1, operand(1));
            if (node.op == Op::sub) return combine(operand(0), -1, operand(1));
            if (node.op == Op::mul) return product(operand(0), operand(1));
        }
        return count_of(index) ? MaybeForm(LinearForm{{{term(index), 1}}, 0}) : std::nullopt;
    }

  private:
    static constexpr int deepest = 8;  ///< operations of an index that are looked into, one in the other

    static Term term(Ref index) {
        return {Term::Kind::axis, std::size_t{index.node.index} << 32 | std::size_t{index.result}};
    }
    static Ref index_of(const Term& term) {
        return {NodeId(term.index >> 32), static_cast<std::uint32_t>(term.index & 0xffffffffu)};
    }

    /// What the index is less than.
    MaybeForm count_of(Ref index) {
        if (const auto known = in_.ranges_.find(key(index)); known != in_.ranges_.end()) return in_.forms_.of(known->second);
        const auto known = in_.counts_.find(key(index));
        return known != in_.counts_.end() ? MaybeForm(known->second) : std::nullopt;
    }

    /// An index that has passed its check is 0 where that has failed. `of_points`: only what holds at all points of the
    /// kernel, for an index that may be computed before the loops around it.
    void add_facts(Ref index, int depth, bool of_points = false) {
        const Node& node = in_.graph_[index.node];
        const bool is_point = index.node == in_.graph_[Graph::root()].parameters;
        const bool is_checked = !node.parameters && node.op == Op::check_index;
        const MaybeForm last = combine(count_of(index), -1, LinearForm{{}, 1});
        if (last && !is_checked && (is_point || !of_points)) facts_.push_back(*last);
        if (depth == 0 || node.parameters || !node.regions.empty() || node.op == Op::load) return;
        for (Ref operand : node.operands) add_facts(operand, depth - 1, of_points);
    }

    bool is_at_least(Ref index, int depth) {
        if (const auto* sides = sides_of(index, Op::maximum); sides && depth > 0)
            return is_at_least((*sides)[0], depth - 1) || is_at_least((*sides)[1], depth - 1);
        if (const auto* sides = sides_of(index, Op::minimum); sides && depth > 0)
            return is_at_least((*sides)[0], depth - 1) && is_at_least((*sides)[1], depth - 1);
        return is_never_negative(bound(form(index), false));
    }

    bool is_at_most(Ref index, const MaybeForm& most, int depth) {
        if (const auto* sides = sides_of(index, Op::minimum); sides && depth > 0)
            return is_at_most((*sides)[0], most, depth - 1) || is_at_most((*sides)[1], most, depth - 1);
        if (const auto* sides = sides_of(index, Op::maximum); sides && depth > 0)
            return is_at_most((*sides)[0], most, depth - 1) && is_at_most((*sides)[1], most, depth - 1);
        return is_never_negative(combine(most, -1, bound(form(index), true)));
    }

    const std::vector<Ref>* sides_of(Ref index, Op op) const {
        const Node& node = in_.graph_[index.node];
        return !node.parameters && node.op == op ? &node.operands : nullptr;
    }

    /// The least or most value, in terms of sizes. Counts of inner loops are forms of the indices of outer ones.
    MaybeForm bound(MaybeForm form, bool most) {
        while (form) {
            const auto last = std::find_if(form->factors.rbegin(), form->factors.rend(),
                                           [](const auto& part) { return part.first.kind == Term::Kind::axis; });
            if (last == form->factors.rend()) break;
            const auto [term, factor] = *last;
            form->factors.erase(term);
            if ((factor > 0) == most)
                form = combine(combine(form, factor, count_of(index_of(term))), -factor, LinearForm{{}, 1});
        }
        return form;
    }

    bool is_never_negative(const MaybeForm& form) {
        return is_sum_of_extents(form) || std::any_of(facts_.begin(), facts_.end(), [&](const LinearForm& fact) {
                   return is_sum_of_extents(combine(form, -1, fact));
               });
    }

    bool is_sum_of_extents(const MaybeForm& form) const {
        return form && form->constant >= 0 && std::all_of(form->factors.begin(), form->factors.end(), [&](const auto& part) {
                   return part.second > 0 && part.first.kind == Term::Kind::size &&
                          in_.extents_.contains(SizeId(part.first.index));
               });
    }

    Indexing& in_;
    std::vector<LinearForm> facts_;  ///< forms of what is not negative
};

bool Indexing::is_proven(Ref index, SizeId extent, const Point& beside) { return Proof(*this).run(index, extent, beside); }

void Indexing::set_count(Ref index, Ref count) {
    if (const MaybeForm form = Proof(*this).form(count)) counts_.emplace(key(index), *form);
}

/// The forms of sizes do not ask for the types of variables.
const ir::Type& Indexing::no_type() {
    static const ir::Type& none = *new ir::Type{};  // without a destructor that runs at the end of the process
    return none;
}

}  // namespace sinter::lower
