// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of a shape are random chains of views that end in inputs; maps, gathers and folds are put on top of them.
#include "tests/unit/interp/cluster_generator.hpp"

#include "ir/builder.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace sinter::test {

namespace {

using ir::Local;
using ir::Op;
using ir::Scalar;
using ir::Shape;
using ir::SizeId;
using ir::ValueId;

constexpr Scalar element_types[] = {Scalar::i64, Scalar::f32, Scalar::i32, Scalar::f64};

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }

  private:
    std::mt19937_64 engine_;
};

/// Random functions of values of one type each; integer results everywhere feasible.
class FunctionMaker {
  public:
    FunctionMaker(Random& random, std::vector<ir::ArrayParam> arrays) : random_(random), arrays_(std::move(arrays)) {}

    ir::Fn make(const std::vector<Scalar>& parameters, const std::vector<Scalar>& results) {
        Local first = builder_.open(parameters);
        for (std::size_t k = 0; k < parameters.size(); ++k) locals_.push_back(Local(first.index + k));
        std::vector<Local> outputs;
        for (Scalar type : results) outputs.push_back(value(type, 3));
        return {arrays_, builder_.close(outputs)};
    }

  private:
    Local leaf(Scalar type) {
        std::vector<Local> fitting;
        for (Local local : locals_)
            if (builder_.type(local) == type) fitting.push_back(local);
        if (!fitting.empty() && !random_.one_in(5)) return random_.pick(fitting);
        if (!locals_.empty() && random_.one_in(2)) return builder_.cast(type, random_.pick(locals_));
        return constant(type);
    }

    Local constant(Scalar type) {
        auto value = static_cast<std::int64_t>(random_.below(5)) - 1;
        std::uint64_t bits = detail::is_float(type) ? ir::from_double(type, static_cast<double>(value) / 2)
                                                    : ir::from_int64(type, value);
        return builder_.constant(type, bits);
    }

    Local condition(std::size_t depth) {
        Scalar type = element_types[random_.below(4)];
        return builder_.emit(random_.one_in(2) ? Op::less : Op::equal, {value(type, depth - 1), value(type, depth - 1)});
    }

    Local value(Scalar type, std::size_t depth) {
        if (depth == 0) return leaf(type);
        Local a = value(type, depth - 1);
        switch (random_.below(14)) {
            case 0:
                return builder_.emit(Op::select, {condition(depth), a, value(type, depth - 1)});
            case 1:
                return branch(type, depth);
            case 2:
                return loop(type, depth);
            case 3:
                return arrays_.empty() ? a : read(type);
            case 4:
                return divide(type, a);
            case 5:
                return builder_.emit(Op::minimum, {a, value(type, depth - 1)});
            case 6:
                return builder_.emit(Op::sub, {a, value(type, depth - 1)});
            case 7:
                return builder_.emit(Op::mul, {a, value(type, depth - 1)});
            case 8:
                return builder_.cast(type, value(element_types[random_.below(4)], depth - 1));
            case 9:
            case 10:
                return builder_.emit(Op::add, {a, value(type, depth - 1)});
            default:
                return leaf(type);
        }
    }

    Local divide(Scalar type, Local a) {
        Local divisor = leaf(type);
        if (!random_.one_in(12) && detail::is_integer(type))  // mostly not zero
            divisor = builder_.emit(Op::bit_or, {divisor, builder_.constant(type, 1)});
        return builder_.emit(random_.one_in(2) ? Op::div : Op::rem, {a, divisor});
    }

    /// Mostly in range: the index modulo the extent, made positive.
    Local read(Scalar type) {
        std::size_t slot = random_.below(arrays_.size());
        ir::Inst inst{Op::read, {arrays_[slot].scalar}, slot, {}, {}};
        for (std::size_t axis = 0; axis < arrays_[slot].rank; ++axis) {
            Local index = leaf(Scalar::i64);
            if (!random_.one_in(6)) {
                Local extent = builder_.emit(ir::Inst{Op::extent, {Scalar::i64}, slot * 64 + axis, {}, {}});
                Local one = builder_.constant_index(1);
                index = builder_.emit(Op::rem, {index, builder_.emit(Op::maximum, {extent, one})});
                index = builder_.emit(Op::abs, {index});
            }
            inst.operands.push_back(index);
        }
        return builder_.cast(type, builder_.emit(inst));
    }

