// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A counted loop that fills arrays along an axis, as a recurrence.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/linear.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace sinter::enable {

/// What replaces a loop. All variables and sizes have the names that they have around the loop.
struct Recurrence {
    /// Maps over lanes and steps: what a step computes without the states.
    std::vector<ir::Map> maps;
    std::vector<ir::Type> map_types;
    /// Its arguments are the results of `maps[arguments[..]]`. If there are no states, there is no scan.
    ir::Scan scan;
    std::vector<std::size_t> arguments;
    std::vector<ir::Type> scan_types;
    std::vector<ir::Scalar>
        fresh;  ///< states that the loop does not have, after the others: their first value does not matter
    /// Where a result of the loop comes from, if it is used: from the scan, else from a map.
    struct Source {
        bool of_scan = true;
        std::size_t index = 0;
    };
    std::vector<std::optional<Source>> results;
};

class LoopAsRecurrence {
  public:
    /// `outside`: level of the loop's first parameter; `types`: those of all variables around it, by level. `forms`: include
    /// those of the body's scalars.
    LoopAsRecurrence(const ir::Binding& binding, std::size_t outside, const std::vector<ir::Type>& types,
                     const ir::SizeTable& sizes, ir::LinearForms& forms);

    /// `used`: by result. Nothing unless every state of the loop is either an array of *lanes*, all of which take the same
    /// steps, or has one more axis, with as many elements as the loop has steps, such that step k writes element k of each
    /// lane (or element k from the end). The body has to compute lanes element by element; it may read what the loop does
    /// not change at any index, but no other lanes.
    std::optional<Recurrence> make(const std::vector<bool>& used);

    /// True if the states are such. Checks in the body are not looked at, nor how it computes lanes.
    bool fits();

  private:
    class Function;
    struct Filled {
        std::size_t state;
        ir::ValueId plane;  ///< what a step writes: an array of lanes
    };

    bool is_local(ir::ValueId id) const { return id.index >= outside_; }
    const ir::Type& type(ir::ValueId id) const { return is_local(id) ? local_[id.index - outside_] : types_[id.index]; }
    ir::ValueId index() const { return ir::ValueId(outside_); }
    ir::ValueId state(std::size_t k) const { return ir::ValueId(outside_ + 1 + k); }
    /// The binding that makes a variable of the body; null for a parameter.
    const ir::Binding* maker(ir::ValueId id) const { return makers_[id.index - outside_]; }
    std::size_t result(ir::ValueId id) const;

    bool sort_states();
    bool fill(std::size_t k);
    bool set_axis(const ir::AffinePoint& window, const ir::Shape& array);
    std::optional<ir::ValueId> plane_of(ir::ValueId id) const;
    void find_dependent();
    bool uses_filled() const;
    ir::Shape space() const;
    std::size_t add_map(Recurrence& to, ir::ValueId id, bool& possible);
    bool add_scan(Recurrence& to, const std::vector<bool>& used);

    const ir::Loop& loop_;
    const ir::Body& body_;
    std::size_t outside_;
    const std::vector<ir::Type>& types_;
    const ir::SizeTable& sizes_;
    ir::LinearForms& forms_;
    std::vector<ir::Type> local_;             ///< types of the body's variables
    std::vector<const ir::Binding*> makers_;  ///< by variable of the body
    std::vector<std::size_t> first_;          ///< by variable of the body: the first result of its maker
    std::vector<bool> dependent_;             ///< by variable of the body: true if it depends on a state
    std::vector<std::size_t> lanes_;          ///< states that are arrays of lanes
    std::vector<Filled> filled_;
    ir::Shape lane_shape_;
    ir::SizeId steps_;      ///< extent of the axis that is being filled
    std::size_t axis_ = 0;  ///< the number of that axis in the arrays
    bool known_ = false;    ///< lane_shape_, steps_, axis_ and reverse_ are known
    bool reverse_ = false;  ///< filled from the end of the axis
};

}  // namespace sinter::enable
