// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/rebuild.hpp"

#include "support/check.hpp"

#include <utility>

namespace sinter::ir {

Program Rebuilder::run(Program program) {
    program_ = std::move(program);
    Body old = std::move(program_.body);
    Nest nest;
    enter(nest);
    for (const Type& param : old.params) define({add_parameter(nest, rename(param))});
    write(old.bindings);
    for (ValueId& result : old.results) result = rename(result);
    write(old.guards);
    program_.body = leave(nest, std::move(old.results));
    return std::move(program_);
}

void Rebuilder::write(std::vector<Guard>& guards) {
    for (Guard& each : guards) guard(std::move(each));
}

void Rebuilder::guard(Guard&& guard) {
    guard.left = rename(guard.left), guard.right = rename(guard.right);
    add_guard(std::move(guard));
}

void Rebuilder::add_guard(Guard&& guard) { written_->guards.push_back(std::move(guard)); }

void Rebuilder::write(std::vector<Binding>& bindings) {
    const std::vector<std::size_t> order = this->order(bindings);
    if (!order.empty()) return bindings_in_order(bindings, order);
    for (Binding& each : bindings) rebuild(each);
}

/// Old names remain those of the original order of the bindings: each binding sees those originally before it that have
/// already been written.
void Rebuilder::bindings_in_order(std::vector<Binding>& bindings, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> levels{names_.size()};
    for (const Binding& each : bindings) levels.push_back(levels.back() + each.types.size());
    std::vector<ValueId> names = names_;
    names.resize(levels.back());
    auto see = [&](std::size_t level) {
        undefine(level);
        std::copy(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(level), names_.begin());
    };
    for (std::size_t i : order) {
        see(levels[i]);
        rebuild(bindings[i]);
        std::copy(names_.begin() + static_cast<std::ptrdiff_t>(levels[i]), names_.end(),
                  names.begin() + static_cast<std::ptrdiff_t>(levels[i]));
    }
    see(levels.back());
}

void Rebuilder::rebuild(Binding& each) {
    const std::size_t level = names_.size() + each.types.size();
    if (before_renaming(each)) {
        rename(each.op);
        rename_types(each);
        binding(std::move(each));
    }
    check(names_.size() == level, "a pass has to define a binding's results");
}

Body Rebuilder::nested(Body&& body, const std::vector<Param>& params, const std::vector<bool>& keep_result) {
    Nest nest;
    enter(nest);
    for (std::size_t i = 0; i < body.params.size(); ++i)
        define({params[i].keep ? add_parameter(nest, rename(body.params[i])) : params[i].replacement});
    write(body.bindings);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < body.results.size(); ++i)
        if (keep_result.empty() || keep_result[i]) results.push_back(rename(body.results[i]));
    write(body.guards);
    return leave(nest, std::move(results));
}

void Rebuilder::enter(Nest& nest) {
    nest.old_level = names_.size();
    nest.level = types_.size();
    nest.outer = std::exchange(written_, &nest.body);
    open();
}

ValueId Rebuilder::add_parameter(Nest& nest, Type type) {
    types_.push_back(type);
    nest.body.params.push_back(std::move(type));
    return ValueId(types_.size() - 1);
}

Body Rebuilder::leave(Nest& nest, std::vector<ValueId> results) {
    nest.body.results = std::move(results);
    written_ = nest.outer;
    undefine(nest.old_level);
    types_.resize(nest.level);
    close();
    return std::move(nest.body);
}

std::vector<ValueId> Rebuilder::splice(Body& body) {
    std::size_t old_level = names_.size();
    write(body.bindings);
    std::vector<ValueId> results;
    for (ValueId result : body.results) results.push_back(rename(result));
    write(body.guards);
    undefine(old_level);
    return results;
}

void Rebuilder::keep(Binding&& binding) {
    auto rebuild = [&](std::vector<Body>& bodies) {
        for (Body& body : bodies) body = nested(std::move(body), std::vector<Param>(body.params.size()));
    };
    if (auto* bodies = bodies_of(binding.op)) rebuild(*bodies);
    std::size_t count = binding.types.size();
    ValueId first = append(std::move(binding));
    for (std::size_t i = 0; i < count; ++i) names_.push_back(ValueId(first.index + i));
}

void Rebuilder::define(const std::vector<ValueId>& names) { names_.insert(names_.end(), names.begin(), names.end()); }

void Rebuilder::undefine(std::size_t old_level) {
    names_.resize(old_level);
    ++scope_;
}

namespace {

/// Stands for result k of a binding that is being rebuilt, in the extents of its other results.
constexpr std::size_t own_result = std::size_t{1} << 30;

}  // namespace

