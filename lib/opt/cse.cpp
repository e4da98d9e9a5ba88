// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bindings are hash-consed as they are copied: one that equals a visible earlier one is not copied, but its results get the
/// earlier names. The functions of bindings are shared and canonical before they are compared, so that equal means equal up
/// to renaming. Cond and loop are not compared (the variables in their bodies are named by position), but what is inside
/// them is. Operations that name sizes of their own are not compared either.
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/cost.hpp"
#include "opt/passes.hpp"
#include "opt/trim.hpp"

#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t part) {
    h = (h ^ part) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 31);
}

std::uint64_t hash(std::uint64_t h, const Block& block) {
    for (const Inst& inst : block.insts) {
        h = mix(mix(h, static_cast<std::uint64_t>(inst.op)), inst.bits);
        for (Local operand : inst.operands) h = mix(h, operand.index);
        for (const Block& nested : inst.blocks) h = hash(h, nested);
    }
    for (Local result : block.results) h = mix(h, result.index);
    return h;
}

std::uint64_t hash(const Binding& binding) {
    std::uint64_t h = mix(binding.op.index(), binding.types.size());
    for (ValueId operand : operands(binding.op)) h = mix(h, operand.index);
    for (SizeId size : binding.types[0].shape) h = mix(h, size.index);
    if (const Fn* fn = function_of(binding.op)) h = hash(h, fn->body);
    if (const auto* force = std::get_if<Force>(&binding.op)) h = mix(h, force->again ? 1 : 0);
    return h;
}

/// For each variable, the position of the first one that is the same.
std::vector<std::size_t> first_equals(const std::vector<ValueId>& ids) {
    std::unordered_map<ValueId, std::size_t> first;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < ids.size(); ++i) result.push_back(first.emplace(ids[i], i).first->second);
    return result;
}

/// The function with equal instructions merged, where of several parameters known to be equal only the first is used.
/// `variables` are those passed as its last parameters, `arrays` those in its slots.
Fn shared(const Fn& fn, const std::vector<ValueId>& variables, const std::vector<ValueId>& arrays) {
    BlockBuilder builder;
    Local first = builder.open(fn.body.params);
    std::vector<Local> params;
    std::size_t before = fn.body.params.size() - variables.size();
    for (std::size_t i = 0; i < before; ++i) params.push_back(Local(first.index + i));
    for (std::size_t equal : first_equals(variables)) params.push_back(Local(first.index + before + equal));
    std::vector<Local> results = inline_block(builder, fn.body, std::move(params), renumber_arrays(first_equals(arrays)));
    return canonical({fn.arrays, builder.close(std::move(results))});
}

/// True if the binding may be read from another body, for which it is stored unless it is a view. What is cheap to make may
/// be large where it would otherwise fuse.
bool is_stored(const Binding& binding) {
    if (const auto* map = std::get_if<Map>(&binding.op)) return binding.types[0].rank() == 0 || is_expensive(map->fn.body);
    return !std::holds_alternative<Gather>(binding.op);
}

class Cse : public Rebuilder {
    void binding(Binding&& binding) override {
        if (FunctionPart part = function_of(binding.op)) {
            std::vector<ValueId> variables;
            if (auto* map = std::get_if<Map>(&binding.op)) variables = map->args;
            variables.insert(variables.end(), part.captures->scalars.begin(), part.captures->scalars.end());
            *part.fn = shared(*part.fn, variables, part.captures->arrays);
        }
        if (bodies_of(binding.op) || binds_sizes(binding.op)) return keep(std::move(binding));
        std::uint64_t h = hash(binding);
        std::vector<Entry>& entries = entries_[h];
        for (const Entry& entry : entries)
            if ((*entry.body)[entry.position] == binding && (entry.body == &written() || is_stored(binding)))
                return define_results(binding, entry.first);
        entries.push_back({&written(), written().size(), ValueId(level())});
        noted_.push_back({h, level()});
        ValueId first = append(std::move(binding));
        define_results(written().back(), first);
    }

    /// Results of a map that are the same local of its function are one variable.
    void define_results(const Binding& binding, ValueId first) {
        std::vector<ValueId> names;
        const Map* map = std::get_if<Map>(&binding.op);
        std::unordered_map<Local, std::size_t> first_result;
        for (std::size_t i = 0; i < binding.types.size(); ++i) {
            std::size_t equal = map == nullptr ? i : first_result.emplace(map->fn.body.results[i], i).first->second;
            names.push_back(ValueId(first.index + equal));
        }
        define(names);
    }

    void close() override {
        for (; !noted_.empty() && noted_.back().level >= level(); noted_.pop_back()) entries_[noted_.back().hash].pop_back();
    }

    struct Entry {
        const std::vector<Binding>* body;  ///< the body is still open
        std::size_t position;
        ValueId first;
    };
    struct Noted {
        std::uint64_t hash;
        std::size_t level;
    };
    std::unordered_map<std::uint64_t, std::vector<Entry>> entries_;
    std::vector<Noted> noted_;
};

}  // namespace

Program cse(Program program) { return Cse().run(std::move(program)); }

}  // namespace sinter::opt
