// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/size.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::interp {

using ir::Size;
using ir::SizeId;

namespace {

bool is_leaf(Size::Kind kind) { return kind <= Size::Kind::constant; }

std::int64_t leaf(const Size& size, const SizeEnvironment& environment) {
    auto index = static_cast<std::size_t>(size.index);
    switch (size.kind) {
        case Size::Kind::input_extent:
            return environment.input_extent(index, static_cast<std::size_t>(size.axis));
        case Size::Kind::argument:
            check(index < environment.arguments.size(), "a size argument is missing");
            return environment.arguments[index];
        case Size::Kind::value:
            return environment.value(ir::ValueId(index));
        default:
            return size.index;
    }
}

using Known = std::unordered_map<SizeId, std::int64_t>;

std::int64_t evaluate(const ir::SizeTable& sizes, SizeId id, const SizeEnvironment& environment, Known& known) {
    if (auto found = known.find(id); found != known.end()) return found->second;
    Size size = sizes[id];
    std::int64_t value = is_leaf(size.kind) ? leaf(size, environment)
                                            : ir::apply(size.kind, evaluate(sizes, size.left, environment, known),
                                                        evaluate(sizes, size.right, environment, known));
    return known[id] = value;
}

}  // namespace

std::int64_t evaluate_size(const ir::SizeTable& sizes, SizeId id, const SizeEnvironment& environment) {
    Known known;
    return evaluate(sizes, id, environment, known);
}

std::size_t level_needed(const ir::SizeTable& sizes, SizeId id) {
    std::unordered_map<SizeId, std::size_t> known;
    auto visit = [&](auto& self, SizeId at) -> std::size_t {
        if (auto found = known.find(at); found != known.end()) return found->second;
        const Size& size = sizes[at];
        std::size_t level = size.kind == Size::Kind::value ? static_cast<std::size_t>(size.index) + 1
                            : is_leaf(size.kind)           ? 0
                                                           : std::max(self(self, size.left), self(self, size.right));
        return known[at] = level;
    };
    return visit(visit, id);
}

}  // namespace sinter::interp
