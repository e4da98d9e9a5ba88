// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sweep from the last term to the first: users come after what they use. Sizes may name inputs that come later (by
// unification), but an input uses nothing itself.
#include "convert/live.hpp"

namespace sinter::convert {

namespace {

class Marking {
  public:
    Marking(const Pruned& pruned, Sized& sized) : pruned_(pruned), sized_(sized) {
        live_.terms.resize(pruned.terms.size());
        live_.variables.resize(pruned.variables);
    }

    Live run() {
        mark_uses(pruned_.scopes[0].results);
        for (const Requirement& r : sized_.requirements) mark_size(r.left), mark_size(r.right);
        for (std::size_t t = pruned_.terms.size(); t-- > 0;)
            if (live_.terms[t]) mark_needs_of(pruned_.terms[t], sized_.starts_of[t]);
        return std::move(live_);
    }

  private:
    void mark(std::uint32_t variable) {
        live_.variables[variable] = true;
        live_.terms[sized_.term_of[variable].index] = true;
    }

    void mark_uses(Range uses) {
        for (const Use& use : pruned_.in(uses))
            if (!use.as_size) mark(pruned_.variable(use));
    }

    void mark_size(SizeId size) {
        stack_.assign(1, size);
        while (!stack_.empty()) {
            SizeId top = stack_.back();
            stack_.pop_back();
            if (marked_.size() <= top.index) marked_.resize(sized_.sizes.table.count());
            if (marked_[top.index]) continue;
            marked_[top.index] = true;
            const Size& entry = sized_.sizes.table[top];
            if (entry.kind == Size::Kind::input_extent || entry.kind == Size::Kind::value)
                mark(static_cast<std::uint32_t>(entry.index));
            if (is_compound(entry)) stack_.push_back(entry.left), stack_.push_back(entry.right);
        }
    }

    void mark_needs_of(const Term& term, Range starts) {
        mark_uses(term.uses);
        for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) mark_uses(pruned_.scopes[s].results);
        for (std::uint32_t r = 0; r < term.node->types.size(); ++r)
            for (SizeId extent : sized_.shape(term.first_variable + r)) mark_size(sized_.sizes.resolve(extent));
        for (std::uint32_t k = starts.begin; k < starts.end; ++k) mark_size(sized_.sizes.resolve(sized_.starts[k]));
    }

    const Pruned& pruned_;
    Sized& sized_;
    Live live_;
    std::vector<bool> marked_;
    std::vector<SizeId> stack_;
};

}  // namespace

Live live(const Pruned& pruned, Sized& sized) { return Marking(pruned, sized).run(); }

}  // namespace sinter::convert
