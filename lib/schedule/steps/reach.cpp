// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values are bounded by slope * i + [low, high], where i is the outermost index. An index that is kept within an axis lies
// beyond its linear function at the borders only; how far, follows from where i is.
#include "schedule/steps/reach.hpp"

#include "ir/evaluate.hpp"
#include "lower/loops.hpp"
#include "schedule/steps/bounds.hpp"

#include <optional>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

class Walk {
  public:
    /// `loop`: the loop whose parts are meant; null for parts of the launch.
    Walk(const lower::Kernel& kernel, const std::int64_t* sizes, PartFacts& facts, Overwriting overwriting,
         const Inst* loop = nullptr, Updating updating = Updating::refused, const KnownNumbers& known = {})
        : kernel_(kernel),
          sizes_(sizes),
          facts_(facts),
          overwriting_(overwriting),
          updating_(updating),
          loop_(loop),
          last_(facts.extent - 1),
          known_(known) {}

    void run() {
        std::vector<Value> params;
        for (std::size_t axis = 0; axis < kernel_.space.size(); ++axis)
            params.push_back(axis == 0 && !loop_ ? Bounds{1, 0, 0} : Bounds{0, 0, sizes_[kernel_.space[axis].index] - 1});
        block(kernel_.body, params, 1);
    }

  private:
    /// `times`: how often it is executed for each point; 0 if that is not known.
    std::vector<Value> block(const Block& b, std::vector<Value> params, std::int64_t times = 0) {
        const std::size_t base = env_.size();
        params.resize(b.params.size());
        env_.insert(env_.end(), params.begin(), params.end());
        lookups_.resize(env_.size());
        for (const Value& param : params) ranges_.push_back(range_of(param, last_));
        insides_.resize(env_.size());
        for (const Inst& inst : b.insts) execute(inst, times);
        std::vector<Value> results;
        for (ir::Local local : b.results) results.push_back(env_[local.index]);
        env_.resize(base);
        lookups_.resize(base);
        ranges_.resize(base);
        insides_.resize(base);
        return results;
    }

    const Lookup& lookup_of(const Inst& inst, std::size_t k) const { return lookups_[inst.operands[k].index]; }
    const Value& operand(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }

    void execute(const Inst& inst, std::int64_t times) {
        std::vector<Value> results;
        if (!inst.blocks.empty())
            results = control(inst, times);
        else if (inst.op == Op::load)
            results = {load(inst)};
        else if (inst.op == Op::store)
            store(inst, times);
        else if (inst.op == Op::print)
            facts_.possible = false;
        else if (!inst.types.empty() && inst.type() == lower::Scalar::i64)
            results = {index(inst)};
        facts_.checked |= inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect;
        const Lookup lookup = inst.types.size() == 1 && inst.type() == lower::Scalar::i64 ? looked_up(inst) : Lookup();
        results.resize(inst.types.size());
        env_.insert(env_.end(), results.begin(), results.end());
        lookups_.resize(env_.size());
        if (!inst.types.empty()) lookups_.back() = lookup;
        note_range(inst);
    }

    Value load(const Inst& inst) {
        touch(inst.bits, inst.operands[0], lookup_of(inst, 0));
        if (inst.type() != lower::Scalar::i64 || inst.bits >= known_.size() || !known_[inst.bits]) return std::nullopt;
        return bounded(0, *known_[inst.bits], *known_[inst.bits]);
    }

    const Range& range(const Inst& inst, std::size_t k) const { return ranges_[inst.operands[k].index]; }

    /// Where the values of an index are over all points, and which index a condition keeps within an axis.
    void note_range(const Inst& inst) {
        for (std::size_t k = ranges_.size(); k < env_.size(); ++k) ranges_.push_back(range_of(env_[k], last_));
        insides_.resize(env_.size());
        if (inst.types.size() != 1 || inst.operands.size() != 2 || !inst.blocks.empty()) return;
        const Range &a = range(inst, 0), &b = range(inst, 1);
        if (inst.op == Op::inside && b) insides_.back() = {inst.operands[0].index, {0, b->end - 1}};
        if (inst.type() == lower::Scalar::i64) ranges_.back() = common(ranges_.back(), combined(inst.op, a, b));
    }

