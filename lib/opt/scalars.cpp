// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "opt/algebra/constants.hpp"
#include "opt/passes.hpp"
#include "opt/trim.hpp"
#include "opt/tuning.hpp"
#include "opt/uses.hpp"

#include <unordered_map>

namespace sinter::opt {

using namespace ir;

namespace {

std::vector<ValueId> inputs_of(const Map& map) {
    std::vector<ValueId> ids = map.args;
    ids.insert(ids.end(), map.captures.scalars.begin(), map.captures.scalars.end());
    return ids;
}

class Scalars : public Rebuilder {
  public:
    explicit Scalars(const UseCounts& counts) : counts_(counts) {}

  private:
    bool before_renaming(Binding& binding) override {
        old_ = &binding;
        return true;
    }

    void binding(Binding&& binding) override {
        const std::vector<std::size_t>& counts = counts_.at(old_);
        auto* map = std::get_if<Map>(&binding.op);
        FunctionPart part = function_of(binding.op);
        if (part) rank0_arrays_become_scalars(*part.fn, *part.captures);
        bool scalar = map != nullptr && binding.types[0].rank() == 0;
        if (scalar) merge_producers(*map);
        if (part) *part.fn = with_constants(*part.fn, scalar ? inputs_of(*map) : part.captures->scalars);
        keep(std::move(binding));
        if (!scalar) return;
        constants_.note(written().back(), level());
        std::size_t uses = 0;
        for (std::size_t count : counts) uses += count;
        for (std::size_t i = 0; i < counts.size(); ++i)
            producers_[ValueId(level() - counts.size() + i)] = {&written(), written().size() - 1, level() - counts.size(),
                                                                uses};
    }

    void close() override {
        constants_.forget_from(level());
        std::erase_if(producers_, [&](const auto& producer) { return producer.first.index >= level(); });
    }

    /// Slots of rank 0, which are read without an index, become parameters, which are added after the others.
    void rank0_arrays_become_scalars(Fn& fn, Captures& captures) {
        std::vector<Scalar> params = fn.body.params;
        std::vector<std::size_t> scalar_of(fn.arrays.size());  // by slot: level of the parameter, or 0 if its rank is not 0
        std::vector<std::size_t> slot_of(fn.arrays.size());
        Captures changed{captures.scalars, {}};
        std::vector<ArrayParam> arrays;
        for (std::size_t slot = 0; slot < fn.arrays.size(); ++slot) {
            bool scalar = fn.arrays[slot].rank == 0;
            slot_of[slot] = scalar ? params.size() : arrays.size();
            scalar_of[slot] = scalar ? 1 : 0;
            if (scalar)
                params.push_back(fn.arrays[slot].scalar), changed.scalars.push_back(captures.arrays[slot]);
            else
                arrays.push_back(fn.arrays[slot]), changed.arrays.push_back(captures.arrays[slot]);
        }
        if (arrays.size() == fn.arrays.size()) return;
        Rewrite renumber = renumber_arrays(slot_of);
        auto rewrite = [&](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
            if (inst.op == Op::read && scalar_of[inst.bits] != 0) return Local(slot_of[inst.bits]);
            return renumber(to, inst);
        };
        fn.body = inlined(fn.body, params, rewrite);
        fn.arrays = std::move(arrays);
        captures = std::move(changed);
    }

    /// The body with parameters of these types, the first of which are its own.
    static Block inlined(const Block& body, const std::vector<Scalar>& params, const Rewrite& rewrite) {
        BlockBuilder builder;
        Local first = builder.open(params);
        std::vector<Local> substitution;
        for (std::size_t i = 0; i < body.params.size(); ++i) substitution.push_back(Local(first.index + i));
        std::vector<Local> results = inline_block(builder, body, std::move(substitution), rewrite);
        return builder.close(std::move(results));
    }

