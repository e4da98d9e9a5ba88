// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/deferred_sums.hpp"

#include "ad/sweep.hpp"
#include "ad/variables.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/outer_slice.hpp"
#include "ir/sizes/size_parts.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace sinter::ad {

using namespace ir;

namespace {

/// One side of a product: an array, and the axes of the product that it has. Old names.
struct Factor {
    ValueId array;
    std::vector<std::size_t> axes;
    Type type;
};

struct Deferred {
    std::size_t state;
    std::array<Factor, 2> factors;
};

/// Finds the states of a loop whose next value is the present one plus a product of two repeated arrays.
class Products {
  public:
    Products(const SizeTable& sizes, const Loop& loop, std::size_t level)
        : sizes_(sizes), loop_(loop), body_(loop.bodies.back()), level_(level) {
        for (std::size_t i = 0; i < body_.bindings.size(); ++i)
            for (std::size_t k = 0; k < body_.bindings[i].types.size(); ++k) made_.push_back({i, k});
        uses_.resize(first() + made_.size());
        auto use = [&](ValueId id) {
            if (id.index < uses_.size()) ++uses_[id.index];
        };
        for (const Binding& binding : body_.bindings) for_each_variable(binding.op, use);
        std::for_each(body_.results.begin(), body_.results.end(), use);
    }

    std::optional<Deferred> of_state(std::size_t state) const {
        const ValueId parameter(level_ + loop_.indices() + state), next = body_.results[state];
        const Map* sum = map_of(next);
        if (sum == nullptr || uses_[parameter.index] != 1 || uses_[next.index] != 1) return std::nullopt;
        const auto of = operands(*sum, made(next)->number, Op::add);
        if (!of) return std::nullopt;
        const ValueId a = sum->args[(*of)[0]], b = sum->args[(*of)[1]];
        if (a != parameter && b != parameter) return std::nullopt;
        return product(state, a == parameter ? b : a);
    }

  private:
    std::size_t first() const { return level_ + body_.params.size(); }

    struct Result {
        std::size_t binding, number;
    };
    std::optional<Result> made(ValueId id) const {
        return id.index < first() ? std::nullopt : std::optional(made_[id.index - first()]);
    }
    const Binding* binding_of(ValueId id) const {
        const auto at = made(id);
        return at ? &body_.bindings[at->binding] : nullptr;
    }
    const Map* map_of(ValueId id) const {
        const Binding* binding = binding_of(id);
        const auto* map = binding == nullptr ? nullptr : std::get_if<Map>(&binding->op);
        const bool captures = map != nullptr && (!map->captures.scalars.empty() || !map->captures.arrays.empty());
        return captures ? nullptr : map;
    }

    /// The numbers of two arguments of which a result of the map is `op`; nothing if it is anything else.
    static std::optional<std::array<std::size_t, 2>> operands(const Map& map, std::size_t result, Op op) {
        const std::size_t params = map.fn.body.params.size();
        if (map.indexed || params != map.args.size()) return std::nullopt;
        const std::size_t local = map.fn.body.results[result].index;
        std::size_t next = params;
        for (const Inst& inst : map.fn.body.insts) {
            if (local == next && inst.op == op && inst.operands.size() == 2) {
                const std::size_t a = inst.operands[0].index, b = inst.operands[1].index;
                if (a < params && b < params) return std::array{a, b};
            }
            next += inst.types.size();
        }
        return std::nullopt;
    }

    std::optional<Deferred> product(std::size_t state, ValueId id) const {
        const Map* map = map_of(id);
        if (map == nullptr) return std::nullopt;
        const auto of = operands(*map, made(id)->number, Op::mul);
        if (!of) return std::nullopt;
        const auto a = factor(map->args[(*of)[0]]), b = factor(map->args[(*of)[1]]);
        if (!a || !b) return std::nullopt;
        return Deferred{state, {*a, *b}};
    }

    /// An array that is repeated, is made in each iteration, and may be kept.
    std::optional<Factor> factor(ValueId id) const {
        const Binding* binding = binding_of(id);
        const auto* view = binding == nullptr ? nullptr : std::get_if<View>(&binding->op);
        const auto* repeated = view == nullptr ? nullptr : std::get_if<Broadcast>(&view->function);
        if (repeated == nullptr || view->arg.index < level_) return std::nullopt;
        const Type& type = type_of(view->arg);
        for (SizeId extent : type.shape)
            if (depends_on_body(extent)) return std::nullopt;
        if (!is_small(view->arg, type)) return std::nullopt;
        return Factor{view->arg, repeated->axes, type};
    }

