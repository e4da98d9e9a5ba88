// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/uses.hpp"

#include "ir/sizes/size_parts.hpp"

#include "support/match.hpp"

namespace sinter::fuse {

using ir::SizeId;
using ir::ValueId;
using Uses = std::vector<Use>;

namespace {

void add(const std::vector<ValueId>& variables, UseKind kind, Uses& to) {
    for (ValueId variable : variables) to.push_back({variable, kind});
}

/// A source that is read once may as well be computed where it is read.
void add(const ir::Map& map, Uses& to) {
    add(map.args, UseKind::element, to);
    add(map.captures.scalars, UseKind::scalar, to);
    for (std::size_t slot = 0; slot < map.fn.arrays.size(); ++slot)
        to.push_back({map.captures.arrays[slot], map.fn.arrays[slot].once ? UseKind::source : UseKind::whole});
}

void add(const ir::Captures& captures, Uses& to) {
    add(captures.scalars, UseKind::scalar, to);
    add(captures.arrays, UseKind::whole, to);
}

}  // namespace

UseFinder::UseFinder(const ir::SizeTable& sizes) : sizes_(sizes), has_value_(sizes.count(), false) {
    for (std::size_t i = 0; i < sizes.count(); ++i) {  // operands precede the sizes made from them
        const ir::Size& size = sizes[SizeId(i)];
        has_value_[i] = size.kind == ir::Size::Kind::value || (size.left.valid() && has_value_[size.left.index]) ||
                        (size.right.valid() && has_value_[size.right.index]);
    }
}

Uses UseFinder::operator()(const ir::Binding& binding, std::size_t level) const {
    Uses to;
    match(
        binding.op, [&](const ir::Map& map) { add(map, to); },
        [&](const ir::Fold& fold) {
            add(fold.inits, UseKind::initial, to);
            add(fold.args, UseKind::reduced, to);
            add(fold.captures, to);
        },
        [&](const ir::View& view) {
            to.push_back({view.arg, UseKind::element});
            if (view.fill) to.push_back({*view.fill, UseKind::scalar});
        },
        [&](const ir::Gather& gather) {
            add(gather.indices, UseKind::element, to);
            add(gather.sources, UseKind::source, to);
        },
        [&](const ir::Force& force) { add(force.args, UseKind::forced, to); },
        [&](const ir::Cond&) { add(ir::operands(binding.op), UseKind::control, to); },
        [&](const ir::Loop&) { add(ir::operands(binding.op), UseKind::control, to); },
        [&](const ir::Scan& scan) {
            add(scan.inits, UseKind::initial, to);
            add(scan.args, UseKind::element, to);
            add(scan.captures, to);
        },
        [&](const ir::Compact&) { add(ir::operands(binding.op), UseKind::element, to); },
        [&](const ir::Scatter& scatter) {
            add(scatter.dests, UseKind::updated, to);
            add(scatter.indices, UseKind::element, to);
            add(scatter.values, UseKind::element, to);
            add(scatter.captures, to);
        },
        [&](const ir::Sort&) { add(ir::operands(binding.op), UseKind::forced, to); },
        [&](const ir::Foreign&) { add(ir::operands(binding.op), UseKind::forced, to); },
        [&](const ir::Vmap&) { add(ir::operands(binding.op), UseKind::control, to); },
        [&](const ir::Rows&) { add(ir::operands(binding.op), UseKind::control, to); },
        [&](const ir::Custom&) { add(ir::operands(binding.op), UseKind::control, to); },
        [&](const ir::Derivative&) { add(ir::operands(binding.op), UseKind::control, to); });
    add_sizes(binding, level, to);
    if (const auto* bodies = ir::bodies_of(binding.op))
        for (const ir::Body& body : *bodies) add_body(body, level, to);
    return to;
}

void UseFinder::add_size(SizeId size, std::size_t level, Uses& to) const {
    if (!has_value_[size.index]) return;
    ir::for_each_value(sizes_, size, [&](ValueId variable) {
        if (variable.index < level) to.push_back({variable, UseKind::extent});
    });
}

void UseFinder::add_sizes(const ir::Binding& binding, std::size_t level, Uses& to) const {
    for (const ir::Type& type : binding.types)
        for (SizeId size : type.shape) add_size(size, level, to);
    ir::for_each_size(binding.op, [&](SizeId start) { add_size(start, level, to); });
}

void UseFinder::add_body(const ir::Body& body, std::size_t level, Uses& to) const {
    auto use = [&](ValueId variable) {
        if (variable.index < level) to.push_back({variable, UseKind::control});
    };
    for (const ir::Type& type : body.params)
        for (SizeId size : type.shape) add_size(size, level, to);
    for (const ir::Guard& guard : body.guards)
        for (SizeId size : {guard.left, guard.right}) add_size(size, level, to);
    for (const ir::Binding& binding : body.bindings) {
        for (ValueId operand : ir::operands(binding.op)) use(operand);
        add_sizes(binding, level, to);
        if (const auto* bodies = ir::bodies_of(binding.op))
            for (const ir::Body& nested : *bodies) add_body(nested, level, to);
    }
    for (ValueId result : body.results) use(result);
}

}  // namespace sinter::fuse
