// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/lift/rows.hpp"

#include "enable/element_function.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// {count, step -> count - 1 - step}
Fn from_the_end() {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local last = builder.emit(Op::sub, {Local(0), builder.constant_index(1)});
    return {{}, builder.close({builder.emit(Op::sub, {last, Local(1)})})};
}

class RowsToElements : public Rebuilder {
  private:
    bool before_renaming(Binding& binding) override {
        auto* rows = std::get_if<Rows>(&binding.op);
        if (!rows || contains_nest(rows->bodies[0])) return true;
        site_ = binding.site;
        ElementFunction maker(type(rename(rows->inits[0])).shape, old_level(),
                              [this](ValueId id) { return type(rename(id)); });
        if (auto made = maker.make(rows->bodies[0])) {
            binding.op = of_elements(*rows, std::move(*made));
            return true;
        }
        loop(*rows, binding.types);
        return false;
    }

    /// The operation on elements; its operands have old names.
    static ArrayOp of_elements(const Rows& rows, ElementFunction::Made made) {
        if (rows.kind == Rows::Kind::fold) {
            const auto op = as_single_op(made.fn);
            return Fold{std::move(made.fn), rows.inits, rows.args, std::move(made.captures), {0}, op && is_commutative(*op)};
        }
        const bool exclusive = rows.kind == Rows::Kind::exclusive;
        return Scan{std::move(made.fn), rows.inits, rows.args, std::move(made.captures), 0, exclusive, rows.reverse, false};
    }

    /// Takes one slice after another. The states of the loop are those of the rows, and, for a scan, the results so far.
    void loop(Rows& rows, const std::vector<Type>& old_types) {
        const std::vector<ValueId> args = rename_all(rows.args);
        Loop made{append({Map{extent_fn(type(args[0]).scalar, type(args[0]).rank()), {}, {{}, {args[0]}}, false},
                          {{Scalar::i64, {}}},
                          site_}),
                  rename_all(rows.inits),
                  {}};
        const std::size_t states = made.inits.size();
        const bool scans = rows.kind != Rows::Kind::fold;
        if (scans)
            for (ValueId arg : args) made.inits.push_back(zeros(type(arg)));
        std::vector<Type> types;
        for (ValueId init : made.inits) types.push_back(type(init));
        Nest nest;
        enter(nest);
        ValueId step = add_parameter(nest, {Scalar::i64, {}});
        std::vector<ValueId> params;
        for (const Type& each : types) params.push_back(add_parameter(nest, each));
        if (rows.reverse) step = append({Map{from_the_end(), {*made.count, step}, {}, false}, {{Scalar::i64, {}}}, site_});
        const std::vector<ValueId> indices = indices_of_slice(step, types[0].shape);
        std::vector<ValueId> operands(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(states));
        const std::vector<ValueId> slices = gather(indices, args, types[0].shape);
        operands.insert(rows.reverse ? operands.begin() : operands.end(), slices.begin(), slices.end());
        std::vector<ValueId> results = applied(rows.bodies[0], operands);
        if (scans) {
            const bool exclusive = rows.kind == Rows::Kind::exclusive;
            for (std::size_t k = 0; k < states; ++k)
                results.push_back(store(params[states + k], indices, exclusive ? params[k] : results[k]));
        }
        made.bodies.push_back(leave(nest, std::move(results)));
        const ValueId first = append({std::move(made), std::move(types), site_});
        for (std::size_t k = 0; k < old_types.size(); ++k) define({ValueId(first.index + (scans ? states : 0) + k)});
    }

    std::vector<ValueId> applied(Body& body, const std::vector<ValueId>& operands) {
        const std::size_t outside = old_level();
        define(operands);
        std::vector<ValueId> results = splice(body);
        undefine(outside);
        return results;
    }

    std::vector<ValueId> rename_all(std::vector<ValueId> ids) const {
        for (ValueId& id : ids) id = rename(id);
        return ids;
    }

    ValueId zeros(Type like) {
        const ValueId zero = append({Map{constant_fn(like.scalar, 0), {}, {}, false}, {{like.scalar, {}}}, site_});
        return append({View{zero, Broadcast{}, {}}, {std::move(like)}, site_});
    }

    /// (step, i, j, ..) for each point (i, j, ..) of a slice.
    std::vector<ValueId> indices_of_slice(ValueId step, const Shape& shape) {
        const std::size_t rank = shape.size();
        std::vector<ValueId> indices{
            append({Map{index_fn(rank + 1, rank), {}, {{step}, {}}, true}, {{Scalar::i64, shape}}, site_})};
        for (std::size_t axis = 0; axis < rank; ++axis)
            indices.push_back(append({Map{index_fn(rank, axis), {}, {}, true}, {{Scalar::i64, shape}}, site_}));
        return indices;
    }

    std::vector<ValueId> gather(const std::vector<ValueId>& indices, const std::vector<ValueId>& args, const Shape& shape) {
        std::vector<Type> types;
        for (ValueId arg : args) types.push_back({type(arg).scalar, shape});
        const ValueId first = append({Gather{indices, args}, std::move(types), site_});
        std::vector<ValueId> slices;
        for (std::size_t k = 0; k < args.size(); ++k) slices.emplace_back(first.index + k);
        return slices;
    }

    ValueId store(ValueId to, const std::vector<ValueId>& indices, ValueId slice) {
        const Type result = type(to);
        return append({Scatter{{}, {to}, indices, {slice}, {}, false}, {result}, site_});
    }

    SiteId site_;
};

}  // namespace

Program interchange_rows(Program program) { return RowsToElements().run(std::move(program)); }

}  // namespace sinter::enable
