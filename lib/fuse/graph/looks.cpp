// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/looks.hpp"

#include "ir/walk.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

const std::vector<ir::ValueId>* captured_arrays(const ir::ArrayOp& op) {
    return match(
        op, [](const ir::Map& map) { return &map.captures.arrays; },
        [](const ir::Fold& fold) { return &fold.captures.arrays; },
        [](const ir::Scan& scan) { return &scan.captures.arrays; },
        [](const ir::Scatter& scatter) { return &scatter.captures.arrays; },
        [](const auto&) -> const std::vector<ir::ValueId>* { return nullptr; });
}

class Counter {
  public:
    Counter(const std::vector<ir::ValueId>& arrays, ir::ValueId array) : arrays_(arrays), array_(array) {}

    std::optional<std::int64_t> count(const ir::Block& body) const {
        std::int64_t total = 0;
        for (const ir::Inst& inst : body.insts) {
            if (is_nested(inst)) return std::nullopt;
            total += reads(inst);
        }
        return total;
    }

  private:
    bool reads(const ir::Inst& inst) const { return inst.op == ir::Op::read && arrays_[inst.bits] == array_; }
    bool is_nested(const ir::Inst& inst) const {
        return std::any_of(inst.blocks.begin(), inst.blocks.end(), [&](const ir::Block& block) {
            return ir::any_inst(block, [&](const ir::Inst& inner) { return reads(inner); });
        });
    }

    const std::vector<ir::ValueId>& arrays_;
    ir::ValueId array_;
};

}  // namespace

std::optional<std::int64_t> looks(const ir::ArrayOp& op, ir::ValueId array) {
    const ir::Fn* function = ir::function_of(op);
    const std::vector<ir::ValueId>* arrays = captured_arrays(op);
    return function && arrays ? Counter(*arrays, array).count(function->body) : std::nullopt;
}

}  // namespace sinter::fuse
