// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/partial_steps.hpp"

#include "enable/loops/partial_map.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/linear.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

struct Step {
    ValueId array, counter;
    PartialMap partial;
};
using Steps = std::unordered_map<const Binding*, Step>;

/// Looks for such steps in all loops.
class StepFinder {
  public:
    explicit StepFinder(const Program& program)
        : forms_(program.sizes, [this](ValueId id) -> const Type& { return types_[id.index]; }) {
        body(program.body);
    }

    Steps steps;
    std::vector<Wish> wishes;

  private:
    void body(const Body& body, const Loop* loop = nullptr) {
        const std::size_t outside = types_.size();
        types_.insert(types_.end(), body.params.begin(), body.params.end());
        std::vector<const Binding*> makers;
        for (const Binding& binding : body.bindings) {
            const std::size_t level = types_.size();
            if (const std::vector<Body>* nested = bodies_of(binding.op)) {
                const auto* counted = std::get_if<Loop>(&binding.op);
                for (const Body& each : *nested)
                    this->body(each, counted && counted->count && counted->changing.empty() ? counted : nullptr);
            }
            types_.insert(types_.end(), binding.types.begin(), binding.types.end());
            makers.resize(types_.size() - outside - body.params.size(), &binding);
            forms_.define(binding, level);
        }
        for (std::size_t k = 0; loop != nullptr && k < loop->inits.size(); ++k) {
            const std::size_t made = body.results[k].index - outside - body.params.size();
            if (body.results[k].index >= outside + body.params.size() && made < makers.size())
                step(*loop, body, *makers[made], ValueId(outside + 1 + k), ValueId(outside));
        }
        forms_.forget(outside);
        types_.resize(outside);
    }

    void step(const Loop& loop, const Body& body, const Binding& binding, ValueId array, ValueId counter) {
        const auto* map = std::get_if<Map>(&binding.op);
        const Shape& shape = binding.types[0].shape;
        if (map == nullptr || !map->indexed || binding.types.size() != 1 || shape != types_[array.index].shape) return;
        if (is_used_later(body, binding, array)) return;
        auto partial = partial_map(*map, shape.size(), array, counter);
        if (!partial) return;
        const bool square = std::all_of(shape.begin(), shape.end(), [&](SizeId id) { return id == shape[0]; });
        if (!square) return add_wish(shape);
        const MaybeForm more = combine(forms_.of(shape[0]), -1, forms_.of(*loop.count));
        if (!more || !more->is_constant() || more->constant < 0) return;
        bool any = false;
        for (auto& least : partial->least) {
            if (least && (*least < 0 || *least > more->constant + 1)) least.reset();
            any = any || least;
        }
        if (any) steps.emplace(&binding, Step{array, counter, std::move(*partial)});
    }

    static bool is_used_later(const Body& body, const Binding& from, ValueId array) {
        for (auto binding = body.bindings.rbegin(); &*binding != &from; ++binding) {
            const std::vector<ValueId> read = operands(binding->op);
            if (bodies_of(binding->op) || std::find(read.begin(), read.end(), array) != read.end()) return true;
        }
        return std::count(body.results.begin(), body.results.end(), array) > 0;
    }

    void add_wish(const Shape& shape) {
        Wish wish;
        for (SizeId id : shape)
            if (id != shape[0]) wish.equal.emplace_back(shape[0], id);
        wishes.push_back(std::move(wish));
    }

    std::vector<Type> types_;
    LinearForms forms_;
};

class PartialSteps : public Rebuilder {
  public:
    explicit PartialSteps(Steps steps) : steps_(std::move(steps)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = steps_.find(&binding);
        if (found == steps_.end()) return true;
        rename_types(binding);
        rename(binding.op);
        site_ = binding.site, type_ = binding.types[0];
        array_ = rename(found->second.array), counter_ = rename(found->second.counter);
        write(std::get<Map>(binding.op), found->second.partial);
        return false;
    }

