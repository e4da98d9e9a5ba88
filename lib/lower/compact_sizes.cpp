// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/compact_sizes.hpp"
#include "ir/walk.hpp"

#include <unordered_map>

namespace sinter::lower {

namespace {

class Compaction {
  public:
    explicit Compaction(const ir::SizeTable& from) : from_(from) {}

    void apply(Kernel& kernel) {
        for (SizeId& extent : kernel.space) extent = move(extent);
        for (Buffer& buffer : kernel.buffers) buffer.elements = move(buffer.elements);
        apply(kernel.body);
        for (SizeId& elements : kernel.nonempty) elements = move(elements);
        kernel.sizes = std::move(to_);
    }

  private:
    void apply(Block& block) {
        ir::for_each_inst(block, [&](Inst& inst) {
            if (inst.op == ir::Op::size) inst.bits = move(SizeId(inst.bits)).index;
        });
    }

    SizeId move(SizeId id) {
        if (auto known = moved_.find(id); known != moved_.end()) return known->second;
        ir::Size size = from_[id];
        if (size.left.valid()) size.left = move(size.left);
        if (size.right.valid()) size.right = move(size.right);
        return moved_[id] = to_.intern(size);
    }

    const ir::SizeTable from_;
    ir::SizeTable to_;
    std::unordered_map<SizeId, SizeId> moved_;
};

}  // namespace

Kernel compact_sizes(Kernel kernel) {
    Compaction(kernel.sizes).apply(kernel);
    return kernel;
}

}  // namespace sinter::lower
