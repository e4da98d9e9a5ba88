// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/sizes.hpp"

#include "convert/sizes/sizing.hpp"
#include "convert/tuning.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::convert {

using front::Extent;

/// Requires the shapes of `count` operands from `first` on to be equal.
void Sizing::same_shapes(std::size_t first, std::size_t count, const char* noun) {
    for (std::size_t k = 1; k < count; ++k) {
        const auto a = shape_of(use(first)), b = shape_of(use(first + k));
        check(a.size() == b.size(), "operands that must have one shape have different ranks");
        for (std::size_t axis = 0; axis < a.size(); ++axis)
            require_.equal(a[axis], b[axis], [&] { return fmt::format("{}: {} 0 and {}, axis {}", name(), noun, k, axis); });
    }
}

// Sizes that the user gives

SizeId Sizing::extent_operand(const front::SizeOperand& operand, const Use*& next) {
    if (const auto* value = std::get_if<std::int64_t>(&operand)) {
        if (*value < 0)
            throw ShapeError(fmt::format("{}: extent {} is negative", name(), *value), pruned_[term_].node->where);
        return given_.literal(*value);
    }
    SizeId size = given_.value_of(*next++);
    require_.at_most(out_.sizes.table.constant(0), size, [&] { return fmt::format("{}: a negative extent", name()); });
    return size;
}

SizeId Sizing::start_operand(const front::SizeOperand& operand, const Use*& next) {
    const auto* value = std::get_if<std::int64_t>(&operand);
    if (!value) return given_.value_of(*next++);
    return *value == 0 || *value == 1 ? out_.sizes.table.constant(*value) : given_.literal(*value);
}

SizeId Sizing::product(std::span<const SizeId> shape) {
    SizeId result = out_.sizes.table.constant(1);
    for (SizeId extent : shape) result = out_.sizes.table.mul(result, extent);
    return result;
}

// Shapes of results

void Sizing::add(std::span<const SizeId> shape) {
    out_.extents.insert(out_.extents.end(), shape.begin(), shape.end());
    out_.first_extent.push_back(static_cast<std::uint32_t>(out_.extents.size()));
}

/// `shape` may point into out_.extents, which grows.
void Sizing::add_copies(std::span<const SizeId> shape, std::size_t count) {
    scratch_.assign(shape.begin(), shape.end());
    for (std::size_t k = 0; k < count; ++k) add(scratch_);
}

void Sizing::map(const front::Map& op) {
    std::size_t results = pruned_[term_].node->types.size();
    if (!op.args.empty()) {
        same_shapes(0, op.args.size(), "arguments");
        add_copies(shape_of(use(0)), results);
        return;
    }
    const Use* next = uses_.data() + op.captures.scalars.size() + op.captures.arrays.size();
    scratch_.clear();
    for (const front::SizeOperand& extent : op.shape) scratch_.push_back(extent_operand(extent, next));
    for (std::size_t k = 0; k < results; ++k) add(scratch_);
}

void Sizing::fold(const front::Fold& op) {
    same_shapes(op.inits.size(), op.args.size(), "arguments");
    auto shape = shape_of(use(op.inits.size()));
    if (op.nonempty)
        for (std::size_t axis : op.axes)
            require_.at_most_there(out_.sizes.table.constant(1), shape[axis],
                                   [&] { return fmt::format("{}, axis {}", op.nonempty, axis); });
    scratch_.clear();
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (std::find(op.axes.begin(), op.axes.end(), axis) == op.axes.end()) scratch_.push_back(shape[axis]);
    for (std::size_t k = 0; k < op.args.size(); ++k) add(scratch_);
}

/// start + (extent - 1) * step
SizeId Sizing::index_of_last(SizeId start, SizeId extent, std::int64_t step) {
    ir::SizeTable& table = out_.sizes.table;
    return table.add(start, table.mul(table.sub(extent, table.constant(1)), table.constant(step)));
}

void Sizing::slice(const front::Slice& op) {
    const Use& arg = use(0);
    const Use* next = uses_.data() + 1;
    std::vector<SizeId> starts, extents;
    for (const front::SizeOperand& start : op.start) starts.push_back(start_operand(start, next));
    for (std::size_t axis = 0; axis < op.extent.size(); ++axis) {
        const auto* value = std::get_if<std::int64_t>(&op.extent[axis]);
        bool whole = value && *value >= 0 && *value == front_extent(arg, axis) && op.step[axis] == 1 &&
                     out_.sizes.table.is_constant(starts[axis], 0);
        extents.push_back(whole ? shape_of(arg)[axis] : extent_operand(op.extent[axis], next));
    }
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        SizeId zero = out_.sizes.table.constant(0), whole = shape_of(arg)[axis];
        SizeId last = index_of_last(starts[axis], extents[axis], op.step[axis]);
        SizeId lowest = op.step[axis] > 0 ? starts[axis] : last, highest = op.step[axis] > 0 ? last : starts[axis];
        auto describe = [&] { return fmt::format("{}: out of range, axis {}", name(), axis); };
        if (extents[axis] == whole && op.step[axis] == 1 && starts[axis] == zero) continue;
        require_.at_most(zero, lowest, describe);
        require_.at_most(out_.sizes.table.add(highest, out_.sizes.table.constant(1)), whole, describe);
    }
    out_.starts.insert(out_.starts.end(), starts.begin(), starts.end());
    add(extents);
}

