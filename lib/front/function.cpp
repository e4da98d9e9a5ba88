// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of function frames, and the functions that they become.
#include "front/frame.hpp"
#include "ir/builder.hpp"
#include "support/check.hpp"
#include "support/text/user_text.hpp"

#include <fmt/format.h>

namespace sinter::front {
namespace {

bool same(const Leaf& a, const Leaf& b) { return a.node.get() == b.node.get() && a.result == b.result; }

bool is_open(const FunctionFrame& frame, std::uint32_t block) {
    for (const RecordedBlock& open : frame.open)
        if (open.number == block) return true;
    return false;
}

/// Replays a recording into a builder; `locals` maps value numbers to locals.
class Replay {
  public:
    Replay(const FunctionFrame& frame, const std::vector<ValueNumber>& results)
        : frame_(frame), locals_(frame.values.size()) {
        RecordedBlock body = frame.open[0];
        for (const Neighbour& neighbour : frame.neighbours) body.params.push_back(neighbour.value);
        body.params.insert(body.params.end(), frame.captured.begin(), frame.captured.end());
        body.results = results;
        fn_.arrays = frame.arrays;
        fn_.body = replay(body);
    }
    /// Replays a single block.
    Replay(const FunctionFrame& frame, const RecordedBlock& block) : frame_(frame), locals_(frame.values.size()) {
        fn_.arrays = frame.arrays;
        fn_.body = replay(block);
    }
    ir::Fn take() { return std::move(fn_); }

  private:
    std::vector<ir::Local> locals(const std::vector<ValueNumber>& values) const {
        std::vector<ir::Local> result;
        for (ValueNumber value : values) result.push_back(locals_[value]);
        return result;
    }

    ir::Block replay(const RecordedBlock& block) {
        std::vector<Scalar> types;
        for (ValueNumber param : block.params) types.push_back(frame_.values[param].type);
        std::size_t local = builder_.open(types).index;
        for (ValueNumber param : block.params) locals_[param] = ir::Local(local++);
        for (const Recorded& recorded : block.insts) {
            ir::Inst inst{recorded.op, recorded.types, recorded.bits, locals(recorded.operands), {}};
            for (const RecordedBlock& nested : recorded.blocks) inst.blocks.push_back(replay(nested));
            std::size_t first = builder_.emit(std::move(inst)).index;
            for (std::size_t i = 0; i < recorded.types.size(); ++i) locals_[recorded.first + i] = ir::Local(first + i);
        }
        return builder_.close(locals(block.results));
    }

    const FunctionFrame& frame_;
    std::vector<ir::Local> locals_;
    ir::BlockBuilder builder_;
    ir::Fn fn_;
};

/// The values that a block and those nested in it use, and those that are made there.
void find_values(const RecordedBlock& block, std::vector<ValueNumber>& used, std::vector<bool>& made) {
    for (ValueNumber param : block.params) made[param] = true;
    for (const Recorded& inst : block.insts) {
        used.insert(used.end(), inst.operands.begin(), inst.operands.end());
        for (std::size_t k = 0; k < inst.types.size(); ++k) made[inst.first + k] = true;
        for (const RecordedBlock& nested : inst.blocks) find_values(nested, used, made);
    }
    used.insert(used.end(), block.results.begin(), block.results.end());
}

/// The reverse: instructions of a function become recorded ones.
class Recording {
  public:
    Recording(Frame& frame, std::vector<ValueNumber> values) : frame_(frame), values_(std::move(values)) {}

    std::vector<ValueNumber> record(const ir::Block& block) {
        for (const ir::Inst& inst : block.insts) {
            Recorded made{inst.op, inst.types, inst.bits, values(inst.operands), {}};
            for (const ir::Block& nested : inst.blocks) made.blocks.push_back(record_nested(nested));
            const ValueNumber first = add_inst(frame_, std::move(made)).local;
            for (std::size_t k = 0; k < inst.types.size(); ++k) values_.push_back(first + static_cast<ValueNumber>(k));
        }
        return values(block.results);
    }

  private:
    std::vector<ValueNumber> values(const std::vector<ir::Local>& locals) const {
        std::vector<ValueNumber> made;
        for (ir::Local local : locals) made.push_back(values_[local.index]);
        return made;
    }

    RecordedBlock record_nested(const ir::Block& block) {
        auto& function = std::get<FunctionFrame>(frame_.body);
        const std::size_t level = values_.size();
        open_recorded_block(function);
        for (Scalar param : block.params) values_.push_back(add_value(function, param));
        std::vector<ValueNumber> results = record(block);
        values_.resize(level);
        RecordedBlock made = std::move(function.open.back());
        function.open.pop_back();
        made.results = std::move(results);
        return made;
    }

