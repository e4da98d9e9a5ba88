// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One attempt at lowering, with given runs of axes. lower.cpp has the kernel as a whole, attempt_loops.cpp its loops,
/// attempt_memory.cpp what it keeps and writes.
#pragma once

#include "ir/program.hpp"
#include "lower/attempt/form.hpp"
#include "lower/attempt/kept_rows.hpp"
#include "lower/index/collapse.hpp"
#include "lower/lower.hpp"
#include "lower/pull.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sinter::lower {

class Attempt {
  public:
    Attempt(const ir::Program& program, const Form& form, const Options& options, const std::set<std::size_t>& cuts)
        : program_(program),
          form_(form),
          runs_(runs(form.space.size(), form.reduced, cuts)),
          kept_(options.local_rows ? kept_rows(program, form) : KeptRows{}),
          work_(program, options, static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), is_parallel))),
          pull_(work_) {}

    Kernel run();

    const std::set<std::size_t>& cuts() const { return work_.indexing.cuts(); }

  private:
    static bool is_parallel(const Run& run) { return !run.reduced; }

    std::vector<SizeId> extents(bool reduced);
    void generate();

    /// The point of the element space at the body's parameters and these indices of the reduced runs; without indices, a
    /// point of P.
    Point make_point(const std::vector<Ref>& reduced);

    /// Stores the results of this kind at `point` of their shape; for elements, only those of one stage. Returns true if
    /// there are any.
    bool store_results(const Point& point, bool of_element, std::size_t stage = 0);
    std::size_t stage_of(ValueId id) const {
        const Definition* d = definition(id);
        return d ? form_.stages[d->binding] : 0;
    }

    const ir::Binding& binding(std::size_t k) const { return program_.body.bindings[k]; }
    template <class Op>
    const Op& op(std::size_t k) const {
        return std::get<Op>(binding(k).op);
    }
    /// The variable for result r of binding k.
    ValueId variable(std::size_t k, std::size_t r = 0) const {
        std::size_t level = program_.body.params.size();
        for (std::size_t i = 0; i < k; ++i) level += binding(i).types.size();
        return ValueId(level + r);
    }

    // Folds and scans become one instruction, whose operator is the product of theirs.

    using Loops = std::vector<std::size_t>;  ///< bindings

    template <class Op>
    std::vector<Scalar> state_types(const Loops& loops) const {
        std::vector<Scalar> types;
        for (std::size_t k : loops)
            for (ValueId arg : op<Op>(k).args) types.push_back(work_.types[arg.index].scalar);
        return types;
    }

    template <class Op>
    std::vector<Ref> loop_operands(const Loops& loops);

    template <class Op>
    std::vector<Ref> elements_at(const Loops& loops, const Point& point);

    /// `swapped`: the right operand comes first.
    template <class Op>
    RegionId combine_region(const Loops& loops, bool swapped = false);
    std::size_t last_stage() const {
        std::size_t last = 0;
        for (std::size_t k : form_.loops) last = std::max(last, form_.stages[k]);
        for (std::size_t k = 0; k < form_.of_element.size(); ++k)
            if (form_.of_element[k]) last = std::max(last, stage_of(program_.body.results[k]));
        for (std::size_t k : form_.outer)
            if (is_of_elements(k)) last = std::max(last, form_.stages[k]);
        return last;
    }

    // Rows that one pass keeps for later ones.

    void load_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point);
    void store_kept(const std::vector<Ref>& indices, std::size_t stage, const Point& point);

    template <class Visit>
    void for_each_kept(Visit visit);
    bool keeps(std::size_t stage) const {
        return std::any_of(kept_.begin(), kept_.end(), [&](const KeptRow& row) { return row.stage == stage; });
    }

    /// The offset of an element in its row.
    Ref row_offset(const std::vector<Ref>& indices);

    /// One pass over the elements: executes the folds of a stage, or, if it has none, only stores what it has to. A second
    /// pass follows for outer folds, if the stage has any, while the row is near.
    void pass(std::size_t stage);
    void for_each(std::size_t stage, bool stores);
    void reduce(const Loops& folds, std::size_t stage);

    // Outer folds.

    bool is_of_elements(std::size_t outer) const {
        return work_.types[op<ir::Fold>(outer).args[0].index].shape == form_.space;
    }
    /// Whether there are any of the elements, of this stage.
    bool accumulates(std::size_t stage) const;
    /// The point's contribution to an outer fold.
    void accumulate(std::size_t outer, const Point& point);
    void accumulate(std::size_t outer, const Point& point, std::vector<Ref> values);
    std::vector<Accumulator> accumulators() const;

    void scan();
    void recur();
    std::vector<Ref> next_states(RegionId step, const Point& point);
    void add_up(RegionId step, const Point& point, std::vector<Ref>& next);
    Point scan_point(const ir::Scan& scan, Ref extent, Ref index);

    /// Defines the prefixes at the point, and stores those that are wanted.
    RegionId emit_region(const ir::Scan& scan, Ref extent, const std::vector<Scalar>& types);

    /// The buffer for result r of binding k, if that is a result of the program.
    std::optional<std::size_t> buffer_of(std::size_t k, std::size_t r) const;

    /// Kept arrays are adjacent among the results, because they are results of one binding.
    void compact();

    /// Writes the values of one point to the destination of a scatter, unless they are dropped.
    void scatter(std::size_t k);
    void write(std::size_t k, const ir::Scatter& scatter, const std::vector<Ref>& index);
    RegionId update_region(std::size_t k, const ir::Scatter& scatter);
    std::vector<Buffer> buffers();
    const Definition* definition(ValueId id) const;

    /// The shape of a result; for what a compact keeps, that of everything it looks at.
    const ir::Shape& room_for(ValueId id) const;

    /// The input of which a result is an updated version.
    std::optional<std::size_t> destination(ValueId id) const;

    /// The operations in order, for example "map_fold"; views are left out if there is anything else.
    std::string name() const;

    const ir::Program& program_;
    const Form& form_;
    std::vector<Run> runs_;
    KeptRows kept_;
    Workspace work_;
    Pull pull_;
    Point point_;  ///< the point of the body: that of E, without the axes of a loop
    Kernel kernel_;
};

}  // namespace sinter::lower
