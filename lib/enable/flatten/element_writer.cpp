// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/element_writer.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// The position of `id`, which is added if it is new.
std::size_t position(std::vector<ValueId>& ids, ValueId id) {
    const auto known = std::find(ids.begin(), ids.end(), id);
    const auto at = static_cast<std::size_t>(known - ids.begin());
    if (known == ids.end()) ids.push_back(id);
    return at;
}

Locals results_of(BlockBuilder& builder, Inst inst) {
    const std::size_t count = inst.types.size();
    const Local first = builder.emit(std::move(inst));
    Locals results;
    for (std::size_t k = 0; k < count; ++k) results.emplace_back(first.index + k);
    return results;
}

}  // namespace

ElementWriter::Written ElementWriter::write(const TypeOf& type_of, const std::vector<Scalar>& params, const Emit& emit) {
    ElementWriter trial(type_of, params.size(), true), writer(type_of, params.size(), false);
    trial.builder_.open(params);
    emit(trial);
    writer.captures_.scalars = trial.captures_.scalars;
    std::vector<Scalar> all = params;
    for (ValueId id : writer.captures_.scalars) all.push_back(type_of(id).scalar);
    writer.builder_.open(all);
    Block body = writer.builder_.close(emit(writer));
    Fn fn{{}, std::move(body)};
    for (ValueId id : writer.captures_.arrays) fn.arrays.push_back({type_of(id).scalar, type_of(id).rank()});
    return {canonical(fn), std::move(writer.captures_)};
}

std::size_t ElementWriter::slot(ValueId array) { return position(captures_.arrays, array); }

Local ElementWriter::read(ValueId array, Locals index) {
    return builder_.emit(Inst{Op::read, {type_of_(array).scalar}, slot(array), std::move(index), {}});
}

Local ElementWriter::extent(ValueId array, std::size_t axis) {
    return builder_.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({slot(array), axis}), {}, {}});
}

Local ElementWriter::scalar(ValueId id) {
    const std::size_t at = position(captures_.scalars, id);
    return trial_ ? builder_.constant(type_of_(id).scalar, 0) : Local(params_ + at);
}

Local ElementWriter::checked(Local index, Local extent, std::size_t axis) {
    return builder_.emit(Inst{Op::check_index, {Scalar::i64}, axis, {index, extent}, {}});
}

Locals ElementWriter::for_loop(Local count, const Locals& states, const std::function<Locals(Local, Locals)>& body) {
    Inst loop{Op::for_loop, {}, 0, {count}, {}};
    std::vector<Scalar> params{Scalar::i64};
    for (Local state : states) {
        loop.operands.push_back(state);
        loop.types.push_back(builder_.type(state));
        params.push_back(builder_.type(state));
    }
    Locals inside = open_states(params);
    const Local index = inside.front();
    inside.erase(inside.begin());
    loop.blocks.push_back(builder_.close(body(index, std::move(inside))));
    return results_of(builder_, std::move(loop));
}

Locals ElementWriter::open_states(const std::vector<Scalar>& types) {
    const Local first = builder_.open(types);
    Locals states;
    for (std::size_t k = 0; k < types.size(); ++k) states.emplace_back(first.index + k);
    return states;
}

Locals ElementWriter::while_loop(Locals states, const std::function<Local(Locals)>& goes_on,
                                 const std::function<Locals(Locals)>& body) {
    Inst loop{Op::while_loop, {}, 0, states, {}};
    for (Local state : states) loop.types.push_back(builder_.type(state));
    const Local condition = goes_on(open_states(loop.types));
    loop.blocks.push_back(builder_.close({condition}));
    const Locals next = body(open_states(loop.types));
    loop.blocks.push_back(builder_.close(next));
    return results_of(builder_, std::move(loop));
}

Locals ElementWriter::cond(Local condition, const std::function<Locals()>& then, const std::function<Locals()>& otherwise) {
    Inst cond{Op::cond, {}, 0, {condition}, {}};
    builder_.open({});
    const Locals results = then();
    for (Local result : results) cond.types.push_back(builder_.type(result));
    cond.blocks.push_back(builder_.close(results));
    builder_.open({});
    cond.blocks.push_back(builder_.close(otherwise()));
    return results_of(builder_, std::move(cond));
}

}  // namespace sinter::enable
