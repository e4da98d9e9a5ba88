// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/scan.hpp"

#include "jit/emit/code/masks.hpp"
#include "jit/emit/loop/combiner.hpp"
#include "jit/emit/loop/nest.hpp"
#include "jit/emit/loop/partials.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

class Scan {
  public:
    Scan(Emitter& emitter, const Inst& inst);
    /// Returns the totals; in a tile that executes a chunk, leaves the point instead.
    Values emit();
    /// Combines what comes before a chunk with the chunk's total, which gives what comes before the next one. Leaves the
    /// point.
    Values chain();
    /// What comes before the end.
    Values total();

  private:
    /// The chunk's total so far, and whether there is one.
    struct Local {
        Values total;
        llvm::Value* has;
    };
    bool is_chunked() const { return nest_.is_chunked(); }
    bool seeded() const { return inst_.operands.size() > 1; }
    bool exclusive() const { return lower::is_exclusive(inst_); }

    Values element_after_element();
    void find_before();
    Values run(bool emitting);
    void vector(llvm::Value* index, llvm::Value* remaining, bool emitting, Few& carried);
    Values prefixes(Values v);
    Values shifted(const Values& v, int by);
    Value last_lane(const Value& v, llvm::Value* remaining);
    void show(const Value& index, const Local& before, const Values& prefixes);
    Values show_exclusive(const Local& before, const Values& prefixes);
    Values combined(llvm::Value* has, const Values& a, const Values& b);

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    Nest nest_;
    Combiner op_;
    Partials partials_, befores_;
    Lanes lanes_;
    Values before_;              ///< what comes before the chunk
    llvm::Value* has_before_;    ///< whether there is anything
    Prepared elements_, shown_;  ///< of the element block and of the emit block
};

Scan::Scan(Emitter& emitter, const Inst& inst)
    : e_(emitter),
      c_(emitter.code),
      ir(emitter.code.ir),
      inst_(inst),
      nest_(emitter.code, emitter.scope, emitter.fields, emitter.chunked, inst),
      op_(emitter, inst),
      partials_(emitter, inst),
      befores_(emitter, inst, inst.types.size()),
      has_before_(ir.getTrue()) {}

Values Scan::emit() {
    if (c_.lanes.open && !is_chunked()) return element_after_element();
    if (!c_.lanes.open) lanes_ = Lanes(e_.lanes.lanes_of(inst_));
    find_before();
    Values total;
    if (!is_chunked()) {
        total = run(true);
    } else {
        llvm::Value* counts = ir.CreateICmpEQ(partials_.start(), c_.i64(static_cast<std::int64_t>(Start::fresh)));
        const Few flat = c_.either(counts, [&] { return op_.pack(run(false)); }, [&] { return op_.pack(run(true)); });
        total = op_.unpack(flat, 1);
        partials_.store_and_leave(total);
    }
    const Few flat = c_.either(
        ir.CreateICmpSGT(nest_.extent(0), c_.i64(0)), [&] { return op_.pack(combined(has_before_, before_, total)); },
        [&] { return op_.pack(before_); });
    return op_.unpack(flat, 1);
}

/// In lanes that are already open, each lane scans its own line.
Values Scan::element_after_element() {
    const std::vector<bool> vary = e_.states_of(inst_).vary;
    const Values like = as_variables(c_, seeded() ? op_.init() : op_.nothing(), vary);
    Few carried = op_.pack(like);
    auto one = [&](llvm::Value* i, bool first) {
        Values params{Value::index(i)};
        const Values element = e_.block(inst_.blocks[0], params);
        const Values before = unflatten(c_, like, carried);
        const Values after = as_variables(c_, first ? element : op_.combine(before, element), vary);
        const Values& shown = exclusive() ? before : after;
        params.append(shown.begin(), shown.end());
        e_.block(inst_.blocks[2], params);
        carried = op_.pack(after);
    };
    llvm::Value* n = nest_.extent(0);
    if (!seeded()) c_.when(ir.CreateICmpSGT(n, c_.i64(0)), carried, [&] { one(c_.i64(0), true); });
    c_.loop(c_.i64(seeded() ? 0 : 1), n, 1, carried, [&](llvm::Value* i) { one(i, false); });
    return unflatten(c_, like, carried);
}

