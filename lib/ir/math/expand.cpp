// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/math/expand.hpp"

#include "ir/builder.hpp"
#include "ir/math/definition.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ir {

namespace {

/// The builder shares plain instructions. Conditionals (the rare paths of definitions) are shared here. They are compared
/// after the locals of the surrounding function have been substituted, and their own locals have been numbered from
/// `own_base` on.
class Expander {
  public:
    Block expand(const Block& block) { return nested(block, {}); }

  private:
    static constexpr std::size_t own_base = std::size_t(1) << 24;
    using Locals = std::vector<Local>;

    struct Known {
        Inst key;
        Local first;
    };

    Block nested(const Block& block, Locals locals) {
        Local first = builder_.open(block.params);
        std::size_t known = known_.size();
        for (std::size_t i = 0; i < block.params.size(); ++i) locals.push_back(Local(first.index + i));
        Locals results = copy(block, std::move(locals));
        known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(known), known_.end());
        return builder_.close(std::move(results));
    }

    /// Appends the block's instructions; its parameters are the last of `locals`. Returns its results.
    Locals copy(const Block& block, Locals locals) {
        for (const Inst& inst : block.insts) {
            if (info(inst.op).traits == Traits::math) {
                const Fn& fn = definition(inst.op, inst.type());
                bool outer = std::exchange(in_definition_, true);
                locals.push_back(copy(fn.body, substituted(inst.operands, locals))[0]);
                in_definition_ = outer;
                continue;
            }
            Local first = in_definition_ && inst.op == Op::cond ? shared_cond(inst, locals) : plain(inst, locals);
            for (std::size_t i = 0; i < inst.types.size(); ++i) locals.push_back(Local(first.index + i));
        }
        return substituted(block.results, locals);
    }

    Local plain(const Inst& inst, const Locals& locals) {
        Inst copied{inst.op, inst.types, inst.bits, substituted(inst.operands, locals), {}};
        for (const Block& block : inst.blocks) copied.blocks.push_back(nested(block, locals));
        return builder_.emit(std::move(copied));
    }

    Local shared_cond(const Inst& inst, const Locals& locals) {
        Inst key = renumbered(inst, locals);
        auto same = std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.key == key; });
        if (same != known_.end()) return same->first;
        Local first = plain(inst, locals);
        known_.push_back({std::move(key), first});
        return first;
    }

    static Inst renumbered(const Inst& inst, const Locals& locals) {
        Inst key{inst.op, inst.types, inst.bits, substituted(inst.operands, locals), {}};
        for (const Block& block : inst.blocks) {
            Locals inner = locals;
            Block copied{block.params, {}, {}};
            auto define = [&](std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) inner.push_back(Local(own_base + inner.size() - locals.size()));
            };
            define(block.params.size());
            for (const Inst& own : block.insts) {
                copied.insts.push_back(renumbered(own, inner));
                define(own.types.size());
            }
            copied.results = substituted(block.results, inner);
            key.blocks.push_back(std::move(copied));
        }
        return key;
    }

    static Locals substituted(const Locals& names, const Locals& locals) {
        Locals result;
        for (Local name : names) result.push_back(locals[name.index]);
        return result;
    }

    BlockBuilder builder_;
    std::vector<Known> known_;
    bool in_definition_ = false;
};

}  // namespace

bool has_math(const Block& block) {
    return any_inst(block, [](const Inst& inst) { return info(inst.op).traits == Traits::math; });
}

Block expand_math(const Block& block) { return Expander().expand(block); }

Fn expand_math(const Fn& fn) { return {fn.arrays, expand_math(fn.body)}; }

}  // namespace sinter::ir