    /// The last parameters, if their variables are known constants, are replaced by constants; the parameters stay, unused.
    Fn with_constants(const Fn& fn, const std::vector<ValueId>& variables) const {
        std::size_t first = fn.body.params.size() - variables.size();
        bool any = false;
        for (ValueId id : variables) any = any || constants_.find(id);
        if (!any) return fn;
        BlockBuilder builder;
        builder.open(fn.body.params);
        std::vector<Local> substitution;
        for (std::size_t i = 0; i < fn.body.params.size(); ++i) {
            auto bits = i < first ? std::nullopt : constants_.find(variables[i - first]);
            substitution.push_back(bits ? builder.constant(fn.body.params[i], *bits) : Local(i));
        }
        std::vector<Local> results = inline_block(builder, fn.body, std::move(substitution));
        return canonical({fn.arrays, builder.close(std::move(results))});
    }

    struct Producer {
        const std::vector<Binding>* body;
        std::size_t position;
        std::size_t level;  ///< of its first result
        std::size_t uses;   ///< of all its results, in the whole program
    };

    /// Rank-0 maps of this body whose results are used only by `map` become part of it.
    void merge_producers(Map& map) {
        std::unordered_map<std::size_t, std::size_t> uses;  // by level of the producer's first result
        for (ValueId id : inputs_of(map))
            if (auto* producer = producer_of(id)) ++uses[producer->level];
        for (ValueId id : inputs_of(map)) {
            auto* producer = producer_of(id);
            if (producer == nullptr || uses[producer->level] != producer->uses) continue;
            uses[producer->level] = 0;  // merged
            merge(map, std::get<Map>((*producer->body)[producer->position].op), producer->level);
        }
    }

    const Producer* producer_of(ValueId id) {
        auto found = producers_.find(id);
        if (found == producers_.end() || found->second.body != &written() || found->second.uses == 0) return nullptr;
        const Map& map = std::get<Map>(written()[found->second.position].op);
        return map.fn.body.insts.size() > tuning::longest_merge ? nullptr : &found->second;
    }

    /// The new inputs are those of `map` that are not results of `producer`, then those of `producer`; all are arguments.
    static void merge(Map& map, const Map& producer, std::size_t producer_level) {
        std::vector<ValueId> inputs = inputs_of(map), all;
        std::size_t count = producer.fn.body.results.size();
        auto is_produced = [&](ValueId id) { return id.index >= producer_level && id.index < producer_level + count; };
        std::vector<Scalar> params;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (!is_produced(inputs[i])) all.push_back(inputs[i]), params.push_back(map.fn.body.params[i]);
        std::size_t own = all.size(), slots = map.fn.arrays.size();
        for (ValueId id : inputs_of(producer)) all.push_back(id);
        params.insert(params.end(), producer.fn.body.params.begin(), producer.fn.body.params.end());
        BlockBuilder builder;
        builder.open(params);
        std::vector<Local> substitution;
        for (std::size_t i = own; i < all.size(); ++i) substitution.push_back(Local(i));
        std::vector<std::size_t> shifted;
        for (std::size_t slot = 0; slot < producer.fn.arrays.size(); ++slot) shifted.push_back(slots + slot);
        std::vector<Local> produced =
            inline_block(builder, producer.fn.body, std::move(substitution), renumber_arrays(std::move(shifted)));
        substitution.clear();
        std::size_t next = 0;
        for (ValueId id : inputs)
            substitution.push_back(is_produced(id) ? produced[id.index - producer_level] : Local(next++));
        std::vector<Local> results = inline_block(builder, map.fn.body, std::move(substitution));
        std::vector<ArrayParam> arrays = map.fn.arrays;
        arrays.insert(arrays.end(), producer.fn.arrays.begin(), producer.fn.arrays.end());
        map.fn = canonical({std::move(arrays), builder.close(std::move(results))});
        map.args = std::move(all);
        map.captures.scalars.clear();
        const std::vector<ValueId>& more = producer.captures.arrays;
        map.captures.arrays.insert(map.captures.arrays.end(), more.begin(), more.end());
    }

    const UseCounts& counts_;
    const Binding* old_ = nullptr;
    Constants constants_;
    std::unordered_map<ValueId, Producer> producers_;
};

}  // namespace

Program scalars(Program program) {
    UseCounts counts = use_counts(program);
    return Scalars(counts).run(std::move(program));
}

}  // namespace sinter::opt
