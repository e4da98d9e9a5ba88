// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the body of a loop launches, if it does nothing but launch kernels that can be executed in parts.
#pragma once

#include "run/execute/tiled/known_tiles.hpp"

#include <map>

namespace sinter::runtime {

/// A body as an iteration of launches, with the extents of a call. Extents of states may change from iteration to iteration
/// as far as the program says; here they are those before the first one, and the call has to show that they stay.
class LaunchesOfBody {
  public:
    LaunchesOfBody(const Context& context, const LoopStep& step, Frame& outer);
    LaunchesOfBody(const LaunchesOfBody&) = delete;
    LaunchesOfBody& operator=(const LaunchesOfBody&) = delete;

    /// False where an iteration does something else.
    bool find();
    /// After find().
    KnownTiles::Key key(std::int64_t count) const;
    /// Describes what is launched in parts; this takes longer. False where a launch cannot be.
    bool describe(TiledLaunches& body) const;

    /// The extents that states hand on, and what else no iteration changes.
    const std::vector<std::int64_t>& extents() const { return extents_; }
    const Outside& outside() const { return outside_; }

  private:
    struct Found {
        const KernelStep* step;
        std::vector<std::int64_t> sizes;  ///< the kernel's size table
        std::vector<std::optional<std::size_t>> reads;
        std::vector<std::size_t> writes;
    };

    bool extents_stay() const;
    bool is_known(SizeId id) const;
    std::int64_t number(SizeId id) const;
    bool holds(const ir::Guard& guard) const;
    bool all_hold(const std::vector<const ir::Guard*>& guards) const;
    std::optional<std::size_t> value_of(ValueId id) const;
    bool add_value(const Type& type);
    void name(const AliasStep& alias);
    bool has_unknown_sizes(const KernelStep& step) const;
    bool add(const KernelStep& step);
    bool describe(const Found& found, TiledLaunches& body) const;
    const void* place_of(ValueId id) const;
    bool has_equal_states() const;

    const Context& context_;
    const LoopStep& step_;
    const BodyPlan& body_;
    Frame inner_;                                     ///< with the extents of states
    std::vector<std::int64_t> extents_;               ///< of states, as far as they may change
    std::vector<std::optional<std::size_t>> values_;  ///< by variable of the body
    schedule::Iteration iteration_;                   ///< without its launches
    std::vector<Found> launches_;
    Outside outside_;
    std::map<std::size_t, ValueId> from_;  ///< by variable that is another name: of which one
};

}  // namespace sinter::runtime
