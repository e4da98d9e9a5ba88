// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as nodes of the graph: instructions are copied, reads become values of arrays at points, and blocks become
// regions.
#include "lower/pull.hpp"

#include "ir/walk.hpp"
#include "support/check.hpp"

#include <limits>

namespace sinter::lower {

using ir::Block;
using ir::Inst;

namespace {

class Application {
  public:
    Application(Workspace& work, Pull& pull, const std::vector<ValueId>& arrays, ir::SiteId site,
                std::vector<Ref> parameters)
        : work_(work), graph_(work.graph), pull_(pull), arrays_(arrays), site_(site), locals_(std::move(parameters)) {}

    /// The block's parameters have to be the last locals.
    std::vector<Ref> run(const Block& block) {
        std::size_t base = locals_.size();
        for (const Inst& inst : block.insts) execute(inst);
        std::vector<Ref> results;
        for (ir::Local local : block.results) results.push_back(locals_[local.index]);
        locals_.resize(base);
        return results;
    }

  private:
    std::vector<Ref> operands(const Inst& inst, std::size_t first = 0) const {
        std::vector<Ref> refs;
        for (std::size_t k = first; k < inst.operands.size(); ++k) refs.push_back(locals_[inst.operands[k].index]);
        return refs;
    }

    void push(const std::vector<Ref>& refs) { locals_.insert(locals_.end(), refs.begin(), refs.end()); }

    void push_results(NodeId node) {
        for (std::size_t k = 0; k < graph_[node].types.size(); ++k) locals_.push_back({node, static_cast<std::uint32_t>(k)});
    }

    void execute(const Inst& inst) {
        switch (inst.op) {
            case Op::read:
                return locals_.push_back(pull_.read(arrays_[inst.bits], operands(inst), site_));
            case Op::extent:
                return locals_.push_back(extent(inst));
            case Op::cond:
                return cond(inst);
            case Op::while_loop:
                return while_loop(inst);
            case Op::for_loop:
                return for_loop(inst);
            case Op::div:
            case Op::rem:
                return divide(inst);
            case Op::segment_end:
                return locals_.push_back(segment_end(operands(inst)));
            case Op::check_index:
                return locals_.push_back(check_index(inst, operands(inst)));
            case Op::expect:
                return locals_.push_back(expect(inst, operands(inst)));
            case Op::debug_print:
                return locals_.push_back(debug_print(inst, operands(inst)));
            default:
                break;
        }
        check(ir::info(inst.op).traits != ir::Traits::math, "math operations are expanded before lowering");
        locals_.push_back(graph_.add(inst.op, inst.type(), inst.bits, operands(inst)));
    }

    Ref extent(const Inst& inst) {
        return work_.indexing.size(work_.types[arrays_[ir::extent_of(inst).slot].index].shape[ir::extent_of(inst).axis]);
    }

    void divide(const Inst& inst) {
        std::vector<Ref> refs = operands(inst);
        if (ir::may_fail(inst.op, inst.type())) {
            const std::uint64_t* divisor = graph_.constant_bits(refs[1]);
            if (!divisor || *divisor == 0) {
                std::uint64_t id = work_.checks.add({Check::Kind::divisor, site_, 0});
                refs[1] = graph_.add_pinned(Op::check_divisor, inst.type(), id, {refs[1]});
            }
        }
        locals_.push_back(graph_.add(inst.op, inst.type(), inst.bits, std::move(refs)));
    }

    /// `number`, after it has been reported if `good` is negative.
    Ref reported(Check::Kind kind, Ref number, Ref good) {
        Ref accepts = graph_.add(Op::greater_equal, {good, graph_.index(0)});
        Ref limit =
            graph_.add(Op::select, {accepts, graph_.index(std::numeric_limits<std::int64_t>::max()), graph_.index(0)});
        return graph_.add_pinned(Op::check_index, Scalar::i64, work_.checks.add({kind, site_, 0}), {number, limit});
    }

    /// Which of the checks fails is determined only if one does; the sum depends on that.
    Ref segment_end(const std::vector<Ref>& refs) {
        Ref end = graph_.add(Op::add, {refs[0], refs[1]}), zero = graph_.index(0);
        Ref bad = graph_.add(Op::less, {graph_.add(Op::bit_or, {refs[1], end}), zero});
        RegionId reports = graph_.open(RegionKind::branch, {});
        Ref number = reported(Check::Kind::total, reported(Check::Kind::length, refs[2], refs[1]), end);
        graph_.close({graph_.add(Op::sub, {number, refs[2]})});
        RegionId nothing = graph_.open(RegionKind::branch, {});
        graph_.close({zero});
        NodeId found = graph_.control(Op::cond, {Scalar::i64}, 0, {bad}, {reports, nothing});
        return graph_.add(Op::add, {end, {found, 0}});
    }

