// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel of several cards. A launch is cut along its outermost axis, and each card makes a part; a reduce of few points
/// is cut into its chunks, whose results the first card combines. What cannot be cut, or would be slower, the first card
/// makes. Either way the bits are those of one card.
#pragma once

#include "jit/gpu/cards/arrays.hpp"
#include "support/cache/first_few.hpp"

#include <optional>

namespace sinter::gpu {

class CardsKernel final : public runtime::CompiledKernel {
  public:
    CardsKernel(const lower::Kernel& kernel, std::shared_ptr<CardArrays> arrays);

    void launch(const runtime::Launch& launch) const override;
    std::string schedule(const std::int64_t* sizes, int threads) const override;
    /// One line: which card makes what.
    std::string shares(const std::int64_t* sizes) const;

  private:
    /// How launches with some sizes are shared.
    struct Plan {
        std::vector<std::int64_t> sizes;
        Cutting cutting;
        std::vector<Interval> parts;                            ///< by card: of the axis that is cut
        std::vector<std::vector<std::vector<Interval>>> reads;  ///< by card and buffer: bytes
        std::vector<std::vector<Interval>> touched;             ///< by card and buffer: bytes that are read or written
    };
    class Sharing;

    const Plan& plan_of(const std::int64_t* sizes, std::unique_ptr<const Plan>& made) const;
    std::unique_ptr<const Plan> make_plan(const std::int64_t* sizes) const;
    Interval indices(const Cutting& cutting, const Interval& part) const;
    std::int64_t bytes_each(std::size_t buffer) const { return detail::size_of(kernel_.buffers[buffer].scalar); }
    void launch_whole(const runtime::Launch& launch) const;
    std::vector<CardArrays::Use> uses_of_whole(const runtime::Launch& launch) const;
    std::vector<bool> which_are_here(const runtime::Launch& launch) const;
    bool is_worth_sharing(const Plan& plan, const runtime::Launch& launch, const std::vector<bool>& here) const;
    void launch_parts(const Plan& plan, const runtime::Launch& launch, const std::vector<bool>& here) const;

    const lower::Kernel kernel_;
    const std::shared_ptr<CardArrays> arrays_;
    std::vector<std::unique_ptr<OneCardKernel>> cards_;
    mutable FirstFew<Plan> plans_;
};

}  // namespace sinter::gpu