void Sizing::reverse(const front::Reverse& op) {
    auto shape = shape_of(use(0));
    ir::SizeTable& table = out_.sizes.table;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        bool reversed = std::find(op.axes.begin(), op.axes.end(), axis) != op.axes.end();
        out_.starts.push_back(reversed ? table.sub(shape[axis], table.constant(1)) : table.constant(0));
    }
    add_copies(shape, 1);
}

void Sizing::broadcast(const front::Broadcast& op) {
    auto shape = shape_of(use(0));
    const Use* next = uses_.data() + 1;
    scratch_.clear();
    for (std::size_t axis = 0, kept = 0, fresh = 0; axis < shape.size() + op.new_extents.size(); ++axis) {
        if (kept < op.axes.size() && op.axes[kept] == axis)
            scratch_.push_back(shape[kept++]);
        else
            scratch_.push_back(extent_operand(op.new_extents[fresh++], next));
    }
    add(scratch_);
}

void Sizing::reshape(const front::Reshape& op) {
    const Use* next = uses_.data() + 1;
    std::vector<SizeId> extents;
    for (const front::SizeOperand& extent : op.shape) extents.push_back(extent_operand(extent, next));
    require_.equal(product(shape_of(use(0))), product(extents), [] { return std::string("reshape: number of elements"); });
    add(extents);
}

void Sizing::gather(const front::Gather& op) {
    same_shapes(0, op.indices.size(), "index arrays");
    same_shapes(op.indices.size(), op.sources.size(), "sources");
    add_copies(shape_of(use(0)), op.sources.size());
}

/// Prefixes have the arguments' shape, totals have the shape without the axis.
void Sizing::scan(const front::Scan& op) {
    const std::size_t states = op.op.result_count();
    same_shapes(op.inits.size(), op.args.size(), "arguments");
    add_copies(shape_of(use(op.inits.size())), states);
    auto shape = shape_of(use(op.inits.size()));
    std::vector<SizeId> left(shape.begin(), shape.end());
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(op.axis));
    for (std::size_t k = 0; k < op.inits.size(); ++k) {
        const auto init = shape_of(use(k));
        for (std::size_t axis = 0; axis < init.size(); ++axis)
            require_.equal(init[axis], left[axis],
                           [&] { return fmt::format("{}: the initial states and the lines, axis {}", name(), axis); });
    }
    if (!op.totals) return;
    for (std::size_t k = 0; k < states; ++k) add(left);
}

/// The first result is the extent of the others.
void Sizing::compact(const front::Compact& op) {
    same_shapes(0, 1 + op.args.size(), "the mask and the arrays: arguments");
    add({});
    SizeId count = given_.value_of({term_, 0, false, true});
    out_.sizes.set_nonnegative(count);
    for (std::size_t k = 0; k < op.args.size(); ++k) add({&count, 1});
}

void Sizing::scatter(const front::Scatter& op) {
    std::size_t dests = op.dests.size(), indices = op.indices.size();
    same_shapes(0, dests, "destinations");
    same_shapes(dests, indices + op.values.size(), "indices and values: arguments");
    for (std::size_t k = 0; k < dests; ++k) add_copies(shape_of(use(k)), 1);
}

/// The first results are the extents of the others, in order.
void Sizing::foreign() {
    const std::vector<front::LeafType>& types = pruned_[term_].node->types;
    std::uint32_t next = 0;
    for (const front::LeafType& type : types) {
        std::vector<SizeId> shape;
        for (std::size_t axis = 0; axis < type.shape.size(); ++axis) {
            shape.push_back(given_.value_of({term_, next++, false, true}));
            out_.sizes.set_nonnegative(shape.back());
        }
        add(shape);
    }
}