    /// A number that is loaded, or what an offset is made of it.
    Lookup looked_up(const Inst& inst) const {
        if (inst.op == Op::load && !kernel_.buffers[inst.bits].output && !kernel_.buffers[inst.bits].local)
            return {1, inst.bits, 0, 0};
        if (inst.op == Op::check_index) return lookup_of(inst, 0);
        if (inst.operands.size() != 2 || (inst.op != Op::add && inst.op != Op::mul)) return {};
        const bool second = lookup_of(inst, 1).factor > 0;
        const Lookup& l = lookup_of(inst, second ? 1 : 0);
        const Value& other = operand(inst, second ? 0 : 1);
        if (l.factor == 0 || !other || other->slope != 0 || other->wraps) return {};
        if (inst.op == Op::mul && (!other->is_constant() || other->low <= 0)) return {};
        const bool scales = inst.op == Op::mul;
        const Value range = scales
                                ? bounded(Wide{l.factor} * other->low, Wide{l.low} * other->low, Wide{l.high} * other->low)
                                : bounded(l.factor, Wide{l.low} + other->low, Wide{l.high} + other->high);
        return range ? Lookup{range->slope, l.by, range->low, range->high} : Lookup();
    }

    std::vector<Value> control(const Inst& inst, std::int64_t times) {
        std::vector<Value> indices;
        if (lower::is_loop(inst.op))
            for (std::size_t k = 0; k < lower::loop_rank(inst); ++k) indices.push_back(below(operand(inst, k)));
        if (&inst == loop_) indices[0] = Bounds{1, 0, 0};
        switch (inst.op) {
            case Op::cond: {
                std::vector<Value> a = guarded(inst), b = block(inst.blocks[1], {});
                for (std::size_t k = 0; k < a.size(); ++k) a[k] = either(a[k], b[k]);
                return a;
            }
            case Op::for_loop:
                block(inst.blocks[0], {below(operand(inst, 0))});
                return {};
            case Op::while_loop:
            case Op::reduce:
            case Op::for_each:
                for (std::size_t k = 0; k < inst.blocks.size(); ++k)
                    block(inst.blocks[k], k == 1 ? std::vector<Value>() : indices);  // 1: an operator
                return {};
            case Op::scan: {
                const Value extent = operand(inst, 0);
                const bool counted = overwriting_ == Overwriting::refused && extent && extent->is_constant();
                block(inst.blocks[0], indices);
                block(inst.blocks[1], {});
                in_loop_ = &inst == loop_;
                block(inst.blocks[2], indices, counted ? times * extent->low : 0);
                in_loop_ = false;
                return {};
            }
            case Op::compact:
                facts_.possible = facts_.possible && &inst == loop_;
                block(inst.blocks[0], indices);
                return {};
            default:  // updates: points depend on each other
                if (updating_ == Updating::apart) return update(inst);
                facts_.possible = false;
                for (const Block& nested : inst.blocks) block(nested, {});
                return {};
        }
    }

    /// The first side of a condition, in which an index may be known to be inside of an axis.
    std::vector<Value> guarded(const Inst& inst) {
        const auto inside = insides_[inst.operands[0].index];
        if (!inside) return block(inst.blocks[0], {});
        const Range before = ranges_[inside->first];
        ranges_[inside->first] = common(before, inside->second);
        std::vector<Value> results = block(inst.blocks[0], {});
        ranges_[inside->first] = before;
        return results;
    }