/// The initial values, or in later chunks what has been combined so far.
void Scan::find_before() {
    before_ = seeded() ? op_.init() : op_.nothing();
    if (!is_chunked()) {
        has_before_ = ir.getInt1(seeded());
        return;
    }
    llvm::Value* chunk = e_.fields.tile(offsetof(Tile, chunk));
    llvm::Value* later =
        ir.CreateAnd(ir.CreateICmpSGT(chunk, c_.i64(0)),
                     ir.CreateICmpEQ(partials_.start(), c_.i64(static_cast<std::int64_t>(Start::accumulate))));
    const Few first = op_.pack(before_);
    before_ = op_.unpack(c_.either(later, [&] { return op_.pack(befores_.load(chunk)); }, [&] { return first; }), 1);
    has_before_ = seeded() ? static_cast<llvm::Value*>(ir.getTrue()) : later;
}

/// has ? combine(a, b) : b, where `has` is a single scalar.
Values Scan::combined(llvm::Value* has, const Values& a, const Values& b) {
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(has)) return known->isZero() ? b : op_.combine(a, b);
    return op_.append(has, a, b);
}

/// Computes the chunk's total. If `emitting`, executes the emit block for the prefixes.
Values Scan::run(bool emitting) {
    llvm::Value *lo = nest_.lo(0), *hi = nest_.hi(0);
    Few carried = op_.pack(op_.nothing());
    carried.push_back(ir.getFalse());
    c_.when(ir.CreateICmpSLT(lo, hi), carried, [&] {
        Interior interior{lo, hi};
        elements_ = e_.lanes.invariants().prepare(inst_.blocks[0], {}, &interior);
        if (emitting) shown_ = e_.lanes.invariants().prepare(inst_.blocks[2], {}, &interior, op_.count());
        const std::int64_t width = lanes_.vector() ? lanes_.width : 1;
        llvm::Value* end = ir.CreateAdd(lo, ir.CreateAnd(ir.CreateSub(hi, lo), c_.i64(-width)));
        if (!lanes_.vector()) interior.idle.clear();
        e_.with_waiting_updates([&] {
            e_.lanes.borders().in_order(lo, end, width, interior, carried,
                                        [&](llvm::Value* i) { vector(i, nullptr, emitting, carried); });
            if (width == 1) return;
            c_.when(ir.CreateICmpSLT(end, hi), carried, [&] { vector(end, ir.CreateSub(hi, end), emitting, carried); });
        });
    });
    carried.pop_back();
    return op_.unpack(carried, 1);
}

/// Processes the elements from `index` on: a whole vector of them, or `remaining` elements.
void Scan::vector(llvm::Value* index, llvm::Value* remaining, bool emitting, Few& carried) {
    Local before{{}, carried.pop_back_val()};
    before.total = op_.unpack(carried, 1);
    Values last;
    {
        Lanes lanes = lanes_;
        const WithLanes with(c_, lanes);
        if (remaining) c_.lanes.mask = tail_mask(c_, remaining);
        Value i = Value::index(index);
        if (lanes.vector()) i.lane_stride = i.part_stride = c_.i64(1);
        Values local = op_.varying(e_.block(inst_.blocks[0], {i}, &elements_));
        if (lanes.vector()) local = prefixes(local);
        for (const Value& v : local) last.push_back(last_lane(v, remaining));
        if (emitting) show(i, before, local);
    }
    carried = op_.pack(op_.append(before.has, before.total, last));
    carried.push_back(ir.getTrue());
}

Values Scan::prefixes(Values v) {
    for (int by = 1; by < c_.lanes.width; by *= 2) {
        const Values all = op_.varying(op_.combine(shifted(v, by), v));
        if (op_.has_neutral()) {
            v = all;
            continue;
        }
        llvm::Type* lane = ir.getIntNTy(static_cast<unsigned>(c_.lane_bits()));
        llvm::Value* there = ir.CreateICmpSGE(c_.lane_numbers(lane),
                                              llvm::ConstantInt::get(c_.vector_of(lane), static_cast<std::uint64_t>(by)));
        for (std::size_t k = 0; k < v.size(); ++k)
            v[k] = Value::varying(v[k].type, {ir.CreateSelect(there, all[k].parts[0], v[k].parts[0])});
    }
    return v;
}

