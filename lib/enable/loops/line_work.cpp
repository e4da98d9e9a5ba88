// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/line_work.hpp"

#include "opt/hoist_function.hpp"

#include <algorithm>
#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

using Positions = std::vector<std::size_t>;

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
        std::vector<opt::Variation> varies(params, 1);
        std::fill(varies.begin() + static_cast<std::ptrdiff_t>(scalars), varies.end(), 0);
        Positions lines;
        for (std::size_t k = 0; k < given; ++k)
            if (rest.lines[k] == axes) lines.push_back(k), varies[first + k] = 0;
        auto hoisted = opt::hoist_known(rest.fn, varies, 0, opt::Worth::expensive);
        if (!hoisted) return;
        const std::size_t results = hoisted->known.body.results.size();
        rest.fn = opt::with_last_moved(hoisted->fn, results, scalars);
        rest.lines.insert(rest.lines.end(), results, axes);
        result_.work.push_back({std::move(axes), std::move(lines), std::move(hoisted->known)});
    }

    SplitBoxFunction result_;
};

}  // namespace

SplitBoxFunction split_lines(BoxFunction function) { return Splitter(std::move(function)).run(); }

}  // namespace sinter::enable
