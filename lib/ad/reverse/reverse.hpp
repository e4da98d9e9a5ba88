// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reverse mode of programs.
#pragma once

#include "ad/reverse/infinite.hpp"
#include "ad/reverse/known_indices.hpp"
#include "ad/reverse/masked.hpp"
#include "ad/sweep.hpp"
#include "enable/slices/batched.hpp"
#include "enable/slices/outer_slice.hpp"

#include <map>

namespace sinter::ad {

/// Replaces each vjp whose body contains no nest and no derivative. The body is written as it is (the forward sweep); then
/// its bindings are visited from the last to the first, and each adds what the adjoints of its results contribute to those
/// of its operands (the reverse sweep). The reverse sweep refers to variables of the forward sweep.
class Reverse final : public Sweep {
  private:
    bool before_renaming(ir::Binding& binding) override;
    void binding(ir::Binding&& binding) override {
        indices_.see(binding, level());
        emitting(binding);
        keep(std::move(binding));
    }
    void emitting(const ir::Binding& binding) override {
        see_linear(binding);
        if (goes_back_)
            masked_.see_adjoint(binding, level()), see_factors(binding);
        else
            masked_.see_primal(binding, level());
    }
    void close() override {
        indices_.forget(level());
        masked_.forget(level());
        factored_.erase(factored_.lower_bound(ir::ValueId(level())), factored_.end());
        linear_.erase(linear_.lower_bound(ir::ValueId(level())), linear_.end());
    }
    void differentiate(ir::Binding& binding, ir::Derivative& derivative);

    /// A part of a state that an iteration replaces: its indices, and what it was before.
    struct Overwritten {
        ir::ValueId part;
        std::vector<ir::ValueId> indices;
    };
    /// What the reverse sweep needs from the forward sweep beside the results of bindings.
    struct Record {
        std::vector<ir::ValueId> tapes;    ///< for a loop: its states before each iteration; for a map: what is recorded of
                                           ///< the loops of its function; for other operations: see the rules
        ir::ValueId count;                 ///< for a loop: the number of its iterations
        std::vector<ir::ValueId> offsets;  ///< for a loop, by state: where its elements begin, if its extents change
        std::vector<ir::ValueId> extents;  ///< for a loop: the tapes of the extents that change
        /// For a loop, by state: the updates that are undone.
        std::vector<std::vector<Update>> updates;
        /// For each of these updates: the tapes of the parts that are put back; no indices if they are computed again.
        std::vector<std::vector<Overwritten>> overwritten;
        /// For a loop, by state: the reverse sweep updates the state again, because it reads the updated one, and puts the
        /// parts back once more; a copy of the state would take time for all of its elements.
        std::vector<bool> redone;
    };
    /// Writes the body, whose parameters have been define()d, and adds what the `cotangents` of its results contribute to
    /// the adjoints of variables outside. Returns the results; the body's own variables are forgotten, except for the
    /// parameters.
    std::vector<ir::ValueId> traverse(const ir::Body& body, const std::vector<Derived>& cotangents);

    void forget(std::size_t level);

    // The forward sweep. Each function returns true if the binding has to be copied.
    bool record(ir::Binding& binding, Record& record);
    bool record_loop(ir::Loop& loop, Record& record, std::vector<ir::Type> types);
    bool record_map(const ir::Map& map, Record& record, std::vector<ir::Type> types);
    bool record_sort(const ir::Sort& sort, Record& record, std::vector<ir::Type> types);
    bool record_scatter(const ir::Scatter& scatter, Record& record, std::vector<ir::Type> types);

