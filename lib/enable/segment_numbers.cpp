// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/segment_numbers.hpp"

#include "ir/builder.hpp"

#include <algorithm>
#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

bool is_function(const Fn& fn, const std::vector<Scalar>& params, Local (*emit)(BlockBuilder&)) {
    BlockBuilder builder;
    builder.open(params);
    const Local result = emit(builder);
    return fn == canonical({{}, builder.close({result})});
}

/// The start of a segment with a length, and -1 for an empty one. Parameters: length, start.
Local place(BlockBuilder& to) {
    const Local some = to.emit(Op::greater, {Local(0), to.constant_index(0)});
    return to.emit(Op::select, {some, Local(1), to.constant_index(-1)});
}

/// The start, after the length has been checked. Parameters: number, start, length.
Local checked_start(BlockBuilder& to) {
    return to.emit(Op::sub, {to.emit(Op::segment_end, {Local(1), Local(2), Local(0)}), Local(2)});
}

bool is_constant_zero(const Map& map) {
    const Block& body = map.fn.body;
    return map.args.empty() && body.insts.size() == 1 && body.insts[0].op == Op::constant && body.insts[0].bits == 0 &&
           body.results == std::vector{Local(body.params.size())};
}

/// Follows which locals of a function are the total of all lengths, and which are starts.
class TotalFinder {
  public:
    void parameter(bool is_total) { locals_.push_back(is_total ? Kind::total : Kind::other); }
    void array(bool are_starts) { arrays_.push_back(are_starts); }
    bool run(const Block& body) { return locals_.size() == body.params.size() && result(body) == Kind::total; }

  private:
    enum class Kind : std::uint8_t { other, start, total };

    Kind result(const Block& block) {
        const std::size_t level = locals_.size();
        for (const Inst& inst : block.insts) {
            const Kind kind = this->kind(inst);
            locals_.push_back(kind);
            locals_.resize(locals_.size() + inst.types.size() - 1, Kind::other);
        }
        const Kind kind = block.results.size() == 1 ? locals_[block.results[0].index] : Kind::other;
        locals_.resize(level);
        return kind;
    }

    /// No start is larger than the total.
    Kind kind(const Inst& inst) {
        if (inst.op == Op::read) return arrays_[inst.bits] ? Kind::start : Kind::other;
        if (inst.op == Op::cond) {
            const Kind then = result(inst.blocks[0]), otherwise = result(inst.blocks[1]);
            return then == otherwise ? then : Kind::other;
        }
        if (inst.op != Op::maximum) return Kind::other;
        const Kind a = locals_[inst.operands[0].index], b = locals_[inst.operands[1].index];
        return a == Kind::other || b == Kind::other ? Kind::other : std::max(a, b);
    }

    std::vector<Kind> locals_;
    std::vector<bool> arrays_;
};

bool captures_nothing(const Captures& captures) { return captures.scalars.empty() && captures.arrays.empty(); }

}  // namespace

template <class Op>
const Op* Definitions::maker(ValueId id, std::size_t result) const {
    const Made& made = made_[id.index];
    return made.binding != nullptr && made.result == result ? std::get_if<Op>(&made.binding->op) : nullptr;
}

bool Definitions::is_iota(ValueId id) const {
    const auto* map = maker<Map>(id);
    return map != nullptr && map->indexed && map->args.empty() && map->fn.body.results == std::vector{Local(0)} &&
           map->fn.body.params == std::vector{Scalar::i64};
}

bool Definitions::is_zeros(ValueId id) const {
    if (const auto* view = maker<View>(id); view != nullptr && std::holds_alternative<Broadcast>(view->function))
        return types_[view->arg.index].rank() == 0 && is_zeros(view->arg);
    const auto* map = maker<Map>(id);
    return map != nullptr && is_constant_zero(*map);
}

