// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.hpp"

#include "ir/math/expand.hpp"
#include "ir/walk.hpp"
#include "lower/as_reduce.hpp"
#include "lower/attempt/attempt.hpp"
#include "lower/branches.hpp"
#include "lower/compact_sizes.hpp"
#include "lower/index/collapse.hpp"
#include "lower/index/implied_checks.hpp"
#include "lower/index/split_axes.hpp"
#include "lower/outputs/takes.hpp"
#include "lower/place.hpp"
#include "lower/unbranched.hpp"
#include "lower/verify.hpp"
#include "support/check.hpp"

namespace sinter::lower {

Kernel Attempt::run() {
    kernel_.space = extents(false);
    point_ = make_point({});
    generate();
    work_.graph.close({});
    kernel_.name = name();
    kernel_.buffers = buffers();
    kernel_.accumulators = accumulators();
    kernel_.body = place(work_.graph);
    kernel_.checks = work_.checks.take();
    for (SizeId id : work_.nonempty)
        if (work_.sizes[id].kind != ir::Size::Kind::constant || work_.sizes[id].index == 0) kernel_.nonempty.push_back(id);
    kernel_.sizes = work_.sizes;
    return std::move(kernel_);
}

std::vector<SizeId> Attempt::extents(bool reduced) {
    std::vector<SizeId> result;
    for (const Run& run : runs_)
        if (run.reduced == reduced) result.push_back(work_.indexing.elements(form_.space, run.first, run.first + run.count));
    return result;
}

void Attempt::generate() {
    switch (form_.pattern) {
        case Form::Pattern::map:
            store_results(point_, true);
            return;
        case Form::Pattern::fold:
            for (std::size_t stage = 0; stage <= last_stage(); ++stage) pass(stage);
            store_results(point_, false);
            for (std::size_t k : form_.outer)
                if (!is_of_elements(k)) accumulate(k, point_);
            if (form_.scatter) scatter(*form_.scatter);
            return;
        case Form::Pattern::scan:
            op<ir::Scan>(form_.loops[0]).sequential ? recur() : scan();
            store_results(point_, false);
            return;
        case Form::Pattern::compact:
            return compact();
        case Form::Pattern::scatter:
            store_results(point_, true);
            for (std::size_t k : form_.outer) accumulate(k, point_);
            return scatter(*form_.scatter);
    }
}

Point Attempt::make_point(const std::vector<Ref>& reduced) {
    Point point;
    std::size_t parallel = 0, next = 0;
    for (const Run& run : runs_) {
        if (run.reduced && reduced.empty()) continue;
        Ref index = run.reduced ? reduced[next++] : work_.graph.parameter(Graph::root(), parallel++);
        work_.indexing.set_range(index, work_.indexing.elements(form_.space, run.first, run.first + run.count));
        point.segments.push_back({run.count, index, run.first});
    }
    return point;
}

std::string Attempt::name() const {
    std::string result;
    constexpr std::size_t longest = 60;
    for (const ir::Binding& binding : program_.body.bindings) {
        if (std::holds_alternative<ir::View>(binding.op)) continue;
        if (result.size() > longest) return result + "_etc";
        result += (result.empty() ? "" : "_") + name_of(binding.op);
    }
    if (!result.empty()) return result;
    return program_.body.bindings.empty() ? "copy" : name_of(program_.body.bindings.back().op);
}

namespace {

void mark_contractible(Block& block, bool tf32) {
    ir::for_each_inst(block, [=](Inst& inst) {
        if (ir::is_contractible(inst)) inst.bits = tf32 && ir::may_be_tf32(inst) ? ir::tf32_bits : ir::contract_bits;
    });
}

/// The definitions of math functions rely on the rounding of each of their operations, so only the user's operations are
/// marked.
ir::Program without_math(ir::Program program, const Options& options) {
    for (ir::Binding& binding : program.body.bindings) {
        const ir::FunctionPart part = ir::function_of(binding.op);
        if (!part) continue;
        if (options.contract) mark_contractible(part.fn->body, options.tf32);
        *part.fn = ir::expand_math(*part.fn);
    }
    return program;
}

/// Of the arrays that the cluster reads.
std::set<SizeId> extents_of(const ir::Program& cluster) {
    std::set<SizeId> extents;
    for (const ir::Type& type : cluster.body.params) extents.insert(type.shape.begin(), type.shape.end());
    return extents;
}

}  // namespace

Kernel lower(const ir::Program& cluster, const Options& options) {
    ir::Program program = without_math(cluster, options);
    Form form = closed_form(program);
    std::set<std::size_t> cuts;
    for (;;) {
        Attempt attempt(program, form, options, cuts);
        Kernel kernel = attempt.run();
        std::size_t before = cuts.size();
        cuts.insert(attempt.cuts().begin(), attempt.cuts().end());
        if (attempt.cuts().empty()) {
            const std::set<SizeId> extents = extents_of(program);
            kernel = without_implied_checks(split_axes(unbranched(branches(std::move(kernel))), extents), extents);
            return verified(with_takes(compact_sizes(with_exact_folds(std::move(kernel))), options.free));
        }
        check(cuts.size() > before, "axes that are apart are not cut again");
    }
}

}  // namespace sinter::lower
