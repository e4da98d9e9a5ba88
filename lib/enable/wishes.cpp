// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/wishes.hpp"

#include "enable/index/gathered_folds.hpp"
#include "enable/index/index_reads.hpp"
#include "enable/index/turned_reads.hpp"
#include "enable/loops/blocked_steps.hpp"
#include "enable/loops/loop_wishes.hpp"
#include "enable/loops/partial_steps.hpp"

#include "ir/sizes/size_parts.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::enable {

using namespace ir;

namespace {

/// One size for each class of equal sizes: the first.
class Classes {
  public:
    explicit Classes(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    SizeId find(SizeId id) const {
        while (parent_[id.index] != id.index) id = SizeId(parent_[id.index]);
        return id;
    }
    void join(SizeId a, SizeId b) {
        a = find(a), b = find(b);
        parent_[std::max(a.index, b.index)] = std::min(a.index, b.index);
    }

  private:
    std::vector<std::size_t> parent_;
};

/// The table with one symbol per class, and the new ids of its entries.
std::pair<SizeTable, std::vector<SizeId>> merged(const SizeTable& sizes, const Classes& classes) {
    SizeTable table;
    std::vector<SizeId> to;
    for (std::size_t k = 0; k < sizes.count(); ++k) {
        const SizeId first = classes.find(SizeId(k));
        Size size = sizes[first];
        if (size.left.valid()) size.left = to[size.left.index], size.right = to[size.right.index];
        to.push_back(first.index < k ? to[first.index] : table.intern(size));
    }
    return {std::move(table), std::move(to)};
}

template <class Visit>
void for_each_size_of(Body& body, Visit visit) {
    auto types = [&](std::vector<Type>& list) {
        for (Type& type : list) std::for_each(type.shape.begin(), type.shape.end(), visit);
    };
    types(body.params);
    for (Binding& binding : body.bindings) {
        types(binding.types);
        for_each_size(binding.op, visit);
        if (auto* bodies = bodies_of(binding.op))
            for (Body& nested : *bodies) for_each_size_of(nested, visit);
    }
    for (Guard& guard : body.guards) visit(guard.left), visit(guard.right);
}

Program unify(Program program, std::span<const Wish> holding) {
    Classes classes(program.sizes.count());
    for (const Wish& wish : holding)
        for (auto [a, b] : wish.equal) classes.join(a, b);
    auto [table, to] = merged(program.sizes, classes);
    const std::vector<SizeId>& names = to;
    for_each_size_of(program.body, [&](SizeId& id) { id = names[id.index]; });
    program.sizes = std::move(table);
    return program;
}

bool is_given(const SizeTable& sizes, SizeId id, std::size_t inputs) {
    bool given = true;
    for_each_value(sizes, id, [&](ValueId value) { given = given && value.index < inputs; });
    return given;
}

/// True if the wish is only about sizes to which a call gives values.
bool is_answerable(const Program& program, const Wish& wish) {
    auto given = [&](SizeId id) { return is_given(program.sizes, id, program.body.params.size()); };
    return std::all_of(wish.equal.begin(), wish.equal.end(),
                       [&](auto& pair) { return given(pair.first) && given(pair.second); }) &&
           std::all_of(wish.low.begin(), wish.low.end(), given) && std::all_of(wish.high.begin(), wish.high.end(), given) &&
           std::all_of(wish.at_most.begin(), wish.at_most.end(),
                       [&](const AtMost& each) { return given(each.low) && given(each.high); });
}

}  // namespace

std::vector<Wish> wishes(Program& program) {
    std::vector<Wish> all = wishes_of_index_reads(program), result;
    for (const std::vector<Wish>& more : {wishes_of_gathered_folds(program), wishes_of_turned_reads(program),
                                          wishes_of_loops(program), wishes_of_blocked_steps(program)})
        all.insert(all.end(), more.begin(), more.end());
    for (WishedStep& step : wished_partial_steps(program)) all.push_back(std::move(step.wish));
    for (Wish& wish : all)
        if (is_answerable(program, wish) && std::find(result.begin(), result.end(), wish) == result.end())
            result.push_back(std::move(wish));
    return result;
}

Program assume(Program program, std::span<const Wish> holding) {
    program = turned_reads(gathered_folds(std::move(program), holding), holding);
    assume_for_loops(program, holding);
    assume_for_steps(program, holding);
    return unify(std::move(program), holding);
}

}  // namespace sinter::enable
