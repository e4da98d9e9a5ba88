// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/partial_steps.hpp"

#include "enable/loops/known_facts.hpp"
#include "enable/loops/line_work.hpp"
#include "enable/loops/partial_map.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/linear.hpp"
#include "opt/trim.hpp"

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
    explicit StepFinder(Program& program)
        : program_(program),
          forms_(program.sizes, [this](ValueId id) -> const Type& { return types_[id.index]; }),
          bounds_(program.sizes, forms_, program.body.params.size()) {
        body(program.body);
    }

    Steps steps;
    std::vector<WishedStep> wished;

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
        forms_.forget(outside), bounds_.forget();
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
        if (!square) wish_square(shape);
        if (!square && !keeps_axes(*partial)) return;
        bool any = false;
        Wish unknown;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const auto more = longer(shape[axis], *loop.count, unknown);
            if (!more) return;
            auto& least = partial->least[axis];
            if (least && (*least < 0 || *least > *more + 1)) least.reset();
            any = any || least;
        }
        if (!any) return;
        if (unknown.at_most.empty())
            steps.emplace(&binding, Step{array, counter, std::move(*partial)});
        else
            wished.push_back({shape, std::move(unknown)});
    }

    /// By how much an extent is at least larger than the number of steps. Where that is not known, it is wished that it is
    /// not smaller.
    std::optional<std::int64_t> longer(SizeId extent, ValueId count, Wish& unknown) {
        const MaybeForm more = combine(forms_.of(extent), -1, forms_.of(count));
        if (more && more->is_constant()) return more->constant < 0 ? std::nullopt : std::optional(more->constant);
        const auto steps = bounds_.given(count);
        if (!steps) return std::nullopt;
        const AtMost fact{*steps, extent};
        const auto is_wished = std::find(unknown.at_most.begin(), unknown.at_most.end(), fact) != unknown.at_most.end();
        if (!is_wished && !is_known(program_, fact)) unknown.at_most.push_back(fact);
        return 0;
    }

    /// Whether each axis of a plane is the same axis of the array.
    static bool keeps_axes(const PartialMap& partial) {
        return std::all_of(partial.planes.begin(), partial.planes.end(), [](const PlaneIndex& index) {
            for (std::size_t axis = 0; axis < index.size(); ++axis)
                if (index[axis] && *index[axis] != axis) return false;
            return true;
        });
    }

    static bool is_used_later(const Body& body, const Binding& from, ValueId array) {
        for (auto binding = body.bindings.rbegin(); &*binding != &from; ++binding) {
            const std::vector<ValueId> read = operands(binding->op);
            if (bodies_of(binding->op) || std::find(read.begin(), read.end(), array) != read.end()) return true;
        }
        return std::count(body.results.begin(), body.results.end(), array) > 0;
    }

    void wish_square(const Shape& shape) {
        Wish wish;
        for (SizeId id : shape)
            if (id != shape[0]) wish.equal.emplace_back(shape[0], id);
        wished.push_back({shape, std::move(wish)});
    }

    Program& program_;
    std::vector<Type> types_;
    LinearForms forms_;
    SizeBounds bounds_;
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
        starts_.clear(), box_.clear(), planes_.clear(), copies_.clear(), works_.clear();
        for (std::size_t axis = 0; axis < type_.rank(); ++axis) {
            starts_.push_back(partial.least[axis] ? after_counter(*partial.least[axis]) : sizes().constant(0));
            box_.push_back(sizes().sub(type_.shape[axis], starts_.back()));
        }
        Map made{{}, {}, map.captures, true};
        for (ValueId arg : map.args)
            made.args.push_back(emit(View{arg, Slice{starts_, Strides(type_.rank(), 1)}}, {type(arg).scalar, box_}));
        std::erase(made.captures.arrays, array_);
        for (const PlaneIndex& index : partial.planes)
            is_element(index) ? made.captures.scalars.push_back(element(index)) : planes_.push_back(plane(index));
        add_planes(made, function(map, partial));
        opt::trim(made, type_.rank(), {});
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

    /// A plane of the array that elements of the box read.
    struct Plane {
        std::vector<std::size_t> axes;  ///< of the box
        Shape start, thin, shape;       ///< `thin`: with all axes of the array
        ValueId id;                     ///< a view of the array
    };

    Plane plane(const PlaneIndex& index) {
        Plane plane;
        for (const auto& axis : index) {
            plane.start.push_back(axis ? starts_[*axis] : sizes().value(counter_));
            plane.thin.push_back(axis ? box_[*axis] : sizes().constant(1));
            if (axis) plane.axes.push_back(*axis), plane.shape.push_back(plane.thin.back());
        }
        const auto same = [&](const Plane& other) { return other.start == plane.start && other.thin == plane.thin; };
        const auto known = std::find_if(planes_.begin(), planes_.end(), same);
        if (known != planes_.end()) {
            plane.id = known->id;
        } else {
            const Slice slice{plane.start, Strides(index.size(), 1)};
            const ValueId part = emit(View{array_, slice}, {type_.scalar, plane.thin});
            plane.id = emit(View{part, Reshape{}}, {type_.scalar, plane.shape});
        }
        return plane;
    }

    /// Completes a map whose function `fn` is given elements of planes behind the others: what is expensive and depends on
    /// planes and scalars alone is computed from these. Planes that are needed besides are copied.
    void add_planes(Map& map, Fn fn) {
        BoxFunction function{std::move(fn), {}, map.captures.scalars.size()};
        for (const Plane& plane : planes_) function.lines.push_back(plane.axes);
        SplitBoxFunction split = split_lines(std::move(function));
        std::vector<ValueId>& scalars = map.captures.scalars;
        if (split.scalars)
            for (ValueId id : results(Map{*split.scalars, scalars, {}}, {})) scalars.push_back(id);
        const std::vector<bool> used = opt::used(split.rest.fn).params;
        const std::size_t first = type_.rank() + map.args.size();
        for (std::size_t k = 0; k < planes_.size(); ++k)
            map.args.push_back(used[first + k] ? repeated(kept(planes_[k].id), planes_[k].axes) : planes_[k].id);
        for (LineWork& work : split.work) {
            Map lines{std::move(work.fn), {}, {scalars, {}}};
            for (std::size_t k : work.lines) lines.args.push_back(planes_[k].id);
            for (ValueId id : results(std::move(lines), planes_[work.lines[0]].shape))
                map.args.push_back(repeated(kept(id), work.axes));
        }
        map.fn = std::move(split.rest.fn);
    }

    /// The same is computed once.
    std::vector<ValueId> results(Map map, const Shape& shape) {
        opt::trim(map, shape.size(), {});
        const auto known = std::find_if(works_.begin(), works_.end(), [&](const Work& work) { return work.map == map; });
        if (known != works_.end()) return known->results;
        std::vector<Type> types;
        for (Scalar scalar : result_types(map.fn)) types.push_back({scalar, shape});
        works_.push_back({map, {}});
        const std::size_t count = types.size();
        const ValueId first = append({std::move(map), std::move(types), site_});
        for (std::size_t k = 0; k < count; ++k) works_.back().results.emplace_back(first.index + k);
        return works_.back().results;
    }

    /// Copied, once, before the array is overwritten.
    ValueId kept(ValueId id) {
        const auto known = copies_.find(id);
        if (known != copies_.end()) return known->second;
        return copies_[id] = emit(Force{{id}}, type(id));
    }

    ValueId repeated(ValueId id, const std::vector<std::size_t>& axes) {
        return emit(View{id, Broadcast{axes}}, {type(id).scalar, box_});
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

    struct Work {
        Map map;
        std::vector<ValueId> results;
    };

    Steps steps_;
    // Of this step.
    std::vector<Plane> planes_;
    std::unordered_map<ValueId, ValueId> copies_;
    std::vector<Work> works_;
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

std::vector<WishedStep> wished_partial_steps(Program& program) { return StepFinder(program).wished; }

}  // namespace sinter::enable
