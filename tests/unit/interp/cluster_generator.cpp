// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of a shape are random chains of views that end in inputs; maps, gathers and folds are put on top of them.
#include "tests/unit/interp/cluster_generator.hpp"

#include "ir/builder.hpp"
#include "ir/evaluate.hpp"
#include "tests/unit/interp/function_generator.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::test {

namespace {

using ir::Local;
using ir::Op;
using ir::Shape;
using ir::SizeId;
using ir::ValueId;

/// Values are named in two parts while inputs are still being added: `inputs` first, then bindings.
class ClusterMaker {
  public:
    explicit ClusterMaker(std::uint64_t seed) : random_(seed) {}

    Cluster make() {
        for (std::size_t k = 0; k < 4; ++k) cluster_.size_arguments.push_back(static_cast<std::int64_t>(random_.below(5)));
        if (!random_.one_in(8))
            for (std::int64_t& extent : cluster_.size_arguments) extent = std::max<std::int64_t>(extent, 1);
        cluster_.program.size_arguments = 4;
        Shape space;
        for (std::size_t rank = random_.below(4); rank > 0; --rank) space.push_back(argument());
        std::vector<ValueId> elements = elementwise(space, {}, 1 + random_.below(4));
        std::vector<ValueId> results;
        if (space.empty() || random_.one_in(2)) {
            results = some(elements);
        } else {
            choose_axes(space);
            std::vector<ValueId> points = folds(elements, {});
            const ValueId first = points.front();
            for (std::size_t stages = random_.below(3); stages > 0; --stages) {
                elements = elementwise(space, with_points(space, elements, points), 1 + random_.below(3));
                if (random_.one_in(3)) break;
                points = folds(elements, std::move(points));
            }
            results = some(points);
            results.push_back(first);  // a fold: without one, the results would have to have one shape
            if (random_.one_in(2)) results.push_back(random_.pick(elements));
            if (random_.one_in(2)) results.push_back(elements.back());
        }
        return finish(results);
    }

  private:
    SizeId argument() { return sizes().argument(random_.below(4)); }
    ir::SizeTable& sizes() { return cluster_.program.sizes; }

    static constexpr std::size_t first_binding = 1000;  // levels from here on are bindings until finish

    const ir::Type& type(ValueId id) const {
        return id.index < first_binding ? inputs_[id.index] : made_[id.index - first_binding];
    }

    ValueId input(ir::Type type) {
        inputs_.push_back(std::move(type));
        return ValueId(inputs_.size() - 1);
    }

    ValueId bind(ir::ArrayOp op, std::vector<ir::Type> types) {
        ValueId first(first_binding + made_.size());
        made_.insert(made_.end(), types.begin(), types.end());
        cluster_.program.body.bindings.push_back({std::move(op), std::move(types), {}});
        return first;
    }

    Scalar element_type() { return element_types[random_.below(4)]; }

    /// An array of this shape that does not depend on anything computed.
    ValueId source(const Shape& shape, Scalar scalar, std::size_t depth = 2) {
        if (depth == 0 || random_.one_in(3)) return input({scalar, shape});
        switch (random_.below(4)) {
            case 0:
                return transposed(shape, scalar, depth - 1);
            case 1:
                return sliced(shape, scalar, depth - 1);
            case 2:
                return broadcast(shape, scalar, depth - 1);
            default:
                return reshaped(shape, scalar, depth - 1);
        }
    }

    ValueId view(const Shape& arg, ir::IndexFunction function, const Shape& shape, Scalar scalar, std::size_t depth) {
        ValueId from = source(arg, scalar, depth);
        return bind(ir::View{from, std::move(function)}, {{scalar, shape}});
    }

    ValueId transposed(const Shape& shape, Scalar scalar, std::size_t depth) {
        std::vector<std::size_t> axes(shape.size());
        std::iota(axes.begin(), axes.end(), std::size_t{0});
        for (std::size_t k = axes.size(); k > 1; --k) std::swap(axes[k - 1], axes[random_.below(k)]);
        Shape arg(shape.size());
        for (std::size_t k = 0; k < shape.size(); ++k) arg[axes[k]] = shape[k];
        return view(arg, ir::Transpose{axes}, shape, scalar, depth);
    }