/// Lane l holds what lane l - by held; the first lanes hold neutral elements, or, if there are none, what they held.
Values Scan::shifted(const Values& v, int by) {
    llvm::SmallVector<int, 64> picked;
    for (int lane = 0; lane < c_.lanes.width; ++lane) picked.push_back(lane < by ? lane : c_.lanes.width + lane - by);
    const Values fill = op_.has_neutral() ? op_.varying(op_.nothing()) : v;
    Values result;
    for (std::size_t k = 0; k < v.size(); ++k)
        result.push_back(Value::varying(v[k].type, {ir.CreateShuffleVector(fill[k].parts[0], v[k].parts[0], picked)}));
    return result;
}

Value Scan::last_lane(const Value& v, llvm::Value* remaining) {
    if (!v.is_varying()) return v;
    llvm::Value* lane = remaining ? ir.CreateSub(remaining, c_.i64(1)) : c_.i64(c_.lanes.width - 1);
    return Value::uniform(v.type, ir.CreateExtractElement(v.parts[0], lane));
}

/// Executes the emit block for the prefixes of the whole line.
void Scan::show(const Value& index, const Local& before, const Values& prefixes) {
    Values params{index};
    const Values shown = exclusive() ? show_exclusive(before, prefixes)
                                     : combined(has_before_, before_, op_.append(before.has, before.total, prefixes));
    params.append(shown.begin(), shown.end());
    e_.block(inst_.blocks[2], params, &shown_);
}

/// What comes before each element: before the chunk, then before the vector, then before the lane.
Values Scan::show_exclusive(const Local& before, const Values& prefixes) {
    if (!c_.lanes.vector()) {
        const Few flat = c_.either(
            before.has, [&] { return op_.pack(op_.combine(before_, before.total)); }, [&] { return op_.pack(before_); });
        return op_.unpack(flat, 1);
    }
    Values line;
    const Values local = op_.varying(op_.append(before.has, before.total, prefixes));
    const Values moved = shifted(local, 1);
    for (std::size_t k = 0; k < moved.size(); ++k)
        line.push_back(Value::varying(
            moved[k].type, {ir.CreateInsertElement(moved[k].parts[0], before.total[k].scalars[0], std::uint64_t{0})}));
    Values shown = op_.varying(op_.combine(before_, line));
    if (op_.has_neutral()) return shown;
    for (std::size_t k = 0; k < shown.size(); ++k) {
        llvm::Value* first = ir.CreateExtractElement(shown[k].parts[0], std::uint64_t{0});
        first = ir.CreateSelect(before.has, first, before_[k].scalars[0]);
        shown[k] = Value::varying(shown[k].type, {ir.CreateInsertElement(shown[k].parts[0], first, std::uint64_t{0})});
    }
    return shown;
}

Values Scan::chain() {
    llvm::Value* chunk = e_.fields.tile(offsetof(Tile, chunk));
    llvm::Value* later = ir.CreateICmpSGT(chunk, c_.i64(0));
    const Values own = partials_.load(chunk);
    const Values start = seeded() ? op_.init() : op_.nothing();
    const Values before =
        op_.unpack(c_.either(later, [&] { return op_.pack(befores_.load(chunk)); }, [&] { return op_.pack(start); }), 1);
    befores_.store(ir.CreateAdd(chunk, c_.i64(1)),
                   combined(seeded() ? static_cast<llvm::Value*>(ir.getTrue()) : later, before, own));
    ir.CreateBr(e_.chunked.point_done);
    c_.enter(c_.block());  // never reached
    return op_.nothing();
}

Values Scan::total() { return befores_.load(e_.fields.chunks()); }

}  // namespace

Values emit_scan(Emitter& emitter, const Inst& inst) {
    Scan scan(emitter, inst);
    if (!emitter.chunked.is(inst) || emitter.chunked.part == Part::tile) return scan.emit();
    return emitter.chunked.part == Part::chain ? scan.chain() : scan.total();
}

}  // namespace sinter::emit
