// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/as_reduce.hpp"

#include "ir/walk.hpp"
#include "lower/locals.hpp"
#include "lower/loops.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::Local;
using ir::Op;

namespace {

bool is_fixed(const Inst& inst) { return inst.op == Op::constant || inst.op == Op::size; }

class Split {
  public:
    Split(const Inst& loop, std::size_t level) : loop_(loop), level_(level) {}

    std::optional<Inst> operator()() {
        find_nest();
        open();
        for (std::size_t depth = 0; depth < nest_.size(); ++depth)
            if (!body(depth)) return std::nullopt;
        combine_.results = right_.empty() ? std::vector<Local>() : operands(nest_.back()->blocks[0].results);
        const bool complete = std::all_of(right_.begin(), right_.end(), [](Local l) { return l.valid(); });
        if (!fits_ || !complete) return std::nullopt;
        element_.results = right_;
        Inst reduce{Op::reduce, loop_.types, reduce_bits(nest_.size(), false), {}, {element_, combine_}};
        for (const Inst* each : nest_) reduce.operands.push_back(each->operands[0]);
        reduce.operands.insert(reduce.operands.end(), loop_.operands.begin() + 1, loop_.operands.end());
        return reduce;
    }

  private:
    /// A local of the loop's bodies.
    struct Known {
        bool of_state = false;
        Local element = {}, combine = {};  ///< its names there, as far as it has any
        Scalar type = Scalar::i64;
        const Inst* fixed = nullptr;  ///< a constant or size, which either block may contain
    };

    std::size_t states() const { return loop_.types.size(); }

    /// The loop, and in it what is left of the nest: a loop that begins with the states and whose results are the next.
    void find_nest() {
        std::size_t level = level_;
        for (const Inst* loop = &loop_; loop;) {
            nest_.push_back(loop);
            const Block& body = loop->blocks[0];
            const std::size_t first = level + 1;
            level += body.params.size();
            if (body.insts.empty()) return;
            for (const Inst& inst : body.insts) level += inst.types.size();
            const Inst& last = body.insts.back();
            level -= last.types.size();
            const bool is_inner = last.op == Op::for_loop && last.types == loop_.types && last.operands[0].index < level_ &&
                                  hands_on(last.operands, 1, first) && hands_on(body.results, 0, level);
            loop = is_inner ? &last : nullptr;
        }
    }

    /// Whether the locals from number `from` on are those from level `first` on.
    static bool hands_on(const std::vector<Local>& locals, std::size_t from, std::size_t first) {
        for (std::size_t k = from; k < locals.size(); ++k)
            if (locals[k].index != first + k - from) return false;
        return true;
    }

    void open() {
        element_.params.assign(nest_.size(), Scalar::i64);
        for (int side = 0; side < 2; ++side)
            combine_.params.insert(combine_.params.end(), loop_.types.begin(), loop_.types.end());
        next_of_element_ = level_ + nest_.size();
        next_of_combine_ = level_ + 2 * states();
        right_.assign(states(), Local());
    }

    bool body(std::size_t depth) {
        const Block& block = nest_[depth]->blocks[0];
        const bool innermost = depth + 1 == nest_.size();
        known_.push_back({.element = Local(level_ + depth)});
        for (std::size_t k = 0; k < states(); ++k)
            known_.push_back({.of_state = true, .combine = Local(level_ + k), .type = loop_.types[k]});
        for (const Inst& inst : block.insts) {
            if (!innermost && &inst == nest_[depth + 1]) continue;
            if (!inst.blocks.empty() || inst.types.size() != 1) return false;
            const bool of_state = std::any_of(inst.operands.begin(), inst.operands.end(), [&](Local l) {
                return l.index >= level_ && known_[l.index - level_].of_state;
            });
            if (of_state ? !innermost || !to_combine(inst) : !to_element(inst)) return false;
        }
        return true;
    }

    bool to_element(const Inst& inst) {
        if (ir::has_effect(inst.op) || inst.op == Op::print) return false;
        Inst copy = inst;
        for (Local& l : copy.operands)
            if (l.index >= level_) l = known_[l.index - level_].element;
        element_.insts.push_back(std::move(copy));
        known_.push_back(
            {.element = Local(next_of_element_++), .type = inst.type(), .fixed = is_fixed(inst) ? &inst : nullptr});
        return true;
    }

    bool to_combine(const Inst& inst) {
        if (!ir::is_pure(inst.op, inst.type())) return false;
        Inst copy = inst;
        copy.operands = operands(inst.operands);
        combine_.insts.push_back(std::move(copy));
        known_.push_back({.of_state = true, .combine = Local(next_of_combine_++), .type = inst.type()});
        return fits_;
    }

