// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The forms of a kernel: for any extents, with axes split whose extents are multiples of what divides their indices, with
/// short extents as constants, and each of these with short rows as one axis. A form is made when a launch first gains by
/// it.
#pragma once

#include "jit/host/binding.hpp"
#include "lower/index/split_axes.hpp"
#include "support/cache/first_few.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sinter::host {

/// Thread-safe.
class Forms {
  public:
    Forms(lower::Kernel kernel, std::shared_ptr<const Target> target);

    /// The form for any extents.
    const KernelCode& general() const { return general_.code; }
    /// True if some launches may take a form with constants.
    bool may_be_fixed() const { return !used_.empty(); }
    /// True if some launches may take a form with more axes.
    bool may_be_split() const { return split_.has_value(); }
    /// True if launches with these sizes take a form with the same constants.
    bool are_alike(const std::int64_t* sizes, const std::int64_t* others) const;

    /// Takes the form that pays for the extents of the binding, which has been decided for the general one; `together` as
    /// for schedule::decide(). Parts, where `whole` is false, have the kernel's own axes, but associate as the whole launch
    /// does.
    void take(Binding& binding, std::int64_t together, bool whole) const;

  private:
    struct Form {
        Form(lower::Kernel kernel, std::shared_ptr<const Target> target) : code(std::move(kernel), std::move(target)) {}
        KernelCode code;
        mutable std::once_flag flattened;
        mutable std::unique_ptr<const KernelCode> flat;
    };
    /// The form for short extents, which are those in `sizes`.
    struct Fixed {
        std::vector<std::int64_t> sizes;
        Form form;
    };

    const Form& form_for(const Binding& binding) const;
    bool take_split(Binding& binding, std::int64_t together, bool whole) const;
    std::optional<schedule::FlatPrices> compare_flat(const Form& form, const std::int64_t* sizes) const;

    const std::shared_ptr<const Target> target_;
    const Form general_;
    const std::optional<lower::SplitKernel> split_;
    mutable std::once_flag splitting_;
    mutable std::unique_ptr<const Forms> split_forms_;
    const std::vector<ir::SizeId> used_;  ///< the sizes that the code uses, if constants among them may be worth while
    mutable std::mutex fixing_;
    mutable FirstFew<Fixed> fixed_;
};

}  // namespace sinter::host
