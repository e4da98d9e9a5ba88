// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interchange of loop and map of Henriksen et al. (PLDI 2017), section 5.1, rule G7, from right to left: there a loop
// moves out of a map to expose parallelism inside, here it moves in, as the map has all there is. A fold of rows with an
// operator of whole rows is such a loop; it does not become a fold, which would associate differently.
#include "enable/interchange.hpp"

#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

/// Variables from outside of the loop, in the order they were met.
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

/// The map that a loop becomes. Variables have old names, those from `outside` on are the loop's.
class MapOfLoop {
  public:
    /// `shape`: of the states. `type_of`: the type of a variable from outside; its sizes compare with those of `shape`.
    MapOfLoop(const Loop& loop, Shape shape, std::size_t outside, std::function<Type(ValueId)> type_of)
        : loop_(loop),
          body_(loop.bodies[0]),
          shape_(std::move(shape)),
          outside_(outside),
          type_of_(std::move(type_of)),
          locals_(types_of(body_)) {}

    /// Nothing if the loop's body is not element-wise.
    std::optional<Map> make() {
        bool eligible = all(loop_.inits, is_element()) && is_scalar()(*loop_.count);
        for (const Binding& binding : body_.bindings) eligible = eligible && is_elementwise(binding);
        if (!eligible || !all(body_.results, is_element())) return std::nullopt;
        Fn fn{{}, function()};
        for (ValueId array : arrays_.ids()) fn.arrays.push_back({type_of_(array).scalar, type_of_(array).rank()});
        return Map{canonical(fn), elements_.ids(), {scalars_.ids(), arrays_.ids()}, true};
    }

  private:
    bool is_local(ValueId id) const { return id.index >= outside_; }

    /// An array of the states' shape; a scalar; an array that the loop does not change. Noted if it is from outside.
    Predicate is_element() {
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
            return (scalar || shape == shape_) && all(map->args, scalar ? is_scalar() : is_element()) &&
                   all(map->captures.scalars, is_scalar()) && all(map->captures.arrays, is_invariant());
        }
        auto* gather = std::get_if<Gather>(&binding.op);
        return gather != nullptr && shape == shape_ && all(gather->indices, is_element()) &&
               all(gather->sources, is_invariant());
    }

    /// Parameters: indices, elements, scalars. One for_loop.
    Block function() {
        std::vector<Scalar> params(shape_.size(), Scalar::i64), states;
        for (const Inputs* inputs : {&elements_, &scalars_})
            for (ValueId id : inputs->ids()) params.push_back(type_of_(id).scalar);
        builder_.open(params);
        Inst loop{Op::for_loop, {}, 0, {local(*loop_.count)}, {}};
        for (ValueId init : loop_.inits) {
            loop.operands.push_back(local(init));
            loop.types.push_back(type_of_(init).scalar);
        }
        std::vector<Scalar> iteration = loop.types;
        iteration.insert(iteration.begin(), Scalar::i64);
        Local first = builder_.open(iteration);
        for (std::size_t i = 0; i < iteration.size(); ++i) environment_.emplace_back(first.index + i);
        for (const Binding& binding : body_.bindings) inline_binding(binding);
        loop.blocks.push_back(builder_.close(locals(body_.results)));
        std::size_t count = loop.types.size();
        Local result = builder_.emit(std::move(loop));
        std::vector<Local> results;
        for (std::size_t i = 0; i < count; ++i) results.emplace_back(result.index + i);
        return builder_.close(std::move(results));
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

    const Loop& loop_;
    const Body& body_;
    Shape shape_;
    std::size_t outside_;
    std::function<Type(ValueId)> type_of_;
    std::vector<Type> locals_;  ///< types of the loop's variables
    Inputs elements_, scalars_, arrays_;
    BlockBuilder builder_;
    std::vector<Local> environment_;  ///< by variable of the loop
};

class Interchange : public Rebuilder {
  public:
    bool changed() const { return changed_; }

  private:
    bool before_renaming(Binding& binding) override {
        auto* loop = std::get_if<Loop>(&binding.op);
        if (loop == nullptr || !loop->count || binding.types[0].rank() == 0) return true;
        auto type_of = [this](ValueId id) { return type(rename(id)); };
        Shape shape = rename(binding.types[0]).shape;
        if (shape != binding.types[0].shape) return true;  // computed by this program, and renamed
        if (auto map = MapOfLoop(*loop, std::move(shape), old_level(), type_of).make())
            binding.op = std::move(*map), changed_ = true;
        return true;
    }

    bool changed_ = false;
};

}  // namespace

Program interchange(Program program) {
    for (bool changed = true; changed;) {
        Interchange pass;
        program = pass.run(std::move(program));
        changed = pass.changed();  // perhaps the loop around it, too
    }
    return program;
}

}  // namespace sinter::enable
