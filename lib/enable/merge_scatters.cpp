// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/merge_scatters.hpp"

#include "enable/merge/merge_alike.hpp"
#include "enable/tuning.hpp"
#include "ir/builder.hpp"
#include "opt/trim.hpp"

#include <numeric>

namespace sinter::enable {

using namespace ir;

namespace {

/// The operators side by side: the accumulators of both, the values of both, the scalars of both.
Fn side_by_side(const Scatter& a, const Scatter& b) {
    const std::size_t n = a.dests.size(), m = b.dests.size(), s = a.captures.scalars.size(), t = b.captures.scalars.size();
    const std::vector<Scalar>&x = a.op->body.params, &y = b.op->body.params;
    std::vector<Scalar> params;
    std::vector<Local> of_a(x.size()), of_b(y.size());
    auto add = [&](const std::vector<Scalar>& from, std::vector<Local>& to, std::size_t first, std::size_t count) {
        for (std::size_t k = first; k < first + count; ++k) to[k] = Local(params.size()), params.push_back(from[k]);
    };
    add(x, of_a, 0, n), add(y, of_b, 0, m);
    add(x, of_a, n, n), add(y, of_b, m, m);
    add(x, of_a, 2 * n, s), add(y, of_b, 2 * m, t);
    Fn fn{a.op->arrays, {}};
    fn.arrays.insert(fn.arrays.end(), b.op->arrays.begin(), b.op->arrays.end());
    std::vector<std::size_t> slots(b.op->arrays.size());
    std::iota(slots.begin(), slots.end(), a.op->arrays.size());
    BlockBuilder builder;
    builder.open(params);
    std::vector<Local> results = inline_block(builder, a.op->body, std::move(of_a));
    const std::vector<Local> more =
        inline_block(builder, b.op->body, std::move(of_b), opt::renumber_arrays(std::move(slots)));
    results.insert(results.end(), more.begin(), more.end());
    fn.body = builder.close(std::move(results));
    return fn;
}

void append_all(std::vector<ValueId>& to, const std::vector<ValueId>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void add_operands(Scatter& into, const Scatter& other) {
    into.op = side_by_side(into, other);
    append_all(into.dests, other.dests);
    append_all(into.values, other.values);
    append_all(into.captures.scalars, other.captures.scalars);
    append_all(into.captures.arrays, other.captures.arrays);
}

class Rule final : public MergeRule {
  public:
    bool is_one(const Binding& binding) const override { return std::holds_alternative<Scatter>(binding.op); }
    bool can_merge(const SizeTable&, const Placed& one, const Placed& other) const override {
        const auto &a = std::get<Scatter>(one.binding.op), &b = std::get<Scatter>(other.binding.op);
        return a.op && b.op && a.indices == b.indices && a.drops == b.drops &&
               one.binding.types[0].shape == other.binding.types[0].shape;
    }
    void merge(Binding& into, const Binding& other) const override {
        add_operands(std::get<Scatter>(into.op), std::get<Scatter>(other.op));
    }
    std::size_t common() const override { return 0; }
    bool takes_extents() const override { return false; }
    std::size_t most_arrays() const override { return tuning::most_scattered; }
};

}  // namespace

Program merge_scatters(Program program) { return merge_alike(std::move(program), Rule()); }

}  // namespace sinter::enable