    Ref check_index(const Inst& inst, const std::vector<Ref>& refs) {
        return work_.checked_index({Check::Kind::index, site_, static_cast<std::size_t>(inst.bits)}, refs[0], refs[1]);
    }

    Ref expect(const Inst& inst, const std::vector<Ref>& refs) {
        const std::uint64_t* known = graph_.constant_bits(refs[0]);
        if (known && *known != 0) return refs[0];
        const std::uint64_t id = work_.checks.add({Check::Kind::expect, site_, 0, inst.bits});
        return graph_.add_pinned(Op::expect, Scalar::boolean, id, refs);
    }

    /// Values are passed as 64 bits each: integers widened, floats as f64.
    Ref debug_print(const Inst& inst, const std::vector<Ref>& refs) {
        Check check{Check::Kind::print, site_, 0, inst.bits};
        std::vector<Ref> values{refs[0]};
        for (std::size_t k = 1; k < refs.size(); ++k) {
            const Scalar type = graph_.type(refs[k]);
            check.types.push_back(type);
            if (!detail::is_float(type)) {
                values.push_back(type == Scalar::i64 ? refs[k] : graph_.add(Op::cast, Scalar::i64, 0, {refs[k]}));
                continue;
            }
            Ref wide = type == Scalar::f64 ? refs[k] : graph_.add(Op::cast, Scalar::f64, 0, {refs[k]});
            values.push_back(graph_.add(Op::bit_cast, Scalar::i64, 0, {wide}));
        }
        return graph_.add_pinned(Op::print, Scalar::boolean, work_.checks.add(std::move(check)), std::move(values));
    }

    RegionId region(RegionKind kind, const Block& block) {
        RegionId id = graph_.open(kind, block.params);
        std::size_t base = locals_.size();
        push(graph_.parameters(id));
        std::vector<Ref> results = run(block);
        locals_.resize(base);
        graph_.close(std::move(results));
        return id;
    }

    void cond(const Inst& inst) {
        Ref condition = operands(inst)[0];
        if (const std::uint64_t* known = graph_.constant_bits(condition)) return push(run(inst.blocks[*known != 0 ? 0 : 1]));
        RegionId then = region(RegionKind::branch, inst.blocks[0]);
        RegionId otherwise = region(RegionKind::branch, inst.blocks[1]);
        push_results(graph_.control(inst.op, inst.types, inst.bits, {condition}, {then, otherwise}));
    }

    void while_loop(const Inst& inst) {
        std::vector<Ref> states = operands(inst);
        RegionId condition = region(RegionKind::loop, inst.blocks[0]);
        RegionId body = region(RegionKind::loop, inst.blocks[1]);
        push_results(graph_.control(inst.op, inst.types, inst.bits, std::move(states), {condition, body}));
    }

    void for_loop(const Inst& inst) {
        std::vector<Ref> refs = operands(inst);
        RegionId id = graph_.open(RegionKind::loop, inst.blocks[0].params);
        state_range(graph_.parameter(id, 0), refs[0]);
        std::size_t base = locals_.size();
        push(graph_.parameters(id));
        std::vector<Ref> results = run(inst.blocks[0]);
        locals_.resize(base);
        graph_.close(std::move(results));
        push_results(graph_.control(inst.op, inst.types, inst.bits, std::move(refs), {id}));
    }

    void state_range(Ref index, Ref count) {
        const Node& node = graph_[count.node];
        work_.indexing.set_count(index, count);
        if (node.parameters) return;
        if (node.op == Op::size) work_.indexing.set_range(index, SizeId(node.bits));
        if (node.op == Op::constant)
            work_.indexing.set_range(index, work_.sizes.constant(static_cast<std::int64_t>(node.bits)));
    }

    Workspace& work_;
    Graph& graph_;
    Pull& pull_;
    const std::vector<ValueId>& arrays_;
    ir::SiteId site_;
    std::vector<Ref> locals_;
};

void mark_used(const Block& block, std::vector<bool>& used) {
    ir::for_each_use(block, [&](ir::Local local) {
        if (local.index < used.size()) used[local.index] = true;
    });
}

}  // namespace

std::vector<Ref> apply(Workspace& work, Pull& pull, const ir::Fn& fn, std::vector<Ref> parameters,
                       const std::vector<ValueId>& captures, ir::SiteId site) {
    return Application(work, pull, captures, site, std::move(parameters)).run(fn.body);
}

std::vector<bool> used_parameters(const ir::Fn& fn) {
    std::vector<bool> used(fn.body.params.size());
    mark_used(fn.body, used);
    return used;
}

}  // namespace sinter::lower