    std::vector<Value> update(const Inst& inst) {
        for (std::size_t k = 1; k < inst.operands.size(); ++k)
            if (const auto& dest = kernel_.buffers[inst.bits + k - 1].dest) facts_.reach[*dest] = {Reach::Kind::anything};
        for (const Block& nested : inst.blocks) block(nested, {});
        return {};
    }

    /// Indices of an axis of this extent.
    Value below(const Value& extent) const {
        if (!extent) return std::nullopt;
        const Wide largest = extent->high + (extent->slope > 0 ? Wide{extent->slope} * last_ : 0);
        return bounded(0, 0, std::max<Wide>(0, largest / extent->over - 1));
    }

    /// The same values, bounded along another slope.
    Value along(const Bounds& v, std::int64_t slope) const {
        if (v.wraps) return slope == v.slope ? Value(v) : std::nullopt;
        const Wide rest = static_cast<Wide>(v.slope - slope) * last_;
        Value result = bounded(0, v.low + std::min<Wide>(0, rest), v.high + std::max<Wide>(0, rest));
        if (result) result->slope = slope, result->over = v.over;
        return result;
    }

    Value either(const Value& a, const Value& b) const {
        if (!a || !b) return std::nullopt;
        const auto both = over_one(*a, *b);
        if (!both) return std::nullopt;
        const std::int64_t slope = std::max(both->first.slope, both->second.slope);
        const Value x = along(both->first, slope), y = along(both->second, slope);
        if (!x || !y) return std::nullopt;
        return with(bounded(slope, std::min(x->low, y->low), std::max(x->high, y->high), x->wraps || y->wraps, x->over),
                    either_bands(a->bands, b->bands));
    }

    Value index(const Inst& inst) const {
        if (inst.op == Op::constant) {
            const std::int64_t n = ir::to_int64(inst.type(), inst.bits);
            return bounded(0, n, n);
        }
        if (inst.op == Op::size) return bounded(0, sizes_[inst.bits], sizes_[inst.bits]);
        if (inst.operands.size() == 3 && inst.op == Op::select) return either(operand(inst, 1), operand(inst, 2));
        if (inst.operands.size() != 2 || !operand(inst, 0) || !operand(inst, 1)) return std::nullopt;
        const Bounds &a = *operand(inst, 0), &b = *operand(inst, 1);
        const bool wraps = a.wraps || b.wraps;
        if (wraps && (b.wraps || b.slope != 0) && (a.wraps || a.slope != 0)) return std::nullopt;
        switch (inst.op) {
            case Op::add:
                return sum(a, b);
            case Op::sub:
                return difference(a, b);
            case Op::div:
                return divides(b) ? quotient(a, b.low, is_above_zero(a)) : std::nullopt;
            case Op::rem:
                return divides(b) ? remainder(a, b.low, last_) : std::nullopt;
            case Op::mul:
                if (b.is_constant()) return scaled(a, b.low);
                return a.is_constant() ? scaled(b, a.low) : std::nullopt;
            case Op::minimum:
            case Op::maximum:
                return wraps ? std::nullopt : extreme(inst.op, a, b);
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
                return b.is_constant() ? continued(inst.op, a, b.low) : std::nullopt;
            case Op::check_index:  // 0 where it fails: not among the elements that are near
                return b.is_constant() && !a.wraps && is_inside(a, b.low) ? Value(a) : std::nullopt;
            default:
                return std::nullopt;
        }
    }

    static bool divides(const Bounds& b) { return b.is_constant() && b.low > 0; }

    bool is_above_zero(const Bounds& a) const {
        const Range range = range_of(a, last_);
        return range && range->begin >= 0;
    }

    bool is_inside(const Bounds& a, std::int64_t extent) const {
        const Range range = range_of(a, last_);
        return range && range->begin >= 0 && range->end <= extent;
    }

