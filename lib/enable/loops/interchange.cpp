// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interchange of loop and map of Henriksen et al. (PLDI 2017), section 5.1, rule G7, applied from right to left: there a
// loop moves out of a map to expose the parallelism inside; here it moves into the map, which has all the parallelism there
// is. A fold of rows with an operator on whole rows is such a loop; it does not become a fold, which would associate
// differently.
//
// The loop executes an iteration for all elements, and then the next one; the map all iterations for an element. Loops with
// expectations and prints stay loops, so that the element of the first iteration that fails is the one that is named.
#include "enable/loops/interchange.hpp"

#include "enable/slices/lift_function.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/walk.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

/// Variables from outside the loop, in the order in which they are met.
class Inputs {
  public:
    std::size_t add(ValueId id) {
        auto [entry, inserted] = place_.try_emplace(id, ids_.size());
        if (inserted) ids_.push_back(id);
        return entry->second;
    }
    const std::vector<ValueId>& ids() const { return ids_; }

  private:
    std::vector<ValueId> ids_;
    std::unordered_map<ValueId, std::size_t> place_;
};

using Predicate = std::function<bool(ValueId)>;

bool all(const std::vector<ValueId>& ids, const Predicate& holds) { return std::all_of(ids.begin(), ids.end(), holds); }

/// The map that replaces a loop or branch. Variables have old names; those from `outside` on belong to the loop.
class MapOfControl {
  public:
    /// `shape` is that of the results. `type_of` gives the type of a variable from outside; its sizes can be compared with
    /// those of `shape`.
    MapOfControl(Shape shape, std::size_t outside, std::function<Type(ValueId)> type_of)
        : shape_(std::move(shape)), outside_(outside), type_of_(std::move(type_of)) {}

    /// Nothing if the operation is not element-wise. The condition of a loop over arrays is about the whole array.
    std::optional<Map> make(const Binding& binding) {
        if (auto* loop = std::get_if<Loop>(&binding.op); loop && loop->changing.empty()) {
            if (loop->count) return make(Op::for_loop, {*loop->count}, loop->inits, loop->bodies, binding.types);
            if (shape_.empty()) return make(Op::while_loop, {}, loop->inits, loop->bodies, binding.types);
        }
        if (auto* cond = std::get_if<Cond>(&binding.op); cond && shape_.empty())
            return make(Op::cond, {cond->condition}, {}, cond->bodies, binding.types);
        return std::nullopt;
    }

  private:
    std::optional<Map> make(Op op, const std::vector<ValueId>& scalars, const std::vector<ValueId>& states,
                            const std::vector<Body>& bodies, const std::vector<Type>& types) {
        bool eligible = all(scalars, is_scalar()) && all(states, is_element());
        for (const Body& body : bodies) eligible = eligible && is_elementwise(body);
        if (!eligible) return std::nullopt;
        std::vector<Scalar> params(shape_.size(), Scalar::i64);
        for (const Inputs* inputs : {&elements_, &scalars_})
            for (ValueId id : inputs->ids()) params.push_back(type_of_(id).scalar);
        builder_.open(params);
        Inst inst{op, {}, 0, locals(scalars), {}};
        for (ValueId state : states) inst.operands.push_back(local(state));
        for (const Type& type : types) inst.types.push_back(type.scalar);
        for (const Body& body : bodies) inst.blocks.push_back(block(body));
        Local result = builder_.emit(std::move(inst));
        std::vector<Local> results;
        for (std::size_t i = 0; i < types.size(); ++i) results.emplace_back(result.index + i);
        Fn fn{{}, builder_.close(std::move(results))};
        for (ValueId array : arrays_.ids()) fn.arrays.push_back({type_of_(array).scalar, type_of_(array).rank()});
        return Map{canonical(fn), elements_.ids(), {scalars_.ids(), arrays_.ids()}, !shape_.empty()};
    }

    bool is_local(ValueId id) const { return id.index >= outside_; }

    /// True for an array of the states' shape, a scalar, and an array that the loop does not change. Notes those from
    /// outside.
    Predicate is_element() {
        if (shape_.empty()) return is_scalar();
        return [this](ValueId id) {
            if (is_local(id)) return locals_[id.index - outside_].shape == shape_;
            return type_of_(id).shape == shape_ && (elements_.add(id), true);
        };
    }
    Predicate is_scalar() {
        return [this](ValueId id) {
            if (is_local(id)) return locals_[id.index - outside_].rank() == 0;
            return type_of_(id).rank() == 0 && (scalars_.add(id), true);
        };
    }
    Predicate is_invariant() {
        return [this](ValueId id) { return !is_local(id) && (arrays_.add(id), true); };
    }