    ValueId sliced(const Shape& shape, Scalar scalar, std::size_t depth) {
        Shape arg;
        ir::Slice slice;
        for (SizeId extent : shape) {
            std::size_t start = random_.below(3);
            switch (random_.below(4)) {
                case 0:  // whole
                    arg.push_back(extent), slice.start.push_back(sizes().constant(0)), slice.step.push_back(1);
                    break;
                case 1:  // from `start`
                    arg.push_back(sizes().add(extent, sizes().constant(static_cast<std::int64_t>(start))));
                    slice.start.push_back(sizes().constant(static_cast<std::int64_t>(start))), slice.step.push_back(1);
                    break;
                case 2:  // backwards
                    arg.push_back(extent), slice.step.push_back(-1);
                    slice.start.push_back(sizes().sub(extent, sizes().constant(1)));
                    break;
                default:  // every second
                    arg.push_back(sizes().mul(extent, sizes().constant(2)));
                    slice.start.push_back(sizes().constant(static_cast<std::int64_t>(start % 2))), slice.step.push_back(2);
            }
        }
        return view(arg, std::move(slice), shape, scalar, depth);
    }

    ValueId broadcast(const Shape& shape, Scalar scalar, std::size_t depth) {
        Shape arg;
        ir::Broadcast broadcast;
        for (std::size_t k = 0; k < shape.size(); ++k)
            if (random_.one_in(2)) arg.push_back(shape[k]), broadcast.axes.push_back(k);
        return view(arg, std::move(broadcast), shape, scalar, depth);
    }

    /// Neighbours multiplied, axes exchanged, axes of extent 1 put in.
    ValueId reshaped(const Shape& shape, Scalar scalar, std::size_t depth) {
        Shape arg(shape);
        for (std::size_t steps = 1 + random_.below(2); steps > 0; --steps) {
            std::size_t k = random_.below(arg.size());
            if (arg.size() > 1 && k + 1 < arg.size()) {
                if (random_.one_in(4)) {
                    std::swap(arg[k], arg[k + 1]);
                } else {
                    arg[k] = sizes().mul(arg[k], arg[k + 1]);
                    arg.erase(arg.begin() + static_cast<std::ptrdiff_t>(k) + 1);
                }
            } else {
                arg.insert(arg.begin() + static_cast<std::ptrdiff_t>(k), sizes().constant(1));
            }
        }
        return view(arg, ir::Reshape{}, shape, scalar, depth);
    }

    ir::Captures captures(std::vector<ir::ArrayParam>& arrays) {
        ir::Captures captures;
        for (std::size_t k = random_.below(3); k > 0; --k) captures.scalars.push_back(scalar());
        for (std::size_t k = random_.below(3) / 2; k > 0; --k) {
            Shape shape;
            for (std::size_t rank = 1 + random_.below(2); rank > 0; --rank) shape.push_back(argument());
            ValueId array = source(shape, element_type(), 1);
            captures.arrays.push_back(array);
            arrays.push_back({type(array).scalar, shape.size()});
        }
        return captures;
    }

    ValueId scalar() {
        if (!scalars_.empty() && random_.one_in(2)) return random_.pick(scalars_);
        ValueId id = input({element_type(), {}});
        if (random_.one_in(3)) id = map({}, {id}, {});
        scalars_.push_back(id);
        return id;
    }

    ValueId map(const Shape& shape, std::vector<ValueId> args, bool with_captures) {
        ir::Map op;
        std::vector<ir::ArrayParam> arrays;
        if (with_captures) op.captures = captures(arrays);
        op.indexed = args.empty() || random_.one_in(5);
        op.args = std::move(args);
        std::vector<Scalar> parameters(op.indexed ? shape.size() : 0, Scalar::i64);
        for (ValueId id : op.args) parameters.push_back(type(id).scalar);
        for (ValueId id : op.captures.scalars) parameters.push_back(type(id).scalar);
        std::vector<ir::Type> types{{element_type(), shape}};
        if (random_.one_in(3)) types.push_back({element_type(), shape});
        std::vector<Scalar> results;
        for (const ir::Type& t : types) results.push_back(t.scalar);
        op.fn = random_function(random_, arrays, parameters, results);
        return bind(std::move(op), types);
    }

    ValueId gather(const Shape& shape, ValueId index) {
        Shape from{argument()};
        ir::Map clamp;  // the index modulo 5, sometimes out of range
        clamp.args = {index};
        ir::BlockBuilder builder;
        Local x = builder.cast(Scalar::i64, builder.open({type(index).scalar}));
        Local y = builder.emit(Op::rem, {x, builder.constant_index(random_.one_in(3) ? 5 : 1)});
        y = builder.emit(Op::abs, {y});
        clamp.fn.body = builder.close({y});
        ValueId clamped = bind(std::move(clamp), {{Scalar::i64, shape}});
        ValueId from_id = source(from, element_type(), 1);
        return bind(ir::Gather{{clamped}, {from_id}}, {{type(from_id).scalar, shape}});
    }

