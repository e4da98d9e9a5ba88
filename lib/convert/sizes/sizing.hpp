// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// size() as a walk over the terms. Its type rules are in sizes.cpp, those of control flow in sizes_control.cpp.
#pragma once

#include "convert/requirements.hpp"
#include "convert/sizes/changing.hpp"
#include "convert/sizes/given_sizes.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace sinter::convert {

class Sizing {
  public:
    explicit Sizing(const Pruned& pruned) : pruned_(pruned), require_(out_, has_branches()) {}
    /// Nothing if states of loops have to change extents that they do not change in `pruned`.
    std::optional<Sized> run();
    const std::vector<Changing>& changing() const { return changing_; }

  private:
    // Of `term_`, the term being sized.
    const Use& use(std::size_t k) const { return uses_[k]; }
    /// What the user called.
    std::string name() const { return front::name_of(*pruned_[term_].node); }
    std::span<const SizeId> shape_of(const Use& use) const { return out_.shape(pruned_.variable(use)); }
    front::Extent front_extent(const Use& use, std::size_t axis) const {
        return pruned_[use.term].node->types[use.result].shape[axis];
    }

    bool has_branches() const {
        return std::any_of(pruned_.terms.begin(), pruned_.terms.end(),
                           [](const Term& term) { return std::holds_alternative<front::Cond>(term.node->op); });
    }
    void size_term(TermId id);
    void settle();
    void results_of(const front::NodeOp& op);
    void parameter();
    void add(std::span<const SizeId> shape);
    void add_copies(std::span<const SizeId> shape, std::size_t count);
    void inputs();

    void map(const front::Map& op);
    void fold(const front::Fold& op);
    void slice(const front::Slice& op);
    void reverse(const front::Reverse& op);
    void broadcast(const front::Broadcast& op);
    void reshape(const front::Reshape& op);
    void gather(const front::Gather& op);
    void cond();
    void loop(const front::Loop& op);
    void scan(const front::Scan& op);
    void compact(const front::Compact& op);
    void scatter(const front::Scatter& op);
    void foreign();
    void vmap(const front::Vmap& op);
    void joined(std::span<const Use> results, SizeId extent);
    void derivative(const front::Derivative& op);
    void custom(const front::Custom& op);
    const Use& given_to(const front::Custom& op, ScopeId scope, std::size_t position) const;
    void rows(const front::Rows& op);
    void pad(const front::Pad& op);

    void states(const Scope& scope, const front::Loop& op);
    template <class Describe>
    bool has_extent(const Use& array, const Use& like, std::size_t axis, Describe describe);
    void keep_extent(const Use& init, const Use& next, std::size_t axis, TermId parameter, const std::string& what);
    bool change_around(TermId id);
    void add_with_changing(std::span<const SizeId> shape, TermId term, std::uint64_t changing, std::uint32_t& variable);
    void same_shapes(std::size_t first, std::size_t count, const char* noun);

    SizeId extent_operand(const front::SizeOperand& operand, const Use*& next);
    SizeId start_operand(const front::SizeOperand& operand, const Use*& next);
    SizeId product(std::span<const SizeId> shape);
    SizeId index_of_last(SizeId start, SizeId extent, std::int64_t step);

    const Pruned& pruned_;
    Sized out_;
    Requirements require_;
    GivenSizes given_{pruned_, out_};
    std::vector<Changing> changing_;
    TermId term_;
    std::span<const Use> uses_;
    std::vector<SizeId> scratch_;
};

}  // namespace sinter::convert
