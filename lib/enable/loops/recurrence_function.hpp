// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of a loop as a recurrence: what a step computes without the states, and what it makes of them. Each is
/// traversed twice: the first time, without a builder, to find what it captures.
#pragma once

#include "enable/loops/loop_as_recurrence.hpp"
#include "ir/builder.hpp"

#include <map>
#include <unordered_map>

namespace sinter::enable {

/// A name for the index of a lane along an axis, distinct from those of variables.
ir::ValueId lane_index(std::size_t axis);
bool is_lane_index(ir::ValueId id);
/// A name for a condition on steps.
ir::ValueId condition_name(std::size_t condition);

class LoopAsRecurrence::Function {
  public:
    explicit Function(const LoopAsRecurrence& loop) : l_(loop) {}

    /// The type of what a variable, or one of the names above, is.
    ir::Scalar scalar_of(ir::ValueId id) const;

    /// The function from the indices of lanes and step to a value that depends on no state. Nothing if it needs more than
    /// scalars and reads.
    std::optional<ir::Map> of_indices(ir::ValueId id);

    /// The operation of the body that has made what of the function may fail; if several, the first read of an array.
    const std::optional<ir::SiteId>& site() const { return site_; }

    /// The function from the indices of lanes and step to those of a window, one result per axis.
    std::optional<ir::Map> of_window(const ir::AffinePoint& window);

    /// The function from states and elements to the next values of the states. `elements`: the variables that are elements.
    std::optional<ir::Fn> of_states(const States& states, std::vector<ir::ValueId>& elements, ir::Captures& captures);

  private:
    using Local = ir::Local;
    using ValueId = ir::ValueId;
    using Point = std::vector<Local>;

    template <class Value>
    std::optional<ir::Fn> make(std::vector<ir::Scalar> params, Value value);
    Local fail();
    Local index(std::int64_t value);
    Local sub(Local a, Local b);
    Local scalar(ValueId id);
    Local read(ValueId array, std::vector<Local> at);
    Local inlined(const ir::Map& map, std::vector<Local> arguments, std::size_t result);
    Local read_unchanged(ValueId array, std::vector<Local> at);

    // Without states.
    Local step();
    Local holds(const Condition& condition);
    Local independent(ValueId id, const Point& point);
    Local new_independent(ValueId id, const Point& point);
    Local written(ValueId id, const Point& point);
    Local viewed(const ir::View& view, const ir::Shape& result, const Point& point);
    Local value(ir::LinearForm form, const Point& point);
    ir::MaybeForm without_step(const ir::LinearForm& form) const;
    ir::MaybeForm backwards(ValueId id) const;
    Local plus(std::optional<Local> sum, Local more, ir::Op op);
    Local part(const ir::Term& term, std::int64_t factor, const Point& point);
    Local size(ir::SizeId id, const Point& point);

    std::vector<Local> lanes() const;

    // With states.
    Local dependent(ValueId id);
    Local new_dependent(ValueId id);
    Local element(ValueId id);
    Local select(std::size_t condition, Local yes, Local no);
    Local plane(const Earlier& earlier);

    const LoopAsRecurrence& l_;
    std::optional<ir::BlockBuilder> builder_;
    bool failed_ = false;
    std::optional<ir::SiteId> site_;
    std::vector<ValueId> scalars_, arrays_;  ///< captured variables
    const States* states_ = nullptr;
    std::vector<ValueId>* elements_ = nullptr;
    std::size_t first_element_ = 0, first_scalar_ = 0;
    Point point_;  ///< the index of the lane
    std::unordered_map<ValueId, Local> values_;
    std::map<std::pair<ValueId, std::vector<std::size_t>>, Local> known_;
};

}  // namespace sinter::enable