    /// Each is a bound of the result; of a bound that goes with i, the other may be as far as i leads from it.
    Value extreme(Op op, const Bounds& a, const Bounds& b) const {
        const auto both = over_one(a, b);
        if (!both) return std::nullopt;
        const std::int64_t slope = std::max(both->first.slope, both->second.slope);
        const Value x = along(both->first, slope), y = along(both->second, slope);
        if (!x || !y) return std::nullopt;
        return op == Op::minimum ? bounded(slope, std::min(x->low, y->low), std::min(x->high, y->high), false, x->over)
                                 : bounded(slope, std::max(x->low, y->low), std::max(x->high, y->high), false, x->over);
    }

    /// An index that is continued beyond an axis: beside its linear function, or as far from it as the axis is long.
    Value continued(Op op, const Bounds& a, std::int64_t extent) const {
        if (is_inside(a, extent)) return a;
        const bool along = a.slope > 0 && Wide{extent} * a.over == Wide{a.slope} * facts_.extent;
        if (along && op == Op::wrap && may_wrap()) return bounded(a.slope, a.low, a.high, true, a.over);
        if (op == Op::wrap || !along || a.wraps) return bounded(0, 0, std::max<std::int64_t>(0, extent - 1));
        const Wide turned = Wide{2} * (a.slope - a.over) - a.high;  // of the other end, whose elements come twice
        return bounded(a.slope, std::min({Wide{a.low}, -Wide{a.high}, turned}), std::max(a.high, -a.low), false, a.over);
    }

    /// Steps of a loop that are tiled need one interval, with elements of its own for each index.
    bool may_wrap() const { return overwriting_ == Overwriting::refused; }

    void touch(std::uint64_t buffer, ir::Local at, const Lookup& lookup = {}) {
        if (kernel_.buffers[buffer].local) return;
        const Value& offset = env_[at.index];
        const std::int64_t elements = sizes_[kernel_.buffers[buffer].elements.index];
        if (buffer < facts_.within.size())
            facts_.within[buffer] = hull(facts_.within[buffer], ranges_[at.index].value_or(Interval{0, elements}));
        Reach& reach = facts_.reach[buffer];
        const Lookup looked_up = reach.kind == Reach::Kind::nothing ? lookup : either_lookup(reach.lookup, lookup);
        const Value before = Bounds{reach.slope, reach.low, reach.high, reach.wraps, reach.bands, reach.over};
        const Value both = reach.kind == Reach::Kind::nothing ? offset : either(before, offset);
        // What is inside of the array, and lies a multiple of its elements away from a linear function.
        bool is_lost = both && both->wraps && Wide{both->slope} * facts_.extent != Wide{elements} * both->over;
        is_lost = is_lost || (both && both->over != 1 && !may_wrap());
        if (reach.kind == Reach::Kind::anything || !both || both->slope < 0 || is_lost)
            reach = {Reach::Kind::anything, 0, 0, 0, false, {}, looked_up};
        else
            reach = {Reach::Kind::near, both->slope, both->low, both->high, both->wraps, useful(*both), {}, both->over};
    }

    /// Bands that have gaps between them.
    static Bands useful(const Bounds& v) {
        const Bands& s = v.bands;
        return !v.wraps && s.slope >= 0 && s.high - s.low + 1 < s.every ? s : Bands();
    }

    /// Once for each point, and to elements of this index only: then to all of them, for no two points store to the same.
    void store(const Inst& inst, std::int64_t times) {
        const lower::Buffer& buffer = kernel_.buffers[inst.bits];
        if (buffer.local) return;  // each point has its own
        if (loop_ && !in_loop_) {  // when all parts are done
            facts_.possible = facts_.possible && times == 1 && !buffer.dest;
            return;
        }
        const std::int64_t elements = sizes_[buffer.elements.index];
        std::int64_t points = 1;
        for (ir::SizeId id : kernel_.space) points *= sizes_[id.index];
        const bool first = facts_.reach[inst.bits].kind == Reach::Kind::nothing;
        touch(inst.bits, inst.operands[0]);
        if (buffer.dest && overwriting_ == Overwriting::apart) {
            facts_.possible = facts_.possible && times == 1 && first && is_over(inst.bits, points);
            return;
        }
        if (facts_.extent == 1) facts_.reach[inst.bits] = {Reach::Kind::near, elements, 0, elements - 1};
        const Reach& reach = facts_.reach[inst.bits];
        const bool own = reach.kind == Reach::Kind::near && !reach.wraps && reach.over == 1 &&
                         reach.slope * facts_.extent == elements && reach.low >= 0 && reach.high < reach.slope;
        const bool all = times > 0 ? points * times == elements : stores_each_once(inst.bits);
        if (!first || !own || !all || buffer.dest) facts_.possible = false;
    }

