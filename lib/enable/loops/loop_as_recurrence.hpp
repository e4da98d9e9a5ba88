// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A counted loop that fills arrays along an axis, as a recurrence.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/linear.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sinter::enable {

/// What replaces a loop. All variables and sizes have the names that they have around the loop.
struct Recurrence {
    /// Folds of what a step computes without the states, for all steps at once: `args` have the steps as their first axis,
    /// and so have the results, of which each is one number per step, or one per step and lane. Maps know the k-th of all
    /// results as the variable that follows the `variables` of the body, by k.
    struct FoldOfSteps {
        std::vector<ir::Map> args;
        std::vector<ir::Type> arg_types;
        ir::Fold fold;  ///< without its args
        std::vector<ir::Type> types;
    };
    std::vector<FoldOfSteps> folds;
    std::size_t variables = 0;
    /// Sizes that maps need as numbers: they know them as the variables between those of the body and the results of folds.
    std::vector<ir::SizeId> numbers;
    /// Maps over lanes and steps: what a step computes without the states.
    std::vector<ir::Map> maps;
    std::vector<ir::Type> map_types;
    std::vector<std::optional<ir::SiteId>> map_sites;  ///< of what in them may fail, if that is one of the body's operations
    /// Its arguments are the results of `maps[arguments[..]]`. If there are no states, there is no scan.
    ir::Scan scan;
    std::vector<std::size_t> arguments;
    std::vector<ir::Type> scan_types;
    /// What a state begins with that the loop does not have: a plane of an array, or nothing that matters. These states
    /// come after the others.
    struct Start {
        ir::Scalar scalar;
        std::optional<ir::View> plane = {};
        ir::Shape plane_shape = {};  ///< with one index along the axis of the planes
        ir::Shape shape = {};
    };
    std::vector<Start> starts;
    /// A part of an array that the loop overwrites, while it keeps the rest: `indices` gives the places of lanes and steps.
    struct Part {
        ir::ValueId array;
        ir::Map indices;
        ir::Shape points;
        ir::Type type;
        ir::SiteId site;
    };
    std::vector<Part> parts;
    /// Where a result of the loop comes from, if it is used: from the scan, else from a map; whole, or as a part.
    struct Source {
        bool of_scan = true;
        std::size_t index = 0;
        std::optional<std::size_t> part = {};
    };
    std::vector<std::optional<Source>> results;
};

class LoopAsRecurrence {
  public:
    /// `outside`: level of the loop's first parameter; `types`: those of all variables around it, by level. `forms`: include
    /// those of the body's scalars.
    LoopAsRecurrence(const ir::Binding& binding, std::size_t outside, const std::vector<ir::Type>& types,
                     ir::SizeTable& sizes, ir::LinearForms& forms);

    /// `used`: by result. Nothing unless every state of the loop is either an array of *lanes*, all of which take the same
    /// steps, or has one more axis, such that each step writes the next element of each lane (or the next towards the
    /// front): the lanes and steps may be a part of the array. The body has to compute lanes element by element; it may read
    /// what the loop does not change at any index, what a step a few steps before has written at the same lanes, a plane at
    /// a fixed index, the former limited by the latter, and what will be overwritten later at any index.
    std::optional<Recurrence> make(const std::vector<bool>& used);

    /// True if the states are such. Checks in the body are not looked at, nor how it computes lanes.
    bool fits();

  private:
    class Function;
    struct Filled {
        std::size_t state;
        ir::ValueId plane;       ///< what a step writes: an array of lanes
        ir::AffinePoint window;  ///< where
        std::int64_t depth = 0;  ///< how many steps back the body reads
    };
    /// What an earlier step has written, or this one if the distance is 0; or what is at a fixed index.
    struct Earlier {
        std::size_t filled;
        std::int64_t distance;
        std::size_t fixed = 0;  ///< if not 0, the place in fixed_, counted from 1
        auto operator<=>(const Earlier&) const = default;
    };
    /// A relation of two indices along the axis, true in some steps.
    struct Condition {
        ir::Op op;
        ir::LinearForm left, right;
        bool operator==(const Condition&) const = default;
    };
    /// A plane at a fixed index, which the body reads.
    struct Fixed {
        std::size_t filled;
        ir::LinearForm plane;
        std::size_t is_own;  ///< the condition that a step writes it
    };
    /// A plane that the body reads: of the two, the first in steps in which the condition holds.
    struct Read {
        Earlier plane;
        std::optional<Earlier> otherwise = {};
        std::size_t condition = 0;
    };
    struct Sides {
        ir::Op op;  ///< between the sides if the moving one is read
        ir::LinearForm moving, fixed;
    };
    /// The states of the scan.
    struct States {
        std::vector<ir::ValueId> known;     ///< those that are states of the loop
        std::vector<ir::ValueId> next;      ///< by state, what a step makes of it
        std::vector<std::size_t> previous;  ///< further states: each becomes what that state was
        std::map<Earlier, std::size_t> earlier;
        /// Where planes at fixed indices begin: the last states, one for each of fixed_.
        std::size_t first_fixed() const { return next.size() + previous.size(); }
    };