    const Type& type_of(ValueId id) const {
        const auto at = made(id);
        return at ? body_.bindings[at->binding].types[at->number] : body_.params[id.index - level_];
    }
    bool depends_on_body(SizeId extent) const {
        bool depends = false;
        for_each_value(sizes_, extent, [&](ValueId value) { depends = depends || value.index >= level_; });
        return depends;
    }

    /// Iterations keep as much of a state anyway, or what they keep together is no larger than an array from outside.
    bool is_small(ValueId id, const Type& type) const {
        const bool kept = has_shape(0, loop_.sums.front(), type.shape) &&
                          !has_shape(loop_.sums.back() + 1, loop_.inits.size(), type.shape);
        return kept || is_row(id);
    }
    /// Whether one of the states [first, last) has this shape. Before the sums are adjoints of states, behind them states of
    /// which only parts are kept.
    bool has_shape(std::size_t first, std::size_t last, const Shape& shape) const {
        for (std::size_t state = first; state < last; ++state)
            if (body_.params[loop_.indices() + state].shape == shape) return true;
        return false;
    }
    /// Whether the array is what is at one place of an axis of an array from outside, at another one in each iteration.
    bool is_row(ValueId id) const {
        bool is_one = false;
        while (const Binding* binding = binding_of(id)) {
            const auto* view = std::get_if<View>(&binding->op);
            if (view == nullptr || view->fill || std::holds_alternative<Broadcast>(view->function)) return false;
            const auto* slice = std::get_if<Slice>(&view->function);
            is_one = is_one || (slice != nullptr && takes_one(*slice, binding->types[0].shape));
            id = view->arg;
        }
        return id.index < level_ && is_one;
    }
    bool takes_one(const Slice& slice, const Shape& shape) const {
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const Size start = sizes_[slice.start[axis]];
            if (start.kind == Size::Kind::value && sizes_.is_constant(shape[axis], 1) &&
                follows_counter(ValueId(static_cast<std::size_t>(start.index))))
                return true;
        }
        return false;
    }
    /// The number of the iteration, or its negative, plus what is the same in all iterations.
    bool follows_counter(ValueId id) const {
        if (id.index == level_) return true;
        const Map* map = map_of(id);
        for (Op op : {Op::add, Op::sub})
            if (const auto of = map == nullptr ? std::nullopt : operands(*map, made(id)->number, op)) {
                const ValueId a = map->args[(*of)[0]], b = map->args[(*of)[1]];
                return (is_same(a) && follows_counter(b)) || (follows_counter(a) && is_same(b));
            }
        return false;
    }
    bool is_same(ValueId id) const {
        const Map* map = map_of(id);
        return id.index < level_ ||
               (map != nullptr &&
                std::all_of(map->args.begin(), map->args.end(), [&](ValueId arg) { return is_same(arg); }));
    }

    const SizeTable& sizes_;
    const Loop& loop_;
    const Body& body_;
    std::size_t level_;
    std::vector<Result> made_;       ///< by variable
    std::vector<std::size_t> uses_;  ///< by level
};

class DeferredSums final : public Sweep {
    bool before_renaming(Binding& binding) override {
        auto* loop = std::get_if<Loop>(&binding.op);
        if (loop == nullptr || loop->sums.empty()) return true;
        std::vector<Deferred> found;
        const Products products(sizes(), *loop, old_level());
        for (std::size_t state : loop->sums)
            if (auto deferred = products.of_state(state)) found.push_back(std::move(*deferred));
        loop->sums.clear();
        if (found.empty() || !loop->changing.empty()) return true;
        at(binding.site);
        write_loop(*loop, renamed(binding.types), found);
        return false;
    }

    /// By state of the old loop: what is deferred; null for others.
    using ByState = std::vector<const Deferred*>;

    void write_loop(Loop& loop, const std::vector<Type>& types, const std::vector<Deferred>& found) {
        const SiteId place = site();
        const std::vector<ValueId> inits = renamed(loop.inits);
        ByState deferred(inits.size(), nullptr);
        for (const Deferred& each : found) deferred[each.state] = &each;
        Loop made{rename(*loop.count), {}, {}, {}, loop.segment};
        std::vector<Type> made_types;
        for (std::size_t k = 0; k < inits.size(); ++k)
            if (!deferred[k]) made.inits.push_back(inits[k]), made_types.push_back(types[k]);
        const std::size_t others = made_types.size();
        const std::vector<Factor> kept = kept_arrays(found);
        for (Type& tape : tapes(kept, *made.count)) {
            made.inits.push_back(zeros(tape));
            made_types.push_back(std::move(tape));
        }
        const std::vector<ValueId> no_sums = zeros_of_sums(types, deferred);
        Nest nest;
        enter(nest);
        const ValueId iteration = add_parameter(nest, {Scalar::i64, {}});
        std::vector<ValueId> params;
        for (const Type& type : made_types) params.push_back(add_parameter(nest, type));
        define({iteration});
        for (std::size_t k = 0, next = 0; k < inits.size(); ++k) define({deferred[k] ? no_sums[k] : params[next++]});
        std::vector<ValueId> results = write_body(loop.bodies.back(), deferred, kept, params, iteration);
        at(place);
        made.bodies.push_back(leave(nest, std::move(results)));
        const ValueId first = emit(std::move(made), made_types);
        const std::vector<ValueId> tape = results_from(ValueId(first.index + others), kept.size());
        define(sums(types, inits, deferred, first, [&](const Factor& each) { return tape[number_of(each, kept)]; }));
    }