    bool is_elementwise(const Binding& binding) {
        const Shape& shape = binding.types[0].shape;
        if (auto* map = std::get_if<Map>(&binding.op)) {
            bool scalar = shape.empty();
            if (!shape_.empty() && any_inst(map->fn.body, names_element)) return false;
            return (scalar || shape == shape_) && all(map->args, scalar ? is_scalar() : is_element()) &&
                   all(map->captures.scalars, is_scalar()) && all(map->captures.arrays, is_invariant());
        }
        auto* gather = std::get_if<Gather>(&binding.op);
        return gather != nullptr && shape == shape_ && all(gather->indices, is_element()) &&
               all(gather->sources, is_invariant());
    }

    bool is_elementwise(const Body& body) {
        locals_ = types_of(body);
        bool eligible = body.guards.empty();
        for (const Binding& binding : body.bindings) eligible = eligible && is_elementwise(binding);
        return eligible && all(body.results, is_element());
    }

    Block block(const Body& body) {
        std::vector<Scalar> params;
        for (const Type& param : body.params) params.push_back(param.scalar);
        Local first = builder_.open(params);
        environment_.clear();
        for (std::size_t i = 0; i < params.size(); ++i) environment_.emplace_back(first.index + i);
        for (const Binding& binding : body.bindings) inline_binding(binding);
        return builder_.close(locals(body.results));
    }

    void inline_binding(const Binding& binding) {
        std::vector<std::size_t> slots;
        if (auto* map = std::get_if<Map>(&binding.op)) {
            std::vector<Local> arguments;
            if (map->indexed)
                for (std::size_t axis = 0; axis < binding.types[0].rank(); ++axis) arguments.emplace_back(axis);
            for (const auto* ids : {&map->args, &map->captures.scalars})
                for (ValueId id : *ids) arguments.push_back(local(id));
            for (ValueId id : map->captures.arrays) slots.push_back(arrays_.add(id));
            auto results =
                inline_block(builder_, map->fn.body, std::move(arguments), opt::renumber_arrays(std::move(slots)));
            environment_.insert(environment_.end(), results.begin(), results.end());
            return;
        }
        const auto& gather = std::get<Gather>(binding.op);
        for (std::size_t s = 0; s < gather.sources.size(); ++s)
            environment_.push_back(builder_.emit(
                Inst{Op::read, {binding.types[s].scalar}, arrays_.add(gather.sources[s]), locals(gather.indices), {}}));
    }

    Local local(ValueId id) {
        if (is_local(id)) return environment_[id.index - outside_];
        std::size_t rank = shape_.size();
        if (type_of_(id).rank() > 0) return Local(rank + elements_.add(id));
        return Local(rank + elements_.ids().size() + scalars_.add(id));
    }
    std::vector<Local> locals(const std::vector<ValueId>& ids) {
        std::vector<Local> result;
        for (ValueId id : ids) result.push_back(local(id));
        return result;
    }

    Shape shape_;
    std::size_t outside_;
    std::function<Type(ValueId)> type_of_;
    std::vector<Type> locals_;  ///< types of the variables of one body
    Inputs elements_, scalars_, arrays_;
    BlockBuilder builder_;
    std::vector<Local> environment_;  ///< by variable of one body
};

class Interchange : public Rebuilder {
  public:
    explicit Interchange(bool arrays) : arrays_(arrays) {}
    bool changed() const { return changed_; }

  private:
    bool before_renaming(Binding& binding) override {
        if (bodies_of(binding.op) == nullptr || binding.types.empty()) return true;
        Shape shape = rename(binding.types[0]).shape;
        if ((!shape.empty() && !arrays_) || shape != binding.types[0].shape) return true;  // its sizes are renamed
        MapOfControl maker(std::move(shape), old_level(), [this](ValueId id) { return type(rename(id)); });
        if (auto map = maker.make(binding)) binding.op = std::move(*map), changed_ = true;
        return true;
    }

    bool arrays_;
    bool changed_ = false;
};

/// Goes from the inside out.
Program run_passes(Program program, bool arrays) {
    for (bool changed = true; changed;) {
        Interchange pass(arrays);
        program = pass.run(std::move(program));
        changed = pass.changed();
    }
    return program;
}

}  // namespace

Program scalar_control(Program program) { return run_passes(std::move(program), false); }

Program interchange(Program program) { return run_passes(std::move(program), true); }

}  // namespace sinter::enable