    /// A binding of the body, with old names; its results, with new names; and their adjoints.
    struct Done {
        const ir::Binding& binding;
        std::vector<ir::ValueId> results;
        std::vector<Derived> adjoints;
        const Record& record;
    };
    // The reverse sweep.
    void pull(const Done& done);
    void pull_map(const ir::Map& map, const Done& done);
    /// An element of an array that a function has read, and what it contributes to it, as results of a map.
    struct ElementRead {
        ir::ValueId array;  ///< old name
        std::vector<std::size_t> indices;
        std::size_t value;
        bool always;  ///< if not, some indices may be -1
    };
    struct Reads {
        const ir::Map& map;
        ir::ValueId first;  ///< its first result
        ir::ValueId point;  ///< an array of its shape
        std::vector<ElementRead> elements;
    };
    void contribute_reads(const Reads& reads);
    ir::ValueId uniform_indices(const ir::Map& map, std::size_t scalars, const std::vector<std::size_t>& results,
                                ir::ValueId point);
    void pull_fold(const ir::Fold& fold, const Done& done);
    void pull_sum(const ir::Fold& fold, const Done& done);
    void pull_product(const ir::Fold& fold, const Done& done);
    void pull_extremum(const ir::Fold& fold, const Done& done);
    void pull_steps_of_fold(const ir::Fold& fold, const Done& done);
    void pull_scan(const ir::Scan& scan, const Done& done);
    void pull_running_sum(const ir::Scan& scan, const Done& done);
    void pull_recurrence(const ir::Scan& scan, const Done& done);
    void pull_view(const ir::View& view, const Done& done);
    void pull_slice(const ir::View& view, const ir::Slice& slice, ir::ValueId adjoint);
    bool add_to_slice(ir::ValueId old, const ir::Slice& slice, const std::vector<ir::SizeId>& start, ir::ValueId adjoint);
    void pull_shift(const ir::View& view, const ir::Shift& shift, ir::ValueId adjoint);
    void pull_gather(const ir::Gather& gather, const Done& done);
    void pull_compact(const ir::Compact& compact, const Done& done);
    void pull_scatter(const ir::Scatter& scatter, const Done& done);
    void pull_replaced(const ir::Scatter& scatter, const Done& done);
    void pull_added(const ir::Scatter& scatter, const Done& done);
    void pull_owned(const ir::Scatter& scatter, const Done& done);
    void pull_chosen(const ir::Scatter& scatter, const Done& done);
    void pull_sort(const ir::Sort& sort, const Done& done);
    void pull_cond(const ir::Cond& cond, const Done& done);
    void pull_loop(const ir::Loop& loop, const Done& done);
    void pull_custom(const ir::Custom& custom, const Done& done);
    void pull_checkpoint(const ir::Custom& custom, const Done& done);
    void pull_foreign(const ir::Foreign& foreign, const Done& done);

    // Adjoints.
    bool wants(ir::ValueId old) const { return varied_(old) && detail::is_float(type(rename(old)).scalar); }
    /// An element for each axis: its index, or nothing where all of the axis is meant. At least one is an index.
    using Place = std::vector<std::optional<std::int64_t>>;
    struct Placed {
        Place at;
        ir::ValueId values;  ///< with the axes of which all is meant
    };
    /// One element of each line along an axis. What is used has the shape without that axis.
    struct Picked {
        std::size_t axis;
        ir::ValueId place;   ///< the position of the element along the axis; negative: none of the line
        ir::ValueId values;  ///< 0 where it is none
    };
    struct Adjoint {
        Derived sum;
        std::vector<Placed> placed = {};    ///< to be added, each at another place
        std::optional<Picked> picked = {};  ///< to be added
        bool is_picked() const { return picked && !sum && placed.empty(); }
    };
    void contribute_picked(ir::ValueId old, const Picked& picked);
    ir::ValueId spread_picked(ir::ValueId old, const Picked& picked);
    ir::ValueId sample(ir::ValueId old, const Picked& at);
    ir::ValueId read_picked(ir::ValueId array, const std::vector<std::size_t>& axes, const Picked& at,
                            const ir::Type& narrow);
    bool pull_picked(const ir::Binding& binding, const Picked& picked);
    bool pull_picked_map(const ir::Map& map, const Picked& picked);
    bool pull_picked_sum(const ir::Fold& fold, const Picked& picked);
    void pull_picked_broadcast(const ir::View& view, const ir::Broadcast& broadcast, const Picked& picked);
    Adjoint& adjoint_as_it_is(ir::ValueId old);
    /// With all contributions.
    Derived& adjoint(ir::ValueId old);
    void place_some(ir::ValueId old, Adjoint& whole);
    std::optional<Place> known_place(const ir::Type& array, const std::vector<ir::ValueId>& indices, ir::ValueId values);
    void contribute(ir::ValueId old, ir::ValueId value);
    /// An adjoint that is a product: `factor`, repeated along the axes that are not among `axes`, times `rest`; nothing: 1.
    /// Or the negative of it.
    struct Factored {
        ir::ValueId factor;
        std::vector<std::size_t> axes;
        Derived rest = {};
        bool negative = false;
    };
    void see_factors(const ir::Binding& binding);
    void factor_results(const ir::Map& adjoint, std::size_t cotangent, ir::ValueId first);
    /// The sum along these axes; of a product whose factor is the same along all of them, that of the rest times the factor.
    ir::ValueId sum_of_product(ir::ValueId adjoint, std::vector<std::size_t> axes);
    /// What a variable is of one or two others.
    struct Linear {
        enum class Kind : std::uint8_t { repeated, negative, product, sum } kind;
        ir::ValueId a, b;               ///< b: of products only
        std::vector<std::size_t> axes;  ///< where those of `a` are, if that is repeated; which of them are summed
    };
    void see_linear(const ir::Binding& binding);
    void see_products(const ir::Map& map, ir::ValueId first);
    /// The sum of an adjoint along these axes, if it is a contraction with what is the same along them: of vectors summed
    /// before.
    Derived early_sum(ir::ValueId adjoint, const std::vector<std::size_t>& axes);
    Derived sum_of_one_factor(ir::ValueId product, const std::vector<std::size_t>& axes);
    /// Contributes to a captured scalar, which may have rank 0: adds the sum along all axes that it does not have.
    void contribute_sum(ir::ValueId old, ir::ValueId value);
    /// Contributes to elements.
    void contribute_at(ir::ValueId old, std::vector<ir::ValueId> indices, ir::ValueId values,
                       std::optional<std::size_t> drops = {});