    void write(const Map& map, const PartialMap& partial) {
        starts_.clear(), box_.clear(), copies_.clear();
        for (std::size_t axis = 0; axis < type_.rank(); ++axis) {
            starts_.push_back(partial.least[axis] ? after_counter(*partial.least[axis]) : sizes().constant(0));
            box_.push_back(sizes().sub(type_.shape[axis], starts_.back()));
        }
        Map made{{}, {}, {}, true};
        for (ValueId arg : map.args)
            made.args.push_back(emit(View{arg, Slice{starts_, Strides(type_.rank(), 1)}}, {type(arg).scalar, box_}));
        std::vector<ValueId> elements;
        for (const PlaneIndex& index : partial.planes)
            (is_element(index) ? elements : made.args).push_back(is_element(index) ? element(index) : plane(index));
        made.captures = map.captures;
        std::erase(made.captures.arrays, array_);
        made.captures.scalars.insert(made.captures.scalars.end(), elements.begin(), elements.end());
        made.fn = function(map, partial);
        const ValueId values = emit(std::move(made), {type_.scalar, box_});
        Scatter scatter{{}, {array_}, indices(partial), {values}, {}};
        define({emit(std::move(scatter), type_)});
    }

    using Strides = std::vector<std::int64_t>;
    static bool is_element(const PlaneIndex& index) {
        return std::none_of(index.begin(), index.end(), [](const auto& axis) { return axis.has_value(); });
    }

    SizeId after_counter(std::int64_t more) { return sizes().add(sizes().value(counter_), sizes().constant(more)); }

    ValueId emit(ArrayOp op, Type type) { return append({std::move(op), {std::move(type)}, site_}); }

    /// The array's element at the counter.
    ValueId element(const PlaneIndex& index) {
        BlockBuilder builder;
        const Local counter = builder.open({Scalar::i64});
        const Local read = builder.emit(Inst{Op::read, {type_.scalar}, 0, std::vector(index.size(), counter), {}});
        Fn fn{{{type_.scalar, type_.rank()}}, builder.close({read})};
        return emit(Map{std::move(fn), {counter_}, {{}, {array_}}}, {type_.scalar, {}});
    }

    /// A copy of a plane of the array, repeated along the other axes of the box.
    ValueId plane(const PlaneIndex& index) {
        Slice slice{{}, Strides(index.size(), 1)};
        Shape thin, shape;
        std::vector<std::size_t> axes;
        for (const auto& axis : index) {
            slice.start.push_back(axis ? starts_[*axis] : sizes().value(counter_));
            thin.push_back(axis ? box_[*axis] : sizes().constant(1));
            if (axis) axes.push_back(*axis), shape.push_back(thin.back());
        }
        const ValueId copy = copied(std::move(slice), std::move(thin), shape);
        return emit(View{copy, Broadcast{std::move(axes)}}, {type_.scalar, box_});
    }

    /// The same plane is copied once.
    ValueId copied(Slice slice, Shape thin, const Shape& shape) {
        const auto is_known = [&](const Copy& made) { return made.start == slice.start && made.thin == thin; };
        const auto known = std::find_if(copies_.begin(), copies_.end(), is_known);
        if (known != copies_.end()) return known->id;
        Copy made{slice.start, thin, {}};
        const ValueId part = emit(View{array_, std::move(slice)}, {type_.scalar, std::move(thin)});
        const ValueId flat = emit(View{part, Reshape{}}, {type_.scalar, shape});
        made.id = emit(Force{{flat}}, {type_.scalar, shape});
        copies_.push_back(made);
        return made.id;
    }

