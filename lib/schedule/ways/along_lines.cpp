// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/along_lines.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

class LinesFinder {
  public:
    LinesFinder(const lower::Kernel& kernel, const LoopAccesses& accesses)
        : kernel_(kernel),
          accesses_(accesses),
          body_(accesses.body()),
          insts_(body_.insts),
          first_(accesses.level() + body_.params.size()) {
        for (std::size_t k = 0, level = first_; k < insts_.size(); level += insts_[k++].types.size())
            levels_.push_back(level);
    }

    std::optional<AlongLines> run() {
        find_free();
        find_needed();
        return pays() ? std::optional(lines()) : std::nullopt;
    }

  private:
    ir::Local local(std::size_t k) const { return ir::Local(levels_[k]); }

    /// The instruction that makes a local; none: it is from outside, or a parameter.
    std::optional<std::size_t> maker(ir::Local l) const {
        if (l.index < first_) return std::nullopt;
        const auto behind = std::upper_bound(levels_.begin(), levels_.end(), static_cast<std::size_t>(l.index));
        return static_cast<std::size_t>(behind - levels_.begin()) - 1;
    }

    /// True if steps do not need each other to find the local.
    bool is_free(ir::Local l) const {
        const auto k = maker(l);
        return k ? free_[*k] : l.index <= accesses_.level();
    }

    void find_free() {
        for (const Inst& inst : insts_) {
            const bool is_one = inst.blocks.empty() && inst.types.size() == 1;
            const bool reads =
                is_one && inst.op == Op::load && !kernel_.buffers[inst.bits].output && !kernel_.buffers[inst.bits].local;
            const bool is_plain =
                inst.op == Op::constant || inst.op == Op::size ||
                (is_one && ir::is_pure(inst.op, inst.type()) && ir::info(inst.op).traits == ir::Traits::pure);
            free_.push_back((reads || is_plain) && std::all_of(inst.operands.begin(), inst.operands.end(),
                                                               [&](ir::Local l) { return is_free(l); }));
        }
    }

    /// What steps find for themselves: what depends on other steps, index arithmetic, and what all lines share.
    bool is_of_steps(std::size_t k) const {
        return !free_[k] || accesses_.is_known(local(k)) || accesses_.by_lane(local(k)).is_uniform();
    }

    /// What steps need of the rest, and what that is made of.
    void find_needed() {
        needed_.assign(insts_.size(), false), taken_.assign(insts_.size(), false);
        auto take = [&](ir::Local l) {
            if (const auto k = maker(l); k && !is_of_steps(*k)) taken_[*k] = true;
        };
        for (std::size_t k = 0; k < insts_.size(); ++k)
            if (is_of_steps(k)) each_use(insts_[k], levels_[k], take);
        for (ir::Local l : body_.results) take(l);
        for (std::size_t k = 0; k < insts_.size(); ++k)
            if (taken_[k]) need(k);
    }

    /// Those of locals below `level`.
    static void each_use(const Inst& inst, std::size_t level, const std::function<void(ir::Local)>& use) {
        auto use_all = [&](const std::vector<ir::Local>& locals) {
            for (ir::Local l : locals)
                if (l.index < level) use(l);
        };
        use_all(inst.operands);
        for (const lower::Block& block : inst.blocks) {
            for (const Inst& nested : block.insts) each_use(nested, level, use);
            use_all(block.results);
        }
    }

    void need(std::size_t k) {
        if (needed_[k]) return;
        needed_[k] = true;
        for (ir::Local l : insts_[k].operands)
            if (const auto other = maker(l)) need(*other);
    }

    /// By instruction: whether it is made of an index that is kept within an axis. Vectors across lines do not know where
    /// that does nothing.
    std::vector<bool> clamped() const {
        std::vector<bool> result;
        for (const Inst& inst : insts_) {
            const bool clamps = inst.op == Op::minimum || inst.op == Op::maximum || ir::is_continuation(inst.op);
            result.push_back(clamps || std::any_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) {
                                 const auto k = maker(l);
                                 return k && result[*k];
                             }));
        }
        return result;
    }

    /// Whether vectors along lines load neighbours, or what steps share.
    bool goes_along(const Inst& load) const {
        const Pattern& offset = accesses_.by_step(load.operands[0]);
        return offset.is_uniform() ||
               (offset.kind == Pattern::Kind::affine && offset.number && std::abs(*offset.number) <= 1);
    }

    bool pays() const {
        const std::vector<bool> is_clamped = clamped();
        double saved = -tuning::along_line;
        std::int64_t bytes = 0;
        for (std::size_t k = 0; k < insts_.size(); ++k) {
            if (taken_[k]) saved -= 1, bytes += detail::size_of(insts_[k].type());
            if (!needed_[k] || is_of_steps(k) || insts_[k].op != Op::load) continue;
            if (!goes_along(insts_[k])) return false;
            const auto offset = maker(insts_[k].operands[0]);
            saved += offset && is_clamped[*offset] ? tuning::gathered_line : 1;
        }
        return saved > 0 && bytes <= tuning::most_along_bytes;
    }

    AlongLines lines() const {
        AlongLines result;
        result.only_here.assign(insts_.size(), false);
        const std::size_t level = accesses_.level();
        result.block.params = {body_.params[0]};
        std::vector<ir::Local> moved(insts_.size());
        auto renamed = [&](ir::Local l) {
            const auto k = maker(l);
            return k ? moved[*k] : l;
        };
        for (std::size_t k = 0; k < insts_.size(); ++k) {
            result.only_here[k] = !is_of_steps(k);
            if (!needed_[k]) continue;
            moved[k] = ir::Local(level + 1 + result.block.insts.size());
            Inst inst = insts_[k];
            for (ir::Local& l : inst.operands) l = renamed(l);
            result.block.insts.push_back(std::move(inst));
            if (!taken_[k]) continue;
            result.made.push_back(k);
            result.block.results.push_back(moved[k]);
        }
        result.block.results.push_back(ir::Local(level));
        return result;
    }

    const lower::Kernel& kernel_;
    const LoopAccesses& accesses_;
    const lower::Block& body_;
    const std::vector<Inst>& insts_;
    const std::size_t first_;  ///< level of the first instruction
    std::vector<std::size_t> levels_;
    std::vector<bool> free_, needed_, taken_;
};

}  // namespace

std::optional<AlongLines> along_lines(const lower::Kernel& kernel, const LoopAccesses& accesses) {
    return LinesFinder(kernel, accesses).run();
}

}  // namespace sinter::schedule