    /// Variables of rank 0.
    struct Element {
        std::vector<ir::ValueId> indices;
        ir::ValueId value;
    };
    void contribute_elements(ir::ValueId old, const std::vector<Element>& elements);

    ir::ValueId one_before(ir::ValueId states, const Derived& init, const ir::Scan& scan);
    ir::ValueId first_step(ir::Shape shape, std::size_t axis, bool reverse, ir::ValueId like);

    /// The steps state' = op(state, element, captured scalars) along an axis, and what is known about their adjoints.
    struct Walk {
        const ir::Fn& op;
        const ir::Captures& captures;  ///< old names
        std::size_t axis;
        bool reverse;                     ///< the steps started from the other end
        bool no_init;                     ///< the first step only takes over the element
        std::vector<ir::ValueId> states;  ///< before each step
        std::vector<ir::ValueId> elements;
        std::vector<Derived> after, before;  ///< cotangents of the states after each step, and before each step
        std::vector<Derived> last;           ///< cotangents of the state after all steps
        Flags infinite;                      ///< by state, then by element; none if no cotangent is masked
    };
    struct Step;
    Step step_back(const Walk& walk, const std::vector<ir::Scalar>& states, const std::vector<ir::Scalar>& elements);
    struct Walked {
        std::vector<ir::ValueId> elements, inits;  ///< adjoints of those that are floating-point
    };
    /// Goes back through the steps, and contributes to captured scalars.
    Walked walk(const Walk& walk);
    /// `args`: what the step takes beside adjoints, with new names, in the form in which it captures them.
    Walked walk_by_recurrence(const Walk& walk, const Step& step, const std::vector<ir::ValueId>& args,
                              const ir::Captures& captures);
    /// Whether the states and elements of an operation's steps are infinite, if that may make a difference.
    Flags infinite_steps(const Done& done, std::size_t states, const std::vector<ir::ValueId>& args, const ir::Fn& op);
    Walked walk_by_scan(const Walk& walk, const Step& step, const std::vector<ir::ValueId>& args,
                        const ir::Captures& captures);
    Walked walked(const Walk& walk, const Step& step, std::size_t first, std::vector<ir::ValueId> inits);

