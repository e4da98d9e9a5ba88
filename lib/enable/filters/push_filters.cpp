// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements a compact keeps is known only after the last of them, so nothing that reads its arrays is fused with it.
// The "redomap o filter" of data-parallel languages needs no such array: a fold may take a neutral element in place of those
// that the filter drops. If its operator f has none, f is lifted to values that may be absent: on pairs of a flag and a
// value
//
//     (p, a) f' (q, b) = (p or q, f(a, b) if p and q, else the one that is present),
//
// which is associative if f is, has (false, anything) as a neutral element, and starts from (true, init). filter_plan.hpp
// says what is done where.
#include "enable/filters/push_filters.hpp"

#include "enable/filters/filter_plan.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "ir/builder.hpp"
#include "ir/neutral.hpp"
#include "ir/rebuild.hpp"
#include "opt/passes.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

/// {kept, x0, x1, .. -> xi if kept, else elements[i] ..}
Fn select_fn(const std::vector<Scalar>& scalars, const std::vector<std::uint64_t>& elements) {
    BlockBuilder builder;
    std::vector<Scalar> params{Scalar::boolean};
    params.insert(params.end(), scalars.begin(), scalars.end());
    builder.open(params);
    std::vector<Local> results;
    for (std::size_t i = 0; i < scalars.size(); ++i)
        results.push_back(builder.emit(Op::select, {Local(0), Local(i + 1), builder.constant(scalars[i], elements[i])}));
    return canonical({{}, builder.close(std::move(results))});
}

/// Turns an operator on `count` values into one on values that may be absent; the flags are the first accumulator and the
/// first element.
Fn lift_operator(const Fn& op, std::size_t count) {
    BlockBuilder builder;
    std::vector<Scalar> params = op.body.params;
    auto elements = params.begin() + static_cast<std::ptrdiff_t>(count);
    params.insert(elements, Scalar::boolean);
    params.insert(params.begin(), Scalar::boolean);
    builder.open(params);
    const std::size_t flag = count + 1;  // the flag of the element
    std::vector<Local> places;
    for (std::size_t i = 1; i < params.size(); ++i)
        if (i != flag) places.emplace_back(i);
    std::vector<Local> results{builder.emit(Op::bit_or, {Local(0), Local(flag)})};
    std::vector<Local> combined = inline_block(builder, op.body, places);
    for (std::size_t i = 0; i < count; ++i) {
        const Local left = builder.emit(Op::select, {Local(flag), combined[i], Local(1 + i)});
        results.push_back(builder.emit(Op::select, {Local(0), left, Local(flag + 1 + i)}));
    }
    return canonical({{}, builder.close(std::move(results))});
}

/// {x -> 1 if x, else 0}
Fn as_integer() {
    BlockBuilder builder;
    const Local value = builder.open({Scalar::boolean});
    return {{}, builder.close({builder.cast(Scalar::i64, value)})};
}

