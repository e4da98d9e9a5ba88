// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/variants.hpp"

#include "pipeline/pipeline.hpp"
#include "run/explain/extents.hpp"
#include "run/tuning.hpp"

#include <mutex>

namespace sinter::runtime {

PlanVariants::PlanVariants(ir::Program program, const PlanOptions& options, Backend& backend, KernelCache& kernels)
    : program_(std::move(program)),
      wishes_(enable::wishes(program_)),
      options_(options),
      backend_(backend),
      kernels_(kernels) {
    if (wishes_.size() > tuning::most_wishes) wishes_.resize(tuning::most_wishes);
}

std::shared_ptr<const Plan> PlanVariants::general() {
    if (wishes_.empty()) return family(0, nullptr).first;
    std::call_once(general_made_, [&] {
        PlanOptions options = options_;
        options.kernels.certain = false;
        general_ = make_plan(program_, options, backend_, kernels_, nullptr);
    });
    return general_;
}

PlanVariants::Facts PlanVariants::facts(const Call& call) const {
    Facts facts = 0;
    for (std::size_t k = 0; k < wishes_.size(); ++k)
        if (holds(program_, wishes_[k], call)) facts |= Facts{1} << k;
    return facts;
}

PlanVariants::Family& PlanVariants::family(Facts facts, const Call* call) {
    {
        std::shared_lock lock(mutex_);
        if (auto found = families_.find(facts); found != families_.end()) return found->second;
        if (facts != 0 && families_.size() >= tuning::most_families) facts = 0;
    }
    std::vector<enable::Wish> holding;
    for (std::size_t k = 0; k < wishes_.size(); ++k)
        if (facts >> k & 1) holding.push_back(wishes_[k]);
    ir::Program program = holding.empty() ? program_ : pipeline::specialise(program_, holding);
    auto plan = make_plan(program, options_, backend_, kernels_, call);
    Family made{std::move(program), std::move(plan), {}};
    if (call && made.first->depends_on_extents) made.by_class.emplace(extents_class(made.program, *call), made.first);
    std::unique_lock lock(mutex_);
    return families_.try_emplace(facts, std::move(made)).first->second;
}

std::shared_ptr<const Plan> PlanVariants::find(const Call& call) {
    return find(family(wishes_.empty() ? 0 : facts(call), &call), call);
}

std::shared_ptr<const Plan> PlanVariants::find(Family& family, const Call& call) {
    if (!family.first->depends_on_extents) return family.first;
    std::uint64_t name = extents_class(family.program, call);
    {
        std::shared_lock lock(mutex_);
        if (auto found = family.by_class.find(name); found != family.by_class.end()) return found->second;
        if (family.by_class.size() >= tuning::most_variants) return family.first;
    }
    auto plan = make_plan(family.program, options_, backend_, kernels_, &call);
    std::unique_lock lock(mutex_);
    return family.by_class.emplace(name, std::move(plan)).first->second;
}

}  // namespace sinter::runtime
