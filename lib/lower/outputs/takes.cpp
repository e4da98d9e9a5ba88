// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points are independent of each other, and executed in any order. So each may load what it overwrites only, and that before
// it does. A kernel that may fail leaves its inputs as they are, and one with loops is executed in ways that compute an
// element more than once.
#include "lower/outputs/takes.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <optional>

namespace sinter::lower {

using ir::Op;

namespace {

class Takes {
  public:
    explicit Takes(const Kernel& kernel) : kernel_(kernel) {}

    bool is_possible() const {
        return !kernel_.space.empty() && kernel_.checks.empty() && kernel_.accumulators.empty() &&
               !ir::any_inst(kernel_.body, [](const Inst& inst) { return is_loop(inst.op) || inst.op == Op::update; });
    }

    bool may_take(std::size_t output, std::size_t input) const {
        const Buffer &to = kernel_.buffers[output], &from = kernel_.buffers[input];
        if (!to.output || to.dest || from.output || from.local) return false;
        if (to.scalar != from.scalar || to.elements != from.elements) return false;
        const std::optional<std::size_t> store = store_to(output);
        return store && overwrites_what_it_loads(*store, input);
    }

  private:
    /// The only one, by its place in the body.
    std::optional<std::size_t> store_to(std::size_t output) const {
        std::optional<std::size_t> found;
        for (std::size_t k = 0; k < kernel_.body.insts.size(); ++k) {
            const Inst& inst = kernel_.body.insts[k];
            if (inst.op != Op::store || inst.bits != output) continue;
            if (found) return std::nullopt;
            found = k;
        }
        return found;
    }

    bool overwrites_what_it_loads(std::size_t store, std::size_t input) const {
        const std::vector<Inst>& insts = kernel_.body.insts;
        bool is_loaded = false;
        for (std::size_t k = 0; k < insts.size(); ++k) {
            for (const Block& block : insts[k].blocks)
                if (loads(block, input)) return false;
            if (insts[k].op != Op::load || insts[k].bits != input) continue;
            if (k > store || insts[k].operands[0] != insts[store].operands[0]) return false;
            is_loaded = true;
        }
        return is_loaded;
    }

    static bool loads(const Block& block, std::size_t input) {
        return ir::any_inst(block, [&](const Inst& inst) { return inst.op == Op::load && inst.bits == input; });
    }

    const Kernel& kernel_;
};

}  // namespace

Kernel with_takes(Kernel kernel, const std::vector<std::size_t>& free) {
    const Takes takes(kernel);
    if (free.empty() || !takes.is_possible()) return kernel;
    std::vector<std::optional<std::size_t>> found(kernel.buffers.size());
    for (std::size_t input : free) {
        for (std::size_t output = 0; output < kernel.buffers.size(); ++output) {
            if (found[output] || !takes.may_take(output, input)) continue;
            found[output] = input;
            break;
        }
    }
    for (std::size_t output = 0; output < kernel.buffers.size(); ++output) kernel.buffers[output].takes = found[output];
    return kernel;
}

}  // namespace sinter::lower