class Pusher : public Rebuilder {
  public:
    explicit Pusher(const FilterPlan& plan) : plan_(plan) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = plan_.find(&binding);
        if (found == plan_.end()) return true;
        const FilterDecision& decision = found->second;
        site_ = binding.site;
        if (const auto* compact = std::get_if<Compact>(&binding.op)) {
            if (decision.dissolves)
                dissolve(*compact, decision);
            else
                compact_full(*compact, binding.types, decision);
        } else if (const auto* fold = std::get_if<Fold>(&binding.op)) {
            fold_full(*fold, binding.types);
        } else if (decision.masked) {
            map_full(binding, old_level());
            define(std::vector<ValueId>(binding.types.size()));
        } else {
            define(moved_.at(&binding));
        }
        return false;
    }

    /// The arrays of the compact are not needed; its count is a sum.
    void dissolve(const Compact& compact, const FilterDecision& decision) {
        std::vector<ValueId> names(1 + compact.args.size());
        names[0] = count(full_operands(compact, decision));
        define(names);
    }

    /// The same compact applied to other arrays: the results of maps that move before it.
    void compact_full(const Compact& compact, const std::vector<Type>& old_types, const FilterDecision& decision) {
        const std::size_t level = old_level();
        const ValueId mask = full_operands(compact, decision);
        const SiteId site = site_;
        for (const FilterDecision::Moved& moved : decision.moved) {
            site_ = moved.map->site;
            map_full(*moved.map, moved.level);
        }
        site_ = site;
        std::vector<ValueId> kept = decision.kept;
        if (decision.moved.empty())
            for (std::size_t i = 1; i <= compact.args.size(); ++i) kept.emplace_back(level + i);
        const ValueId first = emit_compact(mask, kept, old_types);
        auto names = [&](std::size_t old_level, std::size_t count) {
            std::vector<ValueId> names(count);
            for (std::size_t i = 0; i < kept.size(); ++i)
                if (kept[i].index - old_level < count) names[kept[i].index - old_level] = ValueId(first.index + 1 + i);
            return names;
        };
        for (const FilterDecision::Moved& map : decision.moved) moved_[map.map] = names(map.level, map.map->types.size());
        define({first});
        define(names(level + 1, compact.args.size()));
    }

    ValueId emit_compact(ValueId mask, const std::vector<ValueId>& kept, const std::vector<Type>& old_types) {
        Compact made{mask, {}};
        std::vector<Type> types{{Scalar::i64, {}}};
        for (ValueId old : kept) {
            made.args.push_back(full(old).array);
            types.push_back({type(made.args.back()).scalar, {extent_of_results(old_types)}});
        }
        return emit(std::move(made), std::move(types));
    }

    /// The extent of the compact that is about to be written; the old one may have another extent that is guarded to equal
    /// its count.
    SizeId extent_of_results(const std::vector<Type>& old_types) {
        const SizeId old = old_types[1].shape[0];
        return old == sizes().value(ValueId(old_level())) ? sizes().value(ValueId(level())) : rename(old);
    }

    /// Sets what the compact's arrays are before it; returns its mask.
    ValueId full_operands(const Compact& compact, const FilterDecision& decision) {
        ValueId mask;
        if (decision.masked) {
            const Full inner = full(compact.mask);
            mask = emit(Map{apply_op(Op::bit_and, {Scalar::boolean, Scalar::boolean}), {inner.mask, inner.array}, {}, false},
                        {type(inner.mask)});
        } else {
            mask = rename(compact.mask);
        }
        for (std::size_t i = 0; i < compact.args.size(); ++i) {
            const ValueId array = decision.masked ? full(compact.args[i]).array : rename(compact.args[i]);
            set_full(old_level() + 1 + i, {array, mask});
        }
        return mask;
    }

    /// Applies the map, whose first result has this old level, to full arrays.
    void map_full(const Binding& binding, std::size_t level) {
        Map map = std::get<Map>(binding.op);
        const ValueId mask = full(map.args[0]).mask;
        for (ValueId& arg : map.args) arg = full(arg).array;
        for (ValueId& scalar : map.captures.scalars) scalar = rename(scalar);
        std::vector<Type> types;
        for (const Type& old : binding.types) types.push_back({old.scalar, type(mask).shape});
        const std::size_t results = types.size();
        const ValueId first = emit(std::move(map), std::move(types));
        for (std::size_t i = 0; i < results; ++i) set_full(level + i, {ValueId(first.index + i), mask});
    }

    void fold_full(Fold fold, const std::vector<Type>& types) {
        const ValueId mask = full(fold.args[0]).mask;
        for (ValueId& arg : fold.args) arg = full(arg).array;
        for (ValueId& init : fold.inits) init = rename(init);
        for (ValueId& scalar : fold.captures.scalars) scalar = rename(scalar);
        const std::size_t count = types.size();
        if (const auto neutral = neutral_elements(fold.op.body, count)) {
            fold.args = select_or(mask, fold.args, *neutral);
            return define_results(emit(std::move(fold), types), count);
        }
        fold.op = lift_operator(fold.op, count);
        fold.args.insert(fold.args.begin(), mask);
        fold.inits.insert(fold.inits.begin(),
                          emit(Map{constant_fn(Scalar::boolean, 1), {}, {}, false}, {{Scalar::boolean, {}}}));
        std::vector<Type> with_flag = types;
        with_flag.insert(with_flag.begin(), {Scalar::boolean, {}});
        const ValueId flag = emit(std::move(fold), std::move(with_flag));
        define_results(ValueId(flag.index + 1), count);
    }

    /// `arrays` where the mask is set, `elements` elsewhere.
    std::vector<ValueId> select_or(ValueId mask, std::vector<ValueId> arrays, const std::vector<std::uint64_t>& elements) {
        std::vector<Type> types;
        std::vector<Scalar> scalars;
        for (ValueId array : arrays) types.push_back(type(array)), scalars.push_back(types.back().scalar);
        Map map{select_fn(scalars, elements), {mask}, {}, false};
        map.args.insert(map.args.end(), arrays.begin(), arrays.end());
        const ValueId first = emit(std::move(map), std::move(types));
        for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i] = ValueId(first.index + i);
        return arrays;
    }

    /// The number of points at which the mask is set.
    ValueId count(ValueId mask) {
        const ValueId zero = emit(Map{constant_fn(Scalar::i64, 0), {}, {}, false}, {{Scalar::i64, {}}});
        const ValueId ones = emit(Map{as_integer(), {mask}, {}, false}, {{Scalar::i64, type(mask).shape}});
        return emit(Fold{apply_op(Op::add, {Scalar::i64, Scalar::i64}), {zero}, {ones}, {}, {0}, true}, {{Scalar::i64, {}}});
    }

    ValueId emit(ArrayOp op, std::vector<Type> types) { return append({std::move(op), std::move(types), site_}); }

    void define_results(ValueId first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) define({ValueId(first.index + i)});
    }

    /// A derived variable before its filter, with new names.
    struct Full {
        ValueId array, mask;
    };
    const Full& full(ValueId old) const { return full_[old.index]; }
    void set_full(std::size_t old_level, Full full) {
        if (full_.size() <= old_level) full_.resize(old_level + 1);
        full_[old_level] = full;
    }

    const FilterPlan& plan_;
    std::vector<Full> full_;                                          ///< by old level
    std::unordered_map<const Binding*, std::vector<ValueId>> moved_;  ///< names of the results of maps that have been moved
    SiteId site_;                                                     ///< of the binding that is being rebuilt
};

}  // namespace

Program push_filters_of_slices(Program program) {
    if (!contains_nest(program.body)) return program;
    const FilterPlan plan = plan_filters_of_slices(program);
    return plan.empty() ? std::move(program) : Pusher(plan).run(std::move(program));
}

Program push_filters(Program program) {
    const FilterPlan plan = plan_filters(program);
    if (plan.empty()) return program;
    return opt::dead_code(opt::cse(Pusher(plan).run(std::move(program))));
}

}  // namespace sinter::enable