void Sizing::pad(const front::Pad& op) {
    const Use* next = uses_.data() + 2;
    std::vector<SizeId> extents;
    for (const front::SizeOperand& start : op.start) {
        const auto* value = std::get_if<std::int64_t>(&start);
        bool near = value && -tuning::small_number <= *value && *value <= tuning::small_number;
        out_.starts.push_back(near ? out_.sizes.table.constant(*value) : start_operand(start, next));
    }
    for (std::size_t axis = 0; axis < op.extent.size(); ++axis) {
        const auto* value = std::get_if<std::int64_t>(&op.extent[axis]);
        bool whole = value && *value >= 0 && *value == front_extent(use(0), axis);
        extents.push_back(whole ? shape_of(use(0))[axis] : extent_operand(op.extent[axis], next));
    }
    ir::SizeTable& table = out_.sizes.table;
    const std::size_t first = out_.starts.size() - op.start.size();
    for (std::size_t axis : op.around) {
        const SizeId zero = table.constant(0), before = table.sub(zero, out_.starts[first + axis]);
        const SizeId after = table.sub(extents[axis], table.add(shape_of(use(0))[axis], before));
        auto describe = [&] { return fmt::format("pad: a width of axis {} is less than 0", axis); };
        require_.at_most(zero, before, describe);
        require_.at_most(zero, after, describe);
    }
    add(extents);
}

void Sizing::results_of(const front::NodeOp& op) {
    match(
        op, [&](const front::Input&) { inputs(); }, [&](const front::Parameter&) { parameter(); },
        [&](const front::Literal&) { add({}); }, [&](const front::ExtentOf&) { add({}); },
        [&](const front::Map& o) { map(o); }, [&](const front::Fold& o) { fold(o); },
        [&](const front::Transpose& o) {
            scratch_.clear();
            for (std::size_t axis : o.axes) scratch_.push_back(shape_of(use(0))[axis]);
            add(scratch_);
        },
        [&](const front::Slice& o) { slice(o); }, [&](const front::Reverse& o) { reverse(o); },
        [&](const front::Broadcast& o) { broadcast(o); }, [&](const front::Reshape& o) { reshape(o); },
        [&](const front::Flatten&) {
            SizeId all = product(shape_of(use(0)));
            add({&all, 1});
        },
        [&](const front::Gather& o) { gather(o); },
        [&](const front::Force& o) {
            for (std::size_t k = 0; k < o.args.size(); ++k) add_copies(shape_of(use(k)), 1);
        },
        [&](const front::Cond&) { cond(); }, [&](const front::Loop& o) { loop(o); }, [&](const front::Scan& o) { scan(o); },
        [&](const front::Compact& o) { compact(o); }, [&](const front::Scatter& o) { scatter(o); },
        [&](const front::Sort& o) {
            same_shapes(0, o.args.size(), "keys and values: arguments");
            add_copies(shape_of(use(0)), o.args.size());
        },
        [&](const front::Foreign&) { foreign(); }, [&](const front::Vmap& o) { vmap(o); },
        [&](const front::Derivative& o) { derivative(o); }, [&](const front::Custom& o) { custom(o); },
        [&](const front::Rows& o) { rows(o); }, [&](const front::Shift&) { add_copies(shape_of(use(0)), 1); },
        [&](const front::Pad& o) { pad(o); });
}

void Sizing::size_term(TermId id) {
    term_ = id;
    require_.set_term(id, *pruned_[id].node);
    uses_ = pruned_.in(pruned_[id].uses);
    auto begin = static_cast<std::uint32_t>(out_.starts.size());
    results_of(pruned_[id].node->op);
    for (std::uint32_t k = 0; k < pruned_[id].extents; ++k) add({});
    out_.starts_of.push_back({begin, static_cast<std::uint32_t>(out_.starts.size())});
    out_.term_of.resize(out_.first_extent.size() - 1, id);
    check(out_.first_extent.size() == pruned_[id].first_variable + pruned_[id].variables() + 1,
          "an operation has a shape a result");
}

std::optional<Sized> Sizing::run() {
    out_.first_extent.reserve(pruned_.variables + 1);
    out_.first_extent.push_back(0);
    for (std::size_t k = 0; k < pruned_.terms.size(); ++k) {
        try {
            size_term(TermId(k));
        } catch (const ShapeError&) {
            if (!change_around(TermId(k))) throw;
            return std::nullopt;
        }
    }
    if (!changing_.empty()) return std::nullopt;
    settle();
    return std::move(out_);
}

/// Resolving sizes may imply equations, which change how other sizes are resolved; this repeats until none does.
void Sizing::settle() {
    std::uint32_t before;
    do {
        before = out_.sizes.changes();
        for (SizeId extent : out_.extents) out_.sizes.resolve(extent);
        for (SizeId start : out_.starts) out_.sizes.resolve(start);
        require_.implied([] { return std::string("equal extents"); });
    } while (out_.sizes.changes() != before);
}

Sized size(Pruned& pruned) {
    while (true) {
        Sizing sizing(pruned);
        if (std::optional<Sized> sized = sizing.run()) return std::move(*sized);
        change_extents(pruned, sizing.changing());
    }
}

}  // namespace sinter::convert
