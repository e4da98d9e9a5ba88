// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/line_work.hpp"

#include "ir/builder.hpp"
#include "opt/hoist_function.hpp"

#include <algorithm>
#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

using Positions = std::vector<std::size_t>;

/// The function whose parameter k is the old one's parameter order[k].
Fn permuted(const Fn& fn, const Positions& order) {
    std::vector<Scalar> params;
    std::vector<Local> known(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        params.push_back(fn.body.params[order[k]]);
        known[order[k]] = Local(k);
    }
    BlockBuilder builder;
    builder.open(params);
    return canonical({fn.arrays, builder.close(inline_block(builder, fn.body, std::move(known)))});
}

Positions inverse(const Positions& order) {
    Positions result(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) result[order[k]] = k;
    return result;
}

class Splitter {
  public:
    explicit Splitter(BoxFunction function) { result_.rest = std::move(function); }

    SplitBoxFunction run() {
        BoxFunction& rest = result_.rest;
        if (auto hoisted = opt::hoist_scalars(rest.fn, rest.scalars)) {
            rest.scalars += hoisted->known.body.results.size();
            rest.fn = std::move(hoisted->fn);
            result_.scalars = std::move(hoisted->known);
        }
        const std::size_t given = rest.lines.size();
        for (std::size_t k = 0; k < given; ++k) {
            const auto before = rest.lines.begin() + static_cast<std::ptrdiff_t>(k);
            if (std::find(rest.lines.begin(), before, rest.lines[k]) == before) split(Positions(rest.lines[k]), given);
        }
        return std::move(result_);
    }

  private:
    /// Separates what depends on the first `given` lines along these axes.
    void split(Positions axes, std::size_t given) {
        BoxFunction& rest = result_.rest;
        const std::size_t params = rest.fn.body.params.size(), scalars = params - rest.scalars;
        const std::size_t first = scalars - rest.lines.size();
        Positions lines, order;
        for (std::size_t k = 0; k < given; ++k)
            if (rest.lines[k] == axes) lines.push_back(k);
        const auto is_one = [&](std::size_t k) { return std::count(lines.begin(), lines.end(), k - first) > 0; };
        for (std::size_t k = 0; k < scalars; ++k)
            if (k < first || !is_one(k)) order.push_back(k);
        for (std::size_t k : lines) order.push_back(first + k);
        for (std::size_t k = scalars; k < params; ++k) order.push_back(k);
        auto hoisted = opt::hoist_scalars(permuted(rest.fn, order), lines.size() + rest.scalars);
        if (!hoisted) return;
        const std::size_t results = hoisted->known.body.results.size();
        Positions back = inverse(order);  // with the results behind the lines
        for (std::size_t k = 0; k < results; ++k)
            back.insert(back.begin() + static_cast<std::ptrdiff_t>(scalars + k), params + k);
        rest.fn = permuted(hoisted->fn, back);
        rest.lines.insert(rest.lines.end(), results, axes);
        result_.work.push_back({std::move(axes), std::move(lines), std::move(hoisted->known)});
    }

    SplitBoxFunction result_;
};

}  // namespace

SplitBoxFunction split_lines(BoxFunction function) { return Splitter(std::move(function)).run(); }

}  // namespace sinter::enable