    /// The variables from outside a binding that its bodies use and that want adjoints.
    std::vector<ir::ValueId> outside(const ir::ArrayOp& op) const;
    // The tape of a state is an array of states along a new outermost axis; that of a state whose extents change has the
    // elements of one after those of another.
    ir::ValueId tape_element(ir::ValueId tape, ir::ValueId index, const ir::Type& type);
    ir::ValueId flat_element(ir::ValueId tape, ir::ValueId offset, const ir::Type& type);
    enable::Emit emitter() {
        return [this](ir::ArrayOp op, std::vector<ir::Type> types) { return emit(std::move(op), std::move(types)); };
    }
    ir::ValueId tape_update(ir::ValueId tape, ir::ValueId index, ir::ValueId value);
    ir::ValueId flat_update(ir::ValueId tape, ir::ValueId offset, ir::ValueId value);
    /// What a loop keeps for its reverse sweep, in states of its own: the tapes; where the next elements of those that are
    /// flat go; the tapes of these numbers, and those of the extents that change.
    struct Tapes {
        std::vector<std::size_t> states;           ///< those that the reverse sweep needs
        std::vector<std::size_t> flat;             ///< those of them whose extents change
        std::vector<std::vector<Update>> updates;  ///< by state: those of others, which are undone
        std::size_t offsets() const { return states.size(); }
        std::size_t offset_tapes() const { return offsets() + flat.size(); }
        std::size_t extent_tapes() const { return offset_tapes() + flat.size(); }
    };
    Tapes tapes_of(const ir::Loop& loop);
    std::vector<ir::Type> tape_types(const ir::Loop& loop, const Tapes& tapes, const std::vector<ir::Type>& results,
                                     const Tally& counted);
    /// The tapes `before` an iteration with what it is to keep. `states`: its extents that change, and its states.
    std::vector<ir::ValueId> taped(const ir::Loop& loop, const Tapes& tapes, const std::vector<ir::ValueId>& states,
                                   const std::vector<ir::ValueId>& before, ir::ValueId iteration);
    // A state that goes through updates of parts of it has no tape: each iteration keeps the parts that it replaces, and the
    // reverse sweep puts them back. So it costs as much for large states as for small ones.
    struct Spliced {
        std::vector<ir::ValueId> results;
        std::vector<std::vector<Overwritten>> overwritten;  ///< by state
    };
    Spliced splice_updates(ir::Body& body, const std::vector<std::vector<Update>>& updates);
    /// The types of the tapes of what updates replace, in the order in which record_loop() keeps the values.
    void append_update_tapes(const ir::Loop& loop, const Tapes& tapes, ir::ValueId iterations, std::vector<ir::Type>& types);
    /// By state: what an iteration has replaced, taken from the tapes.
    std::vector<std::vector<Overwritten>> replaced(const ir::Loop& loop, const Record& record, ir::ValueId iteration);
    void define_for_indices(const ir::Loop& loop, const Record& record, ir::ValueId iteration);
    /// The state before an iteration, given that after it.
    ir::ValueId undone(ir::ValueId state, const std::vector<Overwritten>& replaced);
    /// Defines the parameters of the loop's body as they were in an iteration. `undone`: by state, those that were updated.
    void define_states(const ir::Loop& loop, const Record& record, ir::ValueId iteration,
                       const std::vector<ir::ValueId>& undone);

    /// Whether contributions must not multiply 0 by something infinite: one of these adjoints is masked, or the function
    /// itself chooses.
    bool is_masked(const std::vector<Derived>& adjoints, const ir::Fn& fn) const;

    enable::Batched varied_;                       ///< by old name: it depends on what is differentiated by
    Infinite infinite_;                            ///< by old name
    Masked masked_;                                ///< by new name
    bool goes_back_ = false;                       ///< what is emitted belongs to the reverse sweep
    std::vector<Adjoint> adjoints_;                ///< by old level
    std::vector<const ir::Binding*> definitions_;  ///< by old level: what computes this variable alone; null for others
    KnownIndices indices_;
    std::map<ir::ValueId, Factored> factored_;  ///< by new name
    std::map<ir::ValueId, Linear> linear_;      ///< the same
    Record* record_ = nullptr;                  ///< for the binding that is being written
    std::size_t loops_ = 0;                     ///< number of loops around what is being written in the reverse sweep
};

}  // namespace sinter::ad