bool Definitions::are_starts(ValueId starts, ValueId lengths) const {
    const std::vector<Scalar> params(3, Scalar::i64);
    const auto* checked = maker<Map>(starts);
    if (checked == nullptr || !checked->indexed || checked->args.size() != 2 || checked->args[1] != lengths) return false;
    if (!captures_nothing(checked->captures) || !is_function(checked->fn, params, checked_start)) return false;
    const auto* sums = maker<Scan>(checked->args[0]);
    return sums != nullptr && sums->exclusive && !sums->reverse && !sums->sequential && as_single_op(sums->op) == Op::add &&
           sums->args == std::vector{lengths} && is_zeros(sums->inits[0]);
}

/// True if it is the extent, or equal to it by a guard. An extent is the total, or the larger of it and 0.
bool Definitions::is_total(SizeId size, const NumberedSegments& segments) const {
    const auto is = [&](SizeId id) {
        const Size& entry = sizes_[id];
        if (entry.kind == Size::Kind::value) return is_total(ValueId(entry.index), segments);
        if (entry.kind != Size::Kind::maximum) return false;
        for (const auto& [some, other] : {std::pair(entry.left, entry.right), std::pair(entry.right, entry.left)})
            if (sizes_.is_constant(other, 0) && sizes_[some].kind == Size::Kind::value)
                return is_total(ValueId(sizes_[some].index), segments);
        return false;
    };
    if (is(size)) return true;
    for (const Body* body : bodies_)
        for (const Guard& guard : body->guards)
            if ((guard.left == size && is(guard.right)) || (guard.right == size && is(guard.left))) return true;
    return false;
}

/// True for the sum of the lengths, and for the larger of it and a start.
bool Definitions::is_total(ValueId scalar, const NumberedSegments& segments) const {
    const ValueId sums = maker<Map>(segments.starts)->args[0];
    if (scalar.index == sums.index + 1) return true;
    const auto* map = maker<Map>(scalar);
    if (map == nullptr) return false;
    TotalFinder finder;
    for (const auto* ids : {&map->args, &map->captures.scalars})
        for (ValueId id : *ids) finder.parameter(id.index == sums.index + 1);
    for (ValueId id : map->captures.arrays) finder.array(id == segments.starts);
    return finder.run(map->fn.body);
}

std::optional<NumberedSegments> Definitions::numbered_by(ValueId id) const {
    const Type& type = types_[id.index];
    if (type.rank() != 1 || type.scalar != Scalar::i64) return std::nullopt;
    if (const auto* gather = maker<Gather>(id)) {
        if (gather->indices.size() != 1 || !is_iota(gather->sources[0])) return std::nullopt;
        const auto found = numbered_by(gather->indices[0]);
        return found && extent(gather->sources[0]) == extent(found->lengths) ? found : std::nullopt;
    }
    const auto* largest = maker<Scan>(id);
    if (largest == nullptr || largest->exclusive || largest->reverse || largest->sequential || !largest->inits.empty() ||
        largest->args.size() != 1 || as_single_op(largest->op) != Op::maximum)
        return std::nullopt;
    const auto found = marked_by(largest->args[0]);
    return found && is_total(extent(id), *found) ? found : std::nullopt;
}

/// The number of each segment where it begins, 0 elsewhere.
std::optional<NumberedSegments> Definitions::marked_by(ValueId id) const {
    const auto* marks = maker<Scatter>(id);
    if (marks == nullptr || marks->op || marks->drops != std::size_t{0} || !is_zeros(marks->dests[0]) ||
        !is_iota(marks->values[0]))
        return std::nullopt;
    const auto* places = maker<Map>(marks->indices[0]);
    if (places == nullptr || places->indexed || places->args.size() != 2 || !captures_nothing(places->captures) ||
        !is_function(places->fn, {Scalar::i64, Scalar::i64}, place) || !are_starts(places->args[1], places->args[0]))
        return std::nullopt;
    return NumberedSegments{places->args[0], places->args[1]};
}

}  // namespace sinter::enable