    ir::Block block(std::vector<Scalar> parameters, Scalar result, std::size_t depth, bool boolean = false) {
        std::size_t base = locals_.size();
        Local first = builder_.open(parameters);
        for (std::size_t k = 0; k < parameters.size(); ++k) locals_.push_back(Local(first.index + k));
        Local output = boolean ? condition(depth) : value(result, depth - 1);
        locals_.resize(base);
        return builder_.close({output});
    }

    Local branch(Scalar type, std::size_t depth) {
        Local c = condition(depth);
        ir::Inst inst{Op::cond, {type}, 0, {c}, {}};
        inst.blocks.push_back(block({}, type, depth));
        inst.blocks.push_back(block({}, type, depth));
        return builder_.emit(std::move(inst));
    }

    Local loop(Scalar type, std::size_t depth) {
        Local count = random_.one_in(2) && !arrays_.empty() && arrays_[0].rank > 0
                          ? builder_.emit(ir::Inst{Op::extent, {Scalar::i64}, 0, {}, {}})
                          : builder_.constant_index(static_cast<std::int64_t>(random_.below(4)));
        ir::Inst inst{Op::for_loop, {type}, 0, {count, leaf(type)}, {}};
        inst.blocks.push_back(block({Scalar::i64, type}, type, depth));
        return builder_.emit(std::move(inst));
    }

    Random& random_;
    std::vector<ir::ArrayParam> arrays_;
    ir::BlockBuilder builder_;
    std::vector<Local> locals_;
};

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
            std::vector<ValueId> points = folds(space, elements);
            results = some(points);
            results.push_back(points.front());  // a fold: without one, the results would have to have one shape
            if (random_.one_in(2)) results.push_back(random_.pick(elements));
        }
        return finish(results);
    }

  private:
    SizeId argument() { return sizes().argument(random_.below(4)); }
    ir::SizeTable& sizes() { return cluster_.program.sizes; }

    static constexpr std::size_t first_binding = 1000;  // levels from here on are bindings until finish

    const ir::Type& type(ValueId id) const { return id.index < first_binding ? inputs_[id.index] : made_[id.index - first_binding]; }

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
        op.fn = FunctionMaker(random_, arrays).make(parameters, results);
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

    std::vector<ValueId> folds(const Shape& space, const std::vector<ValueId>& elements) {
        std::vector<std::size_t> axes;
        Shape kept;
        for (std::size_t k = 0; k < space.size(); ++k)
            random_.one_in(2) ? axes.push_back(k) : kept.push_back(space[k]);
        if (axes.empty()) axes.push_back(0), kept.erase(kept.begin());
        std::vector<ValueId> pool;
        for (std::size_t count = 1 + random_.below(3); count > 0; --count)
            for (ValueId id : fold(kept, axes, elements)) pool.push_back(id);
        return elementwise(kept, pool, random_.below(3));
    }

    std::vector<ValueId> fold(const Shape& kept, const std::vector<std::size_t>& axes, const std::vector<ValueId>& elements) {
        ir::Fold op;
        op.axes = axes;
        std::vector<Scalar> types;
        std::vector<ir::Type> results;
        for (std::size_t k = 1 + random_.below(2); k > 0; --k) {
            op.args.push_back(random_.pick(elements));
            types.push_back(type(op.args.back()).scalar);
            op.inits.push_back(input({types.back(), {}}));
            results.push_back({types.back(), kept});
        }
        std::vector<ir::ArrayParam> arrays;
        op.captures = captures(arrays);
        std::vector<Scalar> parameters(types);
        parameters.insert(parameters.end(), types.begin(), types.end());
        for (ValueId id : op.captures.scalars) parameters.push_back(type(id).scalar);
        op.op = FunctionMaker(random_, arrays).make(parameters, types);
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
        std::vector<std::int64_t> extents = ir::evaluate(sizes(), [&](const ir::Size& size) {
            return cluster_.size_arguments[static_cast<std::size_t>(size.index)];
        });
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
};

}  // namespace

Cluster random_cluster(std::uint64_t seed) { return ClusterMaker(seed).make(); }

}  // namespace sinter::test