void Rebuilder::rename_types(Binding& binding) {
    std::size_t old_level = names_.size();
    if (binds_sizes(binding.op))
        for (std::size_t k = 0; k < binding.types.size(); ++k) names_.push_back(ValueId(own_result + k));
    for (Type& type : binding.types) type = rename(type);
    if (binds_sizes(binding.op)) undefine(old_level);
}

/// The size with the variables in it renamed to name(level). Operands precede the sizes made from them.
template <class Name>
SizeId Rebuilder::substitute(SizeId id, Name name) {
    if (!has_value(id)) return id;
    auto renamed = [&](const Size& size) {
        return program_.sizes.value(ValueId(name(static_cast<std::size_t>(size.index))));
    };
    if (const Size size = program_.sizes[id]; size.kind == Size::Kind::value) return renamed(size);
    std::vector<SizeId> made(std::size_t{id.index} + 1);
    std::vector<bool> needed(made.size());
    needed[id.index] = true;
    for (std::size_t k = made.size(); k-- > 0;)
        if (const Size& size = program_.sizes[SizeId(k)]; needed[k] && size.left.valid())
            needed[size.left.index] = needed[size.right.index] = true;
    for (std::size_t k = 0; k < made.size(); ++k) {
        Size size = program_.sizes[SizeId(k)];
        made[k] = SizeId(k);
        if (!needed[k] || !has_value(SizeId(k))) continue;
        if (size.left.valid()) size.left = made[size.left.index], size.right = made[size.right.index];
        made[k] = size.left.valid() ? program_.sizes.intern(size) : renamed(size);
    }
    return made[id.index];
}

void Rebuilder::keep_results(Binding& binding, const std::vector<bool>& kept, bool renamed) {
    if (binds_sizes(binding.op)) {
        std::vector<std::size_t> position(kept.size());
        for (std::size_t k = 1; k < kept.size(); ++k) position[k] = position[k - 1] + (kept[k - 1] ? 1 : 0);
        const std::size_t base = renamed ? own_result : names_.size();
        auto name = [&](std::size_t level) { return level >= base ? base + position[level - base] : level; };
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (kept[k])
                for (SizeId& extent : binding.types[k].shape) extent = substitute(extent, name);
    }
    std::size_t next = 0;
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (kept[k]) std::swap(binding.types[next++], binding.types[k]);
    binding.types.resize(next);
}

ValueId Rebuilder::append(Binding&& binding) {
    ValueId first(types_.size());
    if (binds_sizes(binding.op)) {
        auto name = [&](std::size_t level) { return level >= own_result ? first.index + level - own_result : level; };
        for (Type& type : binding.types)
            for (SizeId& extent : type.shape) extent = substitute(extent, name);
    }
    types_.insert(types_.end(), binding.types.begin(), binding.types.end());
    written_->bindings.push_back(std::move(binding));
    return first;
}

ValueId Rebuilder::rename(ValueId old) const {
    check(old.index < names_.size() && names_[old.index].valid(), "a pass removed a variable that is used");
    return names_[old.index];
}

bool Rebuilder::has_value(SizeId id) {
    for (std::size_t i = has_value_.size(); i <= id.index; ++i) {
        const Size& size = program_.sizes[SizeId(i)];
        bool compound = size.left.valid() && (has_value_[size.left.index] != 0 || has_value_[size.right.index] != 0);
        has_value_.push_back(size.kind == Size::Kind::value || compound ? 1 : 0);
    }
    return has_value_[id.index] != 0;
}

SizeId Rebuilder::rename(SizeId old) {
    if (!has_value(old)) return old;
    Size size = program_.sizes[old];
    if (size.kind == Size::Kind::value) return size_of(rename(ValueId(static_cast<std::size_t>(size.index))));
    if (renamed_sizes_.size() <= old.index) renamed_sizes_.resize(old.index + 1);
    if (renamed_sizes_[old.index].scope == scope_) return renamed_sizes_[old.index].id;
    SizeId left = rename(size.left), right = rename(size.right);
    SizeId id = left == size.left && right == size.right ? old : program_.sizes.intern({size.kind, 0, 0, left, right});
    renamed_sizes_[old.index] = {scope_, id};
    return id;
}

Type Rebuilder::rename(const Type& old) {
    Type type = old;
    for (SizeId& size : type.shape) size = rename(size);
    return type;
}

void Rebuilder::rename(ArrayOp& op) {
    for_each_operand(op, [&](ValueId& id) { id = rename(id); });
    for_each_size(op, [&](SizeId& size) { size = rename(size); });
}

}  // namespace sinter::ir
