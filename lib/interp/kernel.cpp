// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/kernel.hpp"

#include "interp/array.hpp"
#include "interp/machine.hpp"
#include "lower/loops.hpp"
#include "support/check.hpp"
#include "support/text/debug_output.hpp"

#include <algorithm>

namespace sinter::interp {

using ir::Inst;
using ir::Op;

namespace {

using Bits = std::vector<std::uint64_t>;

class KernelMachine : public Machine {
  public:
    KernelMachine(const lower::Kernel& kernel, std::span<void* const> buffers, std::span<const std::int64_t> sizes)
        : kernel_(kernel), buffers_(buffers.begin(), buffers.end()), sizes_(sizes) {
        allocate_locals();
        check(buffers.size() == kernel.buffers.size() && sizes.size() == kernel.sizes.count(), "a launch fits its kernel");
        for (lower::SizeId id : kernel.nonempty) may_leave_ = may_leave_ || sizes[id.index] == 0;
    }

    std::optional<CheckFailure> run() {
        std::vector<std::int64_t> space;
        for (lower::SizeId id : kernel_.space) space.push_back(sizes_[id.index]);
        Bits results;
        fill_accumulators();
        for_each_point(space, [&](const std::vector<std::int64_t>& index) { call(kernel_.body, bits(index), results); });
        return failure_;
    }

  private:
    static std::span<const std::uint64_t> bits(const std::vector<std::int64_t>& index) {
        return {reinterpret_cast<const std::uint64_t*>(index.data()), index.size()};
    }

    void divided_by_zero(const Inst&) override { check(false, "kernel divides by an unchecked zero"); }

    void execute_special(const Inst& inst) override {
        switch (inst.op) {
            case Op::load:
                return load(inst);
            case Op::store:
                return store(inst);
            case Op::size:
                return push(Scalar::i64, static_cast<std::uint64_t>(sizes_[inst.bits]));
            case Op::check_index:
                return check_index(inst);
            case Op::check_divisor:
                return check_divisor(inst);
            case Op::expect:
                return expect(inst);
            case Op::print:
                return print(inst);
            case Op::reduce:
                return reduce(inst);
            case Op::for_each:
                return for_each(inst);
            case Op::scan:
                return scan(inst);
            case Op::compact:
                return compact(inst);
            case Op::update:
                return update(inst);
            default:
                check(false, "operation is not part of kernels");
        }
    }

    void allocate_locals() {
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
            const lower::Buffer& buffer = kernel_.buffers[k];
            if (!buffer.local) continue;
            const auto count = static_cast<std::size_t>(std::max<std::int64_t>(elements(k), 0));
            locals_.emplace_back(count * static_cast<std::size_t>(detail::size_of(buffer.scalar)));
            buffers_[k] = locals_.back().data();
        }
    }

    void fill_accumulators() const {
        for (const lower::Accumulator& a : kernel_.accumulators)
            for (std::int64_t i = 0; i < elements(a.buffer); ++i)
                store_element(kernel_.buffers[a.buffer].scalar, buffers_[a.buffer], i, a.initial);
    }

    std::int64_t elements(std::uint64_t buffer) const { return sizes_[kernel_.buffers[buffer].elements.index]; }

    void load(const Inst& inst) {
        std::int64_t offset = index_operand(inst, 0);
        check(!kernel_.buffers[inst.bits].output || kernel_.space.empty(), "kernel loads from an output");
        bool inside = offset >= 0 && offset < elements(inst.bits);
        check(inside || (failure_ && may_leave_), "kernel loads outside of a buffer");
        if (!inside) return push(inst.type(), 0);
        push(inst.type(), load_element(inst.type(), buffers_[inst.bits], offset));
    }

    void store(const Inst& inst) {
        const lower::Buffer& buffer = kernel_.buffers[inst.bits];
        std::int64_t offset = index_operand(inst, 0);
        check(buffer.output || buffer.local, "kernel stores to an input");
        bool inside = offset >= 0 && offset < elements(inst.bits);
        check(inside || (failure_ && may_leave_), "kernel stores outside of a buffer");
        if (!inside) return;
        store_element(buffer.scalar, buffers_[inst.bits], offset, operand(inst, 1));
    }

    void fail(const Inst& inst, std::int64_t index, std::int64_t extent) {
        if (!failure_) failure_ = CheckFailure{static_cast<std::uint32_t>(inst.bits), index, extent};
    }

    void check_index(const Inst& inst) {
        std::int64_t index = index_operand(inst, 0), extent = index_operand(inst, 1);
        bool inside = index >= 0 && index < extent;
        if (!inside) fail(inst, index, extent);
        push(Scalar::i64, inside ? static_cast<std::uint64_t>(index) : 0);
    }

    void check_divisor(const Inst& inst) {
        std::uint64_t divisor = operand(inst, 0);
        if (divisor == 0) fail(inst, 0, 0);
        push(inst.type(), divisor == 0 ? 1 : divisor);
    }