    bool is_local(ir::ValueId id) const { return id.index >= outside_; }
    const ir::Type& type(ir::ValueId id) const { return is_local(id) ? local_[id.index - outside_] : types_[id.index]; }
    ir::ValueId index() const { return ir::ValueId(outside_); }
    ir::ValueId state(std::size_t k) const { return ir::ValueId(outside_ + 1 + k); }
    /// The binding that makes a variable of the body; null for a parameter.
    const ir::Binding* maker(ir::ValueId id) const { return makers_[id.index - outside_]; }
    std::size_t result(ir::ValueId id) const;

    bool sort_states();
    void take_lanes();
    bool fill(std::size_t k);
    bool set_axis(const ir::AffinePoint& window, const ir::Shape& points);
    bool is_fixed(const ir::AffineIndex& index) const;
    std::optional<ir::ValueId> plane_of(ir::ValueId id) const;
    std::optional<ir::ValueId> only_element(ir::ValueId id) const;
    bool has_states() const;
    void find_dependent();
    void add_numbers(Recurrence& to);
    void add_folds(Recurrence& to);
    std::optional<Recurrence::FoldOfSteps> of_all_steps(const ir::Binding& binding) const;
    bool is_outside(const ir::Shape& shape) const;
    ir::Shape space() const;
    std::size_t add_map(Recurrence& to, ir::ValueId id, bool& possible);
    States states(Recurrence& to) const;
    bool add_scan(Recurrence& to, const std::vector<bool>& used);

    // Parts of arrays: filled_parts.cpp.
    bool is_outside(const ir::LinearForm& form) const;
    bool is_whole(const Filled& filled);
    ir::SizeId steps_of_part();
    ir::SizeId size_of(const ir::LinearForm& form);
    Recurrence::Start start(const Filled& filled, const ir::LinearForm& plane);
    Recurrence::Start start(const Filled& filled, std::int64_t distance);
    bool add_part(Recurrence& to, const Filled& filled);

    // What the body reads of what is being filled: read_planes.cpp.
    bool reads_are_known();
    bool is_read(const ir::Binding& binding, std::size_t level, ir::ValueId id);
    bool is_read(std::size_t level, std::size_t filled, bool updated, ir::AffinePoint at);
    bool reads_initial(const ir::Map& map, std::size_t filled, ir::ValueId id);
    bool is_same_lane(const ir::AffinePoint& at, const ir::AffinePoint& window, const ir::Shape& points) const;
    std::optional<ir::AffinePoint> place(const ir::Binding& binding, ir::ValueId id);
    std::optional<std::size_t> filled_by(ir::ValueId id) const;
    std::optional<Sides> sides_of(const ir::LinearForm& form);
    std::optional<std::int64_t> distance(std::size_t filled, const ir::LinearForm& plane) const;
    bool is_initial(std::size_t filled, bool updated, const ir::LinearForm& plane);
    std::optional<Earlier> earlier(std::size_t filled, bool updated, const ir::LinearForm& plane);
    std::size_t condition(ir::Op op, const ir::LinearForm& left, const ir::LinearForm& right);
    bool has_room(std::size_t filled, std::int64_t distance);

    const ir::Loop& loop_;
    const ir::Body& body_;
    std::size_t outside_;
    const std::vector<ir::Type>& types_;
    ir::SizeTable& sizes_;
    ir::LinearForms& forms_;
    std::vector<ir::Type> local_;             ///< types of the body's variables
    std::vector<const ir::Binding*> makers_;  ///< by variable of the body
    std::vector<std::size_t> first_;          ///< by variable of the body: the first result of its maker
    std::vector<bool> dependent_;             ///< by variable of the body: true if it depends on a state
    std::vector<std::size_t> lanes_;          ///< states that are arrays of lanes
    std::vector<Filled> filled_;
    std::map<ir::ValueId, Read> read_;           ///< variables of the body that are planes of what is being filled
    std::set<ir::ValueId> initial_;              ///< those that are elements from before the loop
    std::set<ir::ValueId> reads_initial_;        ///< those of maps that read such elements of what is being filled
    std::map<ir::SizeId, ir::ValueId> numbers_;  ///< sizes as numbers
    std::map<ir::ValueId, ir::ValueId> folds_;   ///< the arrays of all steps' results, by those of a step
    std::vector<Fixed> fixed_;
    std::vector<Condition> conditions_;
    ir::Shape lane_shape_;
    ir::SizeId steps_;           ///< number of steps, as an extent
    std::size_t step_axis_ = 0;  ///< the axis of arrays that is being filled
    std::size_t axis_ = 0;       ///< the same among lanes and steps, which have no axes of which one plane is changed
    bool known_ = false;         ///< lane_shape_, axis_ and reverse_ are known
    bool reverse_ = false;       ///< filled towards the front
};

}  // namespace sinter::enable