    /// Whether each element is, in loops, as by recurrences or in the last pass over a row.
    bool stores_each_once(std::size_t buffer) {
        if (!numbers_) numbers_.emplace(kernel_, sizes_, known_);
        return numbers_->stores_each_once(buffer);
    }

    /// What is written over a copy; by each point another element.
    bool is_over(std::size_t buffer, std::int64_t points) {
        Reach& reach = facts_.reach[buffer];
        if (reach.kind != Reach::Kind::near || reach.wraps || reach.over != 1) return false;
        if (facts_.extent == 1) reach.slope = std::max<std::int64_t>(1, reach.high + 1);
        facts_.dense[buffer] = points == facts_.extent * (reach.high - reach.low + 1);
        return reach.slope > 0;
    }

    const lower::Kernel& kernel_;
    const std::int64_t* sizes_;
    PartFacts& facts_;
    const Overwriting overwriting_;
    const Updating updating_;
    const Inst* const loop_;
    const std::int64_t last_;  ///< outermost index
    bool in_loop_ = false;     ///< in the block of a scan that writes its elements, where parts are of this scan
    std::vector<Value> env_;
    std::vector<Lookup> lookups_;  ///< beside env_
    std::vector<Range> ranges_;    ///< beside env_
    /// Beside env_, of conditions: the index that is in this interval where they hold.
    std::vector<std::optional<std::pair<std::size_t, Interval>>> insides_;
    const KnownNumbers& known_;
    std::optional<AffineNumbers> numbers_;
};

}  // namespace

PartFacts part_facts(const lower::Kernel& kernel, const std::int64_t* sizes, Overwriting overwriting, Updating updating,
                     const KnownNumbers& known) {
    PartFacts facts;
    facts.extent = kernel.space.empty() ? 1 : sizes[kernel.space[0].index];
    facts.reach.resize(kernel.buffers.size());
    facts.dense.resize(kernel.buffers.size());
    facts.within.resize(kernel.buffers.size());
    facts.possible = facts.extent > 0;
    for (ir::SizeId id : kernel.space) facts.possible = facts.possible && sizes[id.index] > 0;
    if (facts.possible) Walk(kernel, sizes, facts, overwriting, nullptr, updating, known).run();
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) {
        const std::int64_t elements = sizes[kernel.buffers[k].elements.index];
        if (facts.reach[k].kind == Reach::Kind::anything) facts.within[k] = {0, elements};
        const bool apart = updating == Updating::apart && facts.reach[k].kind == Reach::Kind::nothing;
        if (kernel.buffers[k].output && facts.reach[k].kind != Reach::Kind::near && !apart) facts.possible = false;
    }
    return facts;
}

PartFacts chunk_facts(const lower::Kernel& kernel, const Inst& loop, std::int64_t extent, const std::int64_t* sizes) {
    PartFacts facts;
    facts.extent = extent;
    facts.reach.resize(kernel.buffers.size());
    facts.possible = extent > 0 && kernel.accumulators.empty();
    for (ir::SizeId id : kernel.space) facts.possible = facts.possible && sizes[id.index] > 0;
    if (facts.possible) Walk(kernel, sizes, facts, Overwriting::refused, &loop).run();
    return facts;
}

}  // namespace sinter::schedule