    void expect(const Inst& inst) {
        if (operand(inst, 0) == 0) fail(inst, index_operand(inst, 1), inst.operands.size() > 2 ? index_operand(inst, 2) : 0);
        push(Scalar::boolean, operand(inst, 0));
    }

    void print(const Inst& inst) {
        const lower::Check& check = kernel_.checks[inst.bits];
        debug_.add({check.text, index_operand(inst, 0), check.types, operands_from(inst, 1)});
        push(Scalar::boolean, 1);
    }

    std::vector<std::int64_t> extents(const Inst& inst, std::size_t rank) const {
        std::vector<std::int64_t> result;
        for (std::size_t k = 0; k < rank; ++k) result.push_back(index_operand(inst, k));
        return result;
    }

    void reduce(const Inst& inst) {
        std::size_t rank = lower::loop_rank(inst);
        Bits left = operands_from(inst, rank), right, results;
        std::size_t count = left.size();
        for_each_point(extents(inst, rank), [&](const std::vector<std::int64_t>& index) {
            call(inst.blocks[0], bits(index), right);
            left.insert(left.end(), right.begin(), right.end());
            call(inst.blocks[1], left, results);
            left.swap(results);
            check(left.size() == count, "a combine has as many results as states");
        });
        push_all(inst, left);
    }

    void scan(const Inst& inst) {
        std::int64_t extent = index_operand(inst, 0);
        Bits prefix = operands_from(inst, 1), element, next, none;
        for (std::int64_t i = 0; i < extent; ++i) {
            call(inst.blocks[0], Bits{static_cast<std::uint64_t>(i)}, element);
            if (prefix.empty()) {
                next = element;
            } else {
                Bits both = prefix;
                both.insert(both.end(), element.begin(), element.end());
                call(inst.blocks[1], both, next);
            }
            Bits shown = lower::is_exclusive(inst) ? prefix : next;
            shown.insert(shown.begin(), static_cast<std::uint64_t>(i));
            call(inst.blocks[2], shown, none);
            prefix = next;
        }
        prefix.resize(inst.types.size(), 0);
        push_all(inst, prefix);
    }

    void compact(const Inst& inst) {
        std::int64_t extent = index_operand(inst, 0), count = 0;
        Bits values;
        for (std::int64_t i = 0; i < extent; ++i) {
            call(inst.blocks[0], Bits{static_cast<std::uint64_t>(i)}, values);
            if (values[0] == 0) continue;
            for (std::size_t k = 1; k < values.size(); ++k) {
                std::size_t buffer = inst.bits + k - 1;
                store_element(kernel_.buffers[buffer].scalar, buffers_[buffer], count, values[k]);
            }
            ++count;
        }
        push(Scalar::i64, static_cast<std::uint64_t>(count));
    }

    void update(const Inst& inst) {
        std::int64_t offset = index_operand(inst, 0);
        bool inside = offset >= 0 && offset < elements(inst.bits);
        check(inside || (failure_ && may_leave_), "kernel updates outside of a buffer");
        if (!inside) return;
        Bits both, values = operands_from(inst, 1), results;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const lower::Buffer& buffer = kernel_.buffers[inst.bits + k];
            check(buffer.dest || is_accumulator(inst.bits + k), "kernel updates what has no contents");
            both.push_back(load_element(buffer.scalar, buffers_[inst.bits + k], offset));
        }
        both.insert(both.end(), values.begin(), values.end());
        call(inst.blocks[0], both, results);
        for (std::size_t k = 0; k < results.size(); ++k)
            store_element(kernel_.buffers[inst.bits + k].scalar, buffers_[inst.bits + k], offset, results[k]);
    }

    /// As lower::accumulator_at, which is not linked with every user of the interpreters.
    bool is_accumulator(std::size_t buffer) const {
        return std::any_of(kernel_.accumulators.begin(), kernel_.accumulators.end(),
                           [&](const lower::Accumulator& accumulator) { return accumulator.buffer == buffer; });
    }

    void for_each(const Inst& inst) {
        Bits results;
        for_each_point(extents(inst, inst.bits),
                       [&](const std::vector<std::int64_t>& index) { call(inst.blocks[0], bits(index), results); });
    }

    const lower::Kernel& kernel_;
    std::vector<void*> buffers_;
    std::vector<std::vector<std::byte>> locals_;
    std::span<const std::int64_t> sizes_;
    bool may_leave_ = false;  ///< an array that is read is empty: after a failed check, loads may be outside their buffers
    std::optional<CheckFailure> failure_;
    const DebugPlace debug_;
};

}  // namespace

std::optional<CheckFailure> interpret(const lower::Kernel& kernel, std::span<void* const> buffers,
                                      std::span<const std::int64_t> sizes) {
    return KernelMachine(kernel, buffers, sizes).run();
}

}  // namespace sinter::interp