    std::vector<Local> operands(const std::vector<Local>& locals) {
        std::vector<Local> result;
        for (Local l : locals) result.push_back(l.index < level_ ? l : in_combine(known_[l.index - level_]));
        return result;
    }

    Local in_combine(Known& known) {
        if (known.combine.valid()) return known.combine;
        if (known.fixed) {
            combine_.insts.push_back(*known.fixed);
            return known.combine = Local(next_of_combine_++);
        }
        for (std::size_t k = 0; k < states(); ++k) {
            if (right_[k].valid() || loop_.types[k] != known.type) continue;
            right_[k] = known.element;
            return known.combine = Local(level_ + states() + k);
        }
        fits_ = false;
        return Local(level_);
    }

    const Inst& loop_;
    const std::size_t level_;
    std::vector<const Inst*> nest_;  ///< outermost first
    std::vector<Known> known_;       ///< by local from level_ on
    Block element_, combine_;
    std::size_t next_of_element_ = 0, next_of_combine_ = 0;
    std::vector<Local> right_;  ///< by state: the value of an element that it is combined with
    bool fits_ = true;
};

}  // namespace

std::optional<Inst> as_reduce(const Inst& loop, std::size_t level) {
    if (loop.op != Op::for_loop || loop.types.empty()) return std::nullopt;
    return Split(loop, level)();
}

namespace {

/// Whether the result depends neither on the order of elements nor on how they are grouped.
bool associates_exactly(Op op) {
    return op == Op::add || op == Op::mul || op == Op::minimum || op == Op::maximum || op == Op::bit_and ||
           op == Op::bit_or || op == Op::bit_xor;
}

/// The reduce, if each state is combined with one value of an element by such an operation on integers: with that of its own
/// place, so that what has been combined may be combined again. `level`: the first local of its blocks.
std::optional<Inst> exact(Inst reduce, std::size_t level) {
    Block& combine = reduce.blocks[1];
    const std::size_t states = reduce.types.size(), right = level + states, first = right + states;
    if (combine.insts.size() != states || !std::all_of(reduce.types.begin(), reduce.types.end(), detail::is_integer))
        return std::nullopt;
    std::vector<Local> values;
    for (std::size_t k = 0; k < states; ++k) {
        if (combine.results[k].index < first) return std::nullopt;
        Inst& inst = combine.insts[combine.results[k].index - first];
        if (!associates_exactly(inst.op)) return std::nullopt;
        const std::size_t side = inst.operands[0] == Local(level + k) ? 1 : 0;
        Local& value = inst.operands[side];
        if (inst.operands[1 - side] != Local(level + k) || value.index < right || value.index >= first) return std::nullopt;
        values.push_back(reduce.blocks[0].results[value.index - right]);
        value = Local(right + k);
    }
    reduce.blocks[0].results = std::move(values);
    reduce.bits = reduce_bits(1, true);
    return reduce;
}

/// The reduce for the loop in front of the block, whose count may be negative, and after it what else is in the block.
void put_reduce(Block& body, std::size_t at, std::size_t level, Inst reduce) {
    Block rest;
    rest.insts.assign(std::make_move_iterator(body.insts.begin() + static_cast<std::ptrdiff_t>(at)),
                      std::make_move_iterator(body.insts.end()));
    rest.insts[0] = std::move(reduce);
    rest.results = std::move(body.results);
    shift(rest, level, 2);
    const Local count = rest.insts[0].operands[0];
    rest.insts[0].operands[0] = Local(level + 1);
    body.insts.resize(at);
    body.insts.push_back(Inst{Op::constant, {Scalar::i64}, 0, {}, {}});
    body.insts.push_back(Inst{Op::maximum, {Scalar::i64}, 0, {count, Local(level)}, {}});
    body.insts.insert(body.insts.end(), std::make_move_iterator(rest.insts.begin()),
                      std::make_move_iterator(rest.insts.end()));
    body.results = std::move(rest.results);
}

}  // namespace

Kernel with_exact_folds(Kernel kernel) {
    Block& body = kernel.body;
    const auto has_loop = [](const Inst& inst) { return is_loop(inst.op); };
    if (!kernel.space.empty() || ir::any_inst(body, has_loop)) return kernel;
    std::size_t level = 0;
    for (std::size_t k = 0; k < body.insts.size(); ++k) {
        auto reduce = as_reduce(body.insts[k], level);
        if (reduce) reduce = loop_rank(*reduce) == 1 ? exact(std::move(*reduce), level) : std::nullopt;
        if (reduce) {
            put_reduce(body, k, level, std::move(*reduce));
            k += 2, level += 2;
        }
        level += body.insts[k].types.size();
    }
    return kernel;
}

}  // namespace sinter::lower