    /// `count` operations on arrays of one shape; `pool` are given, what is returned are those and new ones.
    std::vector<ValueId> elementwise(const Shape& shape, std::vector<ValueId> pool, std::size_t count) {
        if (pool.empty()) pool.push_back(source(shape, element_type()));
        for (; count > 0; --count) {
            std::vector<ValueId> args;
            for (std::size_t k = random_.below(4); k > 0; --k)
                args.push_back(random_.one_in(3) ? source(shape, element_type()) : random_.pick(pool));
            pool.push_back(random_.one_in(7) ? gather(shape, random_.pick(pool)) : map(shape, std::move(args), true));
        }
        return pool;
    }

    void choose_axes(const Shape& space) {
        for (std::size_t k = 0; k < space.size(); ++k)
            random_.one_in(2) ? axes_.push_back(k) : (kept_axes_.push_back(k), kept_.push_back(space[k]));
        if (!axes_.empty()) return;
        axes_.push_back(0);
        kept_axes_.erase(kept_axes_.begin()), kept_.erase(kept_.begin());
    }

    /// The elements, and what is known of their points.
    std::vector<ValueId> with_points(const Shape& space, std::vector<ValueId> elements, const std::vector<ValueId>& points) {
        for (ValueId id : some(points))
            elements.push_back(bind(ir::View{id, ir::Broadcast{kept_axes_}}, {{type(id).scalar, space}}));
        return elements;
    }

    /// Folds of elements, and what is made of them and of the points there are.
    std::vector<ValueId> folds(const std::vector<ValueId>& elements, std::vector<ValueId> points) {
        for (std::size_t count = 1 + random_.below(3); count > 0; --count)
            for (ValueId id : fold(elements)) points.push_back(id);
        return elementwise(kept_, std::move(points), random_.below(3));
    }

    std::vector<ValueId> fold(const std::vector<ValueId>& elements) {
        ir::Fold op;
        op.axes = axes_;
        std::vector<Scalar> types;
        std::vector<ir::Type> results;
        for (std::size_t k = 1 + random_.below(2); k > 0; --k) {
            op.args.push_back(random_.pick(elements));
            types.push_back(type(op.args.back()).scalar);
            op.inits.push_back(input({types.back(), {}}));
            results.push_back({types.back(), kept_});
        }
        std::vector<ir::ArrayParam> arrays;
        op.captures = captures(arrays);
        std::vector<Scalar> parameters(types);
        parameters.insert(parameters.end(), types.begin(), types.end());
        for (ValueId id : op.captures.scalars) parameters.push_back(type(id).scalar);
        op.op = random_function(random_, arrays, parameters, types);
        ValueId first = bind(std::move(op), results);
        std::vector<ValueId> ids{first};
        if (results.size() > 1) ids.push_back(ValueId(first.index + 1));
        return ids;
    }

    std::vector<ValueId> some(const std::vector<ValueId>& from) {
        std::vector<ValueId> chosen{from.back()};
        for (std::size_t k = random_.below(3); k > 0; --k) chosen.push_back(random_.pick(from));
        return chosen;
    }

    std::uint64_t element(Scalar scalar) {
        if (detail::is_float(scalar)) return ir::from_double(scalar, static_cast<double>(random_.below(64)) / 8 - 4);
        return ir::from_int64(scalar, static_cast<std::int64_t>(random_.below(9)) - 4);
    }

    Cluster finish(std::vector<ValueId> results) {
        ir::Body& body = cluster_.program.body;
        auto renumber = [&](ValueId& id) {
            if (id.index >= first_binding) id = ValueId(id.index - first_binding + inputs_.size());
        };
        for (ir::Binding& binding : body.bindings) for_each_operand(binding.op, renumber);
        for (ValueId& id : results) renumber(id);
        body.params = inputs_;
        body.results = std::move(results);
        std::vector<std::int64_t> extents = ir::evaluate(
            sizes(), [&](const ir::Size& size) { return cluster_.size_arguments[static_cast<std::size_t>(size.index)]; });
        for (const ir::Type& t : inputs_) {
            std::vector<std::int64_t> shape;
            for (SizeId id : t.shape) shape.push_back(extents[id.index]);
            interp::ArrayValue array(t.scalar, shape);
            for (std::int64_t k = 0; k < array.count(); ++k) array.set(k, element(t.scalar));
            cluster_.inputs.push_back(std::move(array));
        }
        return std::move(cluster_);
    }

    Random random_;
    Cluster cluster_;
    std::vector<ir::Type> inputs_, made_;
    std::vector<ValueId> scalars_;
    std::vector<std::size_t> axes_, kept_axes_;  ///< of the space: that folds reduce, and not
    Shape kept_;
};

}  // namespace

Cluster random_cluster(std::uint64_t seed) { return ClusterMaker(seed).make(); }

}  // namespace sinter::test