    Frame& frame_;
    std::vector<ValueNumber> values_;  ///< by level
};

}  // namespace

ir::Fn closed_block(const FunctionFrame& frame, const RecordedBlock& block, std::vector<ValueNumber>& outer) {
    std::vector<ValueNumber> used;
    std::vector<bool> made(frame.values.size());
    find_values(block, used, made);
    for (ValueNumber value : used)
        if (!made[value]) made[value] = true, outer.push_back(value);
    RecordedBlock closed = block;
    closed.params.insert(closed.params.end(), outer.begin(), outer.end());
    return Replay(frame, closed).take();
}

std::vector<ValueNumber> record_inlined(Frame& frame, const ir::Fn& fn, const std::vector<ValueNumber>& arguments) {
    return Recording(frame, arguments).record(fn.body);
}

ValueNumber add_value(FunctionFrame& frame, Scalar type) {
    auto number = static_cast<ValueNumber>(frame.values.size());
    frame.values.push_back({type, frame.open.back().number});
    frame.open.back().params.push_back(number);
    return number;
}

Handle add_inst(Frame& frame, Recorded inst) {
    auto& function = std::get<FunctionFrame>(frame.body);
    inst.first = static_cast<ValueNumber>(function.values.size());
    for (Scalar type : inst.types) function.values.push_back({type, function.open.back().number});
    function.open.back().insts.push_back(std::move(inst));
    return {frame.serial, function.open.back().insts.back().first};
}

void open_recorded_block(FunctionFrame& frame) {
    frame.open.emplace_back();
    frame.open.back().number = frame.blocks++;
}

ValueNumber add_outer_value(FunctionFrame& frame, Scalar type) {
    frame.values.push_back({type, frame.open[0].number});
    return static_cast<ValueNumber>(frame.values.size() - 1);
}

ValueNumber capture_scalar(FunctionFrame& frame, const Leaf& leaf) {
    for (std::size_t i = 0; i < frame.captured.size(); ++i)
        if (same(frame.captures.scalars[i], leaf)) return frame.captured[i];
    frame.captures.scalars.push_back(leaf);
    frame.captured.push_back(add_outer_value(frame, type_of(leaf).scalar));
    return frame.captured.back();
}

std::size_t capture_array(FunctionFrame& frame, const Leaf& leaf) {
    for (std::size_t i = 0; i < frame.captures.arrays.size(); ++i)
        if (same(frame.captures.arrays[i], leaf)) return i;
    frame.captures.arrays.push_back(leaf);
    frame.arrays.push_back({type_of(leaf).scalar, type_of(leaf).shape.size()});
    return frame.arrays.size() - 1;
}

ValueNumber resolve(Frame& frame, Handle handle) {
    auto& function = std::get<FunctionFrame>(frame.body);
    if (handle.trace == frame.serial) {
        check(handle.local < function.values.size(), "a handle names a value of its function");
        if (is_open(function, function.values[handle.local].block)) return handle.local;
        throw UsageError(
            fmt::format("inside {}, an Exp made in a branch or loop body is used outside it: return it from there",
                        describe(frame)),
            frame.where);
    }
    Frame* owner = find_frame(handle.trace);
    if (!owner) throw_not_open(handle);
    if (std::holds_alternative<FunctionFrame>(owner->body))
        throw UsageError(
            fmt::format("{} uses a scalar of {}: functions of combinators are flat, a combinator inside a function "
                        "cannot depend on that function's scalars. Use vmap instead of map, and vmap of iota(n) instead of "
                        "generate: "
                        "combinators depend on its slices. Or use scalar operations, for_loop or while_loop, or read single "
                        "elements of arrays with a(i)",
                        describe(frame), describe(*owner)),
            frame.where);
    const Leaf& leaf = std::get<ProgramFrame>(owner->body).scalars[handle.local];
    if (auto* literal = std::get_if<Literal>(&leaf.node->op))
        return add_inst(frame, {Op::constant, {type_of(leaf).scalar}, literal->bits, {}, {}}).local;
    return capture_scalar(function, leaf);
}

ValueNumber element_number(FunctionFrame& frame) {
    if (!frame.element) frame.element = add_outer_value(frame, Scalar::i64);
    return *frame.element;
}

void add_effect(Frame& frame, ValueNumber value) {
    std::optional<ValueNumber>& effects = std::get<FunctionFrame>(frame.body).open.back().effects;
    effects = effects ? add_inst(frame, {Op::bit_and, {Scalar::boolean}, 0, {*effects, value}, {}}).local : value;
}

std::vector<ValueNumber> after_effects(Frame& frame, std::vector<ValueNumber> results) {
    auto& function = std::get<FunctionFrame>(frame.body);
    const std::optional<ValueNumber> effects = function.open.back().effects;
    if (!effects) return results;
    for (ValueNumber& result : results) {
        const Scalar type = function.values[result].type;
        const ValueNumber zero = add_inst(frame, {Op::constant, {type}, 0, {}, {}}).local;
        result = add_inst(frame, {Op::select, {type}, 0, {*effects, result, zero}, {}}).local;
    }
    return results;
}

namespace {

void set_rank_of_texts(RecordedBlock& block, std::size_t rank) {
    for (Recorded& inst : block.insts) {
        if (inst.op == Op::expect || inst.op == Op::debug_print) inst.bits |= rank;
        for (RecordedBlock& nested : inst.blocks) set_rank_of_texts(nested, rank);
    }
}

/// The instructions that pack indices; the last of them defines the function's element number.
class ElementNumber {
  public:
    explicit ElementNumber(FunctionFrame& frame) : frame_(frame) {}