    /// The function of an element of the box.
    Fn function(const Map& map, const PartialMap& partial) {
        const Block& old = map.fn.body;
        const std::size_t rank = type_.rank(), behind = rank + map.args.size();
        std::vector<Scalar> params(old.params.begin(), old.params.begin() + static_cast<std::ptrdiff_t>(behind));
        std::vector<Local> read(partial.planes.size());
        for (std::size_t k = 0; k < read.size(); ++k)
            if (!is_element(partial.planes[k])) read[k] = Local(params.size()), params.push_back(type_.scalar);
        const std::size_t scalars = params.size();
        params.insert(params.end(), old.params.begin() + static_cast<std::ptrdiff_t>(behind), old.params.end());
        for (std::size_t k = 0; k < read.size(); ++k)
            if (is_element(partial.planes[k])) read[k] = Local(params.size()), params.push_back(type_.scalar);
        BlockBuilder builder;
        builder.open(params);
        std::vector<Local> known;
        for (std::size_t k = 0; k < old.params.size(); ++k) known.emplace_back(k < behind ? k : k - behind + scalars);
        const auto& ids = map.captures.scalars;
        const auto at = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), counter_) - ids.begin());
        const Local counter(scalars + at);
        for (std::size_t axis = 0; axis < rank; ++axis) known[axis] = shifted(builder, partial, axis, counter);
        const std::vector<Local> own(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(rank));
        const auto& arrays = map.captures.arrays;
        const auto slot = static_cast<std::uint64_t>(std::find(arrays.begin(), arrays.end(), array_) - arrays.begin());
        const Rewrite rewrite = [&](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
            if (inst.op == Op::extent) {
                const ExtentOf of = extent_of(inst);
                if (of.slot < slot) return std::nullopt;
                return to.emit(Inst{inst.op, inst.types, extent_bits({of.slot - 1, of.axis}), {}, {}});
            }
            if (inst.op != Op::read || inst.bits < slot) return std::nullopt;
            if (inst.bits > slot) return to.emit(Inst{inst.op, inst.types, inst.bits - 1, inst.operands, {}});
            for (std::size_t k = 0; k < read.size(); ++k)
                if (is_at(inst, partial.planes[k], own, counter)) return read[k];
            return std::nullopt;
        };
        std::vector<Local> results = inline_block(builder, old, std::move(known), rewrite);
        Fn fn{{}, builder.close(std::move(results))};
        for (std::size_t k = 0; k < map.fn.arrays.size(); ++k)
            if (k != slot) fn.arrays.push_back(map.fn.arrays[k]);
        return canonical(fn);
    }

    static bool is_at(const Inst& read, const PlaneIndex& index, const std::vector<Local>& own, Local counter) {
        for (std::size_t k = 0; k < index.size(); ++k)
            if (read.operands[k] != (index[k] ? own[*index[k]] : counter)) return false;
        return true;
    }

    static Local shifted(BlockBuilder& to, const PartialMap& partial, std::size_t axis, Local counter) {
        if (!partial.least[axis]) return Local(axis);
        const Local start =
            *partial.least[axis] == 0 ? counter : to.emit(Op::add, {counter, to.constant_index(*partial.least[axis])});
        return to.emit(Op::add, {Local(axis), start});
    }

    /// Where the elements of the box are in the array.
    std::vector<ValueId> indices(const PartialMap& partial) {
        BlockBuilder builder;
        builder.open(std::vector<Scalar>(type_.rank() + 1, Scalar::i64));
        std::vector<Local> results;
        for (std::size_t axis = 0; axis < type_.rank(); ++axis)
            results.push_back(shifted(builder, partial, axis, Local(type_.rank())));
        Fn fn{{}, builder.close(std::move(results))};
        const std::vector<Type> types(type_.rank(), Type{Scalar::i64, box_});
        const ValueId first = append({Map{canonical(fn), {}, {{counter_}, {}}, true}, types, site_});
        std::vector<ValueId> made;
        for (std::size_t axis = 0; axis < type_.rank(); ++axis) made.emplace_back(first.index + axis);
        return made;
    }

    struct Copy {
        Shape start, thin;
        ValueId id;
    };

    Steps steps_;
    std::vector<Copy> copies_;  ///< of this step
    SiteId site_;
    Type type_;
    ValueId array_, counter_;
    Shape starts_, box_;
};

}  // namespace

Program partial_steps(Program program) {
    Steps steps = StepFinder(program).steps;
    if (steps.empty()) return program;
    return PartialSteps(std::move(steps)).run(std::move(program));
}

std::vector<Wish> wishes_of_partial_steps(const Program& program) { return StepFinder(program).wishes; }

}  // namespace sinter::enable
