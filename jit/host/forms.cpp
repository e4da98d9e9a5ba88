// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/forms.hpp"

#include "lower/index/fix_sizes.hpp"
#include "lower/index/flatten.hpp"
#include "schedule/tuning.hpp"
#include "schedule/ways/fixed.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace sinter::host {

namespace {

schedule::Decision decide(const KernelCode& code, const std::vector<std::int64_t>& sizes, int threads,
                          std::int64_t together) {
    return schedule::decide(code.kernel(), code.candidates(), sizes.data(), threads, together);
}

/// Whether rows that are lanes, along the kernel's own axis, fill a vector.
bool has_room(const schedule::Way& way, const Binding& binding) {
    const auto* rows = std::get_if<schedule::RowBlocks>(&way);
    return !rows || binding.sizes[binding.code->kernel().space.back().index] >= rows->lanes;
}

/// Chooses the way that combines the elements of a point in the order of this one, which is another form's. Where there are
/// no folds, any will do.
void associate_like(const schedule::Way& other, Binding& binding, std::int64_t together) {
    const schedule::Candidates& candidates = binding.code->candidates();
    if (candidates.facts.loops.empty() && !candidates.facts.nested_loops) return;
    const auto same = std::find_if(candidates.ways.begin(), candidates.ways.end(),
                                   [&](const schedule::Way& way) { return way.index() == other.index(); });
    binding.has_parts = binding.has_parts && same != candidates.ways.end() && has_room(*same, binding);
    if (!binding.has_parts) return;
    binding.decision.choice.way = static_cast<std::size_t>(same - candidates.ways.begin());
    binding.decision.tasks =
        schedule::cut(binding.code->kernel(), candidates, *same, binding.sizes.data(), binding.threads, together);
}

}  // namespace

Forms::Forms(lower::Kernel kernel, std::shared_ptr<const Target> target)
    : target_(std::move(target)),
      general_(std::move(kernel), target_),
      split_(lower::split_if_exact(general().kernel())),
      used_(schedule::may_gain_fixed(general().candidates()) ? lower::sizes_used(general().kernel())
                                                             : std::vector<ir::SizeId>()) {}

bool Forms::are_alike(const std::int64_t* sizes, const std::int64_t* others) const {
    return schedule::fixes_alike(used_, sizes, others);
}

void Forms::take(Binding& binding, std::int64_t together, bool whole) const {
    if (split_ && take_split(binding, together, whole)) return;
    const Form& form = form_for(binding);
    if (&form != &general_) {
        binding.code = &form.code;
        binding.decision = decide(form.code, binding.sizes, binding.threads, together);
    }
    const std::optional<schedule::FlatPrices> flat = compare_flat(form, binding.sizes.data());
    if (flat && flat->pays()) {
        const KernelCode& code = *form.flat;
        std::vector<std::int64_t> sizes = schedule::flat_sizes(form.code.kernel(), code.kernel(), binding.sizes.data());
        schedule::Decision decision = decide(code, sizes, binding.threads, together);
        if (!whole) return associate_like(code.way(decision.choice.way), binding, together);
        binding.code = &code;
        binding.sizes = std::move(sizes);
        binding.decision = std::move(decision);
    }
    binding.decision.flat = flat;
}

/// Parts cannot count other axes than the kernel's; they associate as the whole launch does where nothing is combined.
bool Forms::take_split(Binding& binding, std::int64_t together, bool whole) const {
    std::optional<std::vector<std::int64_t>> sizes = lower::split_sizes(*split_, {binding.sizes.data(), binding.given});
    if (!sizes) return false;
    if (!whole && split_->of_points) {
        binding.has_parts = general().facts().loops.empty();
        return false;
    }
    const CriticalSection section;
    std::call_once(splitting_, [&] { split_forms_ = std::make_unique<const Forms>(split_->kernel, target_); });
    binding.code = &split_forms_->general();
    binding.sizes = *std::move(sizes);
    binding.decision = decide(*binding.code, binding.sizes, binding.threads, together);
    split_forms_->take(binding, together, whole);
    return true;
}

/// The form in which short extents are constants, where that may pay.
const Forms::Form& Forms::form_for(const Binding& binding) const {
    if (!may_be_fixed() || binding.decision.tasks.work < schedule::tuning::least_fixed_work) return general_;
    const std::int64_t* sizes = binding.sizes.data();
    const std::vector<ir::SizeId> fixed = schedule::fixed_sizes(used_, sizes);
    if (fixed.empty()) return general_;
    auto fitting = [&](const Fixed& f) { return are_alike(sizes, f.sizes.data()); };
    if (const Fixed* found = fixed_.find(fitting)) return found->form;
    const CriticalSection section;
    const std::lock_guard lock(fixing_);
    if (const Fixed* found = fixed_.find(fitting)) return found->form;
    if (fixed_.full()) return general_;
    fixed_.keep(std::unique_ptr<const Fixed>(
        new Fixed{binding.sizes, Form(lower::fix_sizes(general().kernel(), fixed, sizes), target_)}));
    return fixed_.find(fitting)->form;
}

/// Makes the flat form if it may pay for rows of this length.
std::optional<schedule::FlatPrices> Forms::compare_flat(const Form& form, const std::int64_t* sizes) const {
    const lower::Kernel& kernel = form.code.kernel();
    if (!schedule::may_gain_flat(kernel, form.code.candidates(), sizes)) return std::nullopt;
    const CriticalSection section;
    std::call_once(form.flattened, [&] { form.flat = std::make_unique<const KernelCode>(lower::flatten(kernel), target_); });
    return schedule::compare_flat(kernel, form.code.candidates(), form.flat->kernel(), form.flat->candidates(), sizes);
}

}  // namespace sinter::host