    std::vector<Recorded> none() {
        define(*frame_.element, Op::constant, 0, {});
        return std::move(insts_);
    }

    std::vector<Recorded> packed(const std::vector<ValueNumber>& indices) {
        const int bits = bits_of_index(indices.size());
        const ValueNumber width = make(Op::constant, static_cast<std::uint64_t>(bits), {});
        const ValueNumber most = make(Op::constant, (std::uint64_t{1} << bits) - 1, {});
        ValueNumber number = indices[0];
        for (std::size_t axis = 1; axis < indices.size(); ++axis) {
            const ValueNumber shifted = make(Op::shift_left, 0, {number, width});
            const ValueNumber index = make(Op::minimum, 0, {indices[axis], most});
            number = axis + 1 < indices.size() ? add_outer_value(frame_, Scalar::i64) : *frame_.element;
            define(number, Op::bit_or, 0, {shifted, index});
        }
        return std::move(insts_);
    }

  private:
    void define(ValueNumber value, Op op, std::uint64_t bits, std::vector<ValueNumber> operands) {
        insts_.push_back({op, {Scalar::i64}, bits, std::move(operands), {}, value});
    }
    ValueNumber make(Op op, std::uint64_t bits, std::vector<ValueNumber> operands) {
        const ValueNumber value = add_outer_value(frame_, Scalar::i64);
        define(value, op, bits, std::move(operands));
        return value;
    }

    FunctionFrame& frame_;
    std::vector<Recorded> insts_;
};

void prepend(RecordedBlock& block, std::vector<Recorded> insts) {
    block.insts.insert(block.insts.begin(), std::make_move_iterator(insts.begin()), std::make_move_iterator(insts.end()));
}

/// Passes the indices to the function, unless it has them already, and defines the number of the element.
void number_elements(FunctionFrame& function, std::size_t rank, bool& indexed) {
    RecordedBlock& body = function.open[0];
    std::vector<ValueNumber> indices;
    for (std::size_t axis = 0; axis < rank; ++axis)
        indices.push_back(indexed     ? body.params[axis]
                          : rank == 1 ? *function.element
                                      : add_outer_value(function, Scalar::i64));
    if (rank > 1) prepend(body, ElementNumber(function).packed(indices));
    if (rank == 1 && indexed)
        prepend(body, {{Op::minimum, {Scalar::i64}, 0, {indices[0], indices[0]}, {}, *function.element}});
    if (!indexed) body.params.insert(body.params.begin(), indices.begin(), indices.end());
    indexed = true;
    set_rank_of_texts(body, rank);
}

ir::Fn finish(Frame& frame, const Handle* results, std::size_t count) {
    std::vector<ValueNumber> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(resolve(frame, results[i]));
    values = after_effects(frame, std::move(values));
    return ir::canonical(Replay(std::get<FunctionFrame>(frame.body), values).take());
}

}  // namespace

ir::Fn finish_function(Frame& frame, const Handle* results, std::size_t count) {
    auto& function = std::get<FunctionFrame>(frame.body);
    if (function.element) prepend(function.open[0], ElementNumber(function).none());
    return finish(frame, results, count);
}

ir::Fn finish_element_function(Frame& frame, const Handle* results, std::size_t count, std::size_t rank, bool& indexed) {
    auto& function = std::get<FunctionFrame>(frame.body);
    if (!function.element || rank == 0 || rank > most_numbered_axes) return finish_function(frame, results, count);
    number_elements(function, rank, indexed);
    return finish(frame, results, count);
}

}  // namespace sinter::front
