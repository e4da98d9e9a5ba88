// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_checks.hpp"

#include <utility>

namespace sinter::runtime {

using ir::Local;
using ir::Op;
using ir::Scalar;
using ir::SizeId;

void LoopChecks::guards(const std::vector<const ir::Guard*>& guards, LoopScope& scope) {
    for (const ir::Guard* guard : guards) {
        if (sizes_.is_known(guard->left) && sizes_.is_known(guard->right)) {
            result_.known_guards.push_back(guard);
            continue;
        }
        const Local left = sizes_.size(guard->left, scope), right = sizes_.size(guard->right, scope);
        const Local equal = to_.append({Op::equal, {Scalar::boolean}, 0, {left, right}, {}});
        expect(lower::Check::Kind::guard, result_.guards.size(), {equal, left, right});
        result_.guards.push_back(guard);
    }
}

void LoopChecks::shape(const fuse::Made& made, LoopScope& scope) {
    std::vector<Local> computed;
    for (SizeId id : made.shape)
        if (!sizes_.is_known(id)) computed.push_back(sizes_.size(id, scope));
    if (computed.empty()) return result_.known_shapes.push_back(made);
    const Local zero = to_.index(0);
    Local elements = zero, least = zero;
    for (std::size_t k = 0; k < made.shape.size(); ++k) {
        const Local extent = sizes_.size(made.shape[k], scope);
        elements = k == 0 ? extent : sizes_.compute(ir::Size::Kind::mul, elements, extent);  // which fits in an i64
        least = to_.append(Op::minimum, least, extent);
    }
    if (computed.size() > 2) throw Impossible();
    if (to_.range(least).least >= 0) return;
    const Local good = to_.append({Op::greater_equal, {Scalar::boolean}, 0, {least, zero}, {}});
    expect(lower::Check::Kind::shape, result_.shapes.size(), {good, computed.front(), computed.back()});
    result_.shapes.push_back(made);
}

void LoopChecks::expect(lower::Check::Kind kind, std::size_t number, std::vector<Local> operands) {
    to_.append({Op::expect, {Scalar::boolean}, kernel_.checks.size(), std::move(operands), {}});
    kernel_.checks.push_back({kind, {}, number});
}

}  // namespace sinter::runtime