    /// The arrays that are kept: each once.
    static std::vector<Factor> kept_arrays(const std::vector<Deferred>& found) {
        std::vector<Factor> kept;
        for (const Deferred& each : found)
            for (const Factor& factor : each.factors)
                if (number_of(factor, kept) == kept.size()) kept.push_back(factor);
        return kept;
    }
    static std::size_t number_of(const Factor& factor, const std::vector<Factor>& kept) {
        const auto same = [&](const Factor& each) { return each.array == factor.array; };
        return static_cast<std::size_t>(std::find_if(kept.begin(), kept.end(), same) - kept.begin());
    }

    std::vector<Type> tapes(const std::vector<Factor>& kept, ValueId iterations) {
        const SizeId count = sizes().maximum(sizes().value(iterations), sizes().constant(0));
        std::vector<Type> types;
        for (const Factor& factor : kept) {
            types.push_back(rename(factor.type));
            types.back().shape.insert(types.back().shape.begin(), count);
        }
        return types;
    }

    /// What the old body adds its products to: nobody uses these sums.
    std::vector<ValueId> zeros_of_sums(const std::vector<Type>& types, const ByState& deferred) {
        std::vector<ValueId> zeros(types.size());
        for (std::size_t k = 0; k < types.size(); ++k)
            if (deferred[k]) zeros[k] = this->zeros(types[k]);
        return zeros;
    }

    /// The body, whose parameters have been define()d; returns the new loop's next states.
    std::vector<ValueId> write_body(Body& body, const ByState& deferred, const std::vector<Factor>& kept,
                                    const std::vector<ValueId>& params, ValueId iteration) {
        const std::size_t level = old_level();
        write(body.bindings);
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < deferred.size(); ++k)
            if (!deferred[k]) results.push_back(rename(body.results[k]));
        for (const Factor& factor : kept) results.push_back(stored(params[results.size()], iteration, factor));
        write(body.guards);
        undefine(level);
        return results;
    }

    ValueId stored(ValueId tape, ValueId iteration, const Factor& factor) {
        const ValueId value = rename(factor.array);
        const Type whole = type(tape), inner = type(value);
        return enable::store_outer_slice(sizes(), emitter(), tape, whole, iteration, value, inner);
    }

    /// The results of the old loop. Those that the new one has, too, begin at `first`.
    template <class TapeOf>
    std::vector<ValueId> sums(const std::vector<Type>& types, const std::vector<ValueId>& inits, const ByState& deferred,
                              ValueId first, TapeOf tape_of) {
        std::vector<ValueId> results;
        for (std::size_t k = 0, next = 0; k < types.size(); ++k) {
            if (!deferred[k]) {
                results.emplace_back(first.index + next++);
                continue;
            }
            std::vector<ValueId> factors;
            for (const Factor& factor : deferred[k]->factors) factors.push_back(repeated(tape_of(factor), factor, types[k]));
            const Fn product = enable::apply_op(Op::mul, {types[k].scalar, types[k].scalar});
            results.push_back(add(inits[k], sum(map(product, std::move(factors), types[k].scalar), {0})));
        }
        return results;
    }

    /// All that a tape has, repeated as the factor was in an iteration.
    ValueId repeated(ValueId tape, const Factor& factor, const Type& state) {
        std::vector<std::size_t> axes{0};
        for (std::size_t axis : factor.axes) axes.push_back(axis + 1);
        Shape shape = state.shape;
        shape.insert(shape.begin(), type(tape).shape[0]);
        return broadcast(tape, std::move(axes), shape);
    }

    enable::Emit emitter() {
        return [this](ArrayOp op, std::vector<Type> types) { return emit(std::move(op), std::move(types)); };
    }
};

}  // namespace

Program deferred_sums(Program program) { return DeferredSums().run(std::move(program)); }

}  // namespace sinter::ad
