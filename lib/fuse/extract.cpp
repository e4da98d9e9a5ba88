// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cluster as a program of its own. Operations are numbered in post-order from the results, inputs in the order in which
// that walk meets them, and sizes in the order in which the types of these mention them, so that nothing of the enclosing
// program's numbering is left. Linear in the cluster's size.
#include "fuse/extract.hpp"

#include "fuse/rules/transparent.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinter::fuse {

using ir::SizeId;
using ir::ValueId;

namespace {

/// Copies sizes from one table to another: symbols become arguments; sizes computed from them are rebuilt.
class SizeCopier {
  public:
    SizeCopier(const ir::SizeTable& from, Extracted& to) : from_(from), to_(to) {}

    /// Numbers the symbols that stand alone in the shape, so that compound sizes do not decide the order.
    void number(const ir::Shape& shape) {
        for (SizeId size : shape)
            if (!from_[size].left.valid()) copy(size);
    }
    SizeId copy(SizeId size) {
        auto known = copies_.find(size);
        if (known != copies_.end()) return known->second;
        SizeId made = make(size);
        copies_.emplace(size, made);
        return made;
    }
    ir::Shape copy(ir::Shape shape) {
        for (SizeId& size : shape) size = copy(size);
        return shape;
    }
    /// Keeps `old`, a size that the cluster itself computes, a value.
    void keep_value(ValueId old, ValueId copied) {
        for (std::size_t k = 0; k < from_.count(); ++k) {
            const ir::Size& size = from_[SizeId(k)];
            if (size.kind == ir::Size::Kind::value && static_cast<std::size_t>(size.index) == old.index)
                copies_[SizeId(k)] = to_.program.sizes.value(copied);
        }
    }

  private:
    SizeId make(SizeId id) {
        ir::Size size = from_[id];
        if (size.kind == ir::Size::Kind::constant) return to_.program.sizes.constant(size.index);
        if (!size.left.valid()) {
            to_.sizes.push_back(id);
            return to_.program.sizes.argument(to_.sizes.size() - 1);
        }
        size.left = copy(size.left);
        size.right = copy(size.right);
        return to_.program.sizes.intern(size);
    }

    const ir::SizeTable& from_;
    Extracted& to_;
    std::unordered_map<SizeId, SizeId> copies_;
};

class Extractor {
  public:
    Extractor(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer, const BodyIndex& index,
              const Cluster& cluster)
        : program_(program),
          body_(body),
          outer_(outer),
          cluster_(cluster),
          sizes_(program.sizes, out_),
          transparent_(index.transparent),
          levels_(index.levels) {}

    Extracted extract(const std::vector<ValueId>& manifest) {
        for (Operation op : cluster_.operations) add_outputs(op, manifest);
        for (ValueId output : out_.outputs) visit(producer(output));
        add_inputs();
        std::size_t level = out_.inputs.size();
        for (Operation op : order_) new_level_[op] = level, level += body_.bindings[op.index].types.size();
        for (Operation op : order_) copy(op);
        for (ValueId output : out_.outputs) out_.program.body.results.push_back(renamed(output));
        out_.program.size_arguments = out_.sizes.size();
        return std::move(out_);
    }

  private:
    void add_outputs(Operation op, const std::vector<ValueId>& manifest) {
        for (std::size_t k = 0; k < body_.bindings[op.index].types.size(); ++k) {
            ValueId result(levels_[op.index] + k);
            if (std::binary_search(manifest.begin(), manifest.end(), result)) out_.outputs.push_back(result);
        }
    }

    Operation producer(ValueId id) const {
        auto after = std::upper_bound(levels_.begin(), levels_.end(), std::size_t{id.index});
        return after == levels_.begin() ? Operation() : Operation(static_cast<std::size_t>(after - levels_.begin()) - 1);
    }

    /// The operation whose copy makes `id` in the extracted program; invalid if `id` is an input.
    Operation internal(ValueId id) const {
        Operation op = producer(id);
        if (!op.valid()) return op;
        bool here = std::binary_search(cluster_.operations.begin(), cluster_.operations.end(), op);
        return here || transparent_[op.index] ? op : Operation();
    }

    /// How many of the first operands are updated in place: these are inputs even if they could be computed in the cluster.
    std::size_t destinations(Operation op) const {
        const auto* scatter = std::get_if<ir::Scatter>(&body_.bindings[op.index].op);
        return scatter ? scatter->dests.size() : 0;
    }

    /// Visits in post-order, without recursion, because chains may be long.
    void visit(Operation root) {
        struct Frame {
            Operation op;
            std::vector<ValueId> operands;
            std::size_t next;
        };
        std::vector<Frame> stack;
        auto enter = [&](Operation op) {
            if (!new_level_.try_emplace(op, 0).second) return;
            stack.push_back({op, ir::operands(body_.bindings[op.index].op), 0});
        };
        enter(root);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.next == frame.operands.size()) {
                order_.push_back(frame.op);
                stack.pop_back();
                continue;
            }
            bool updated = frame.next < destinations(frame.op);
            ValueId id = frame.operands[frame.next++];
            Operation op = updated ? Operation() : internal(id);
            if (op.valid())
                enter(op);
            else if (inputs_.try_emplace(id, out_.inputs.size()).second)
                out_.inputs.push_back(id);
        }
    }

    const ir::Type& type_of(ValueId id) const {
        if (id.index < outer_.size()) return outer_[id.index];
        Operation op = producer(id);
        if (!op.valid()) return body_.params[id.index - outer_.size()];
        return body_.bindings[op.index].types[id.index - levels_[op.index]];
    }

    ir::Type copy(ir::Type type) {
        type.shape = sizes_.copy(std::move(type.shape));
        return type;
    }

    void add_inputs() {
        for (ValueId input : out_.inputs) sizes_.number(type_of(input).shape);
        for (Operation op : order_)
            if (!ir::binds_sizes(body_.bindings[op.index].op))
                for (const ir::Type& type : body_.bindings[op.index].types) sizes_.number(type.shape);
        for (ValueId input : out_.inputs) out_.program.body.params.push_back(copy(type_of(input)));
    }

    ValueId renamed(ValueId id) const {
        Operation op = internal(id);
        if (!op.valid()) return ValueId(inputs_.at(id));
        return ValueId(new_level_.at(op) + (id.index - levels_[op.index]));
    }

    void copy(Operation op) {
        ir::Binding binding = body_.bindings[op.index];
        check(!std::holds_alternative<ir::Cond>(binding.op) && !std::holds_alternative<ir::Loop>(binding.op) &&
                  !std::holds_alternative<ir::Force>(binding.op),
              "force and control flow are no part of kernels");
        std::size_t updated = destinations(op);
        ir::for_each_operand(binding.op, [&](ValueId& id) {
            id = updated > 0 ? ValueId(inputs_.at(id)) : renamed(id);
            if (updated > 0) --updated;
        });
        if (ir::binds_sizes(binding.op))
            sizes_.keep_value(ValueId(levels_[op.index]), ValueId(new_level_.at(op)));
        else
            for (const ir::Type& type : binding.types) add_made(type.shape, binding.site);
        for (ir::Type& type : binding.types) type = copy(std::move(type));
        ir::for_each_size(binding.op, [&](SizeId& start) { start = sizes_.copy(start); });
        if (binding.site.valid()) {
            out_.sites.push_back(binding.site);
            out_.program.sites.push_back(program_.sites[binding.site.index]);
            binding.site = ir::SiteId(out_.sites.size() - 1);
        }
        out_.program.body.bindings.push_back(std::move(binding));
    }

    void add_made(const ir::Shape& shape, ir::SiteId site) {
        const auto has_shape = [&](ValueId id) { return type_of(id).shape == shape; };
        const auto is_shape = [&](const Made& made) { return made.shape == shape; };
        if (shape.empty() || std::any_of(out_.inputs.begin(), out_.inputs.end(), has_shape)) return;
        if (std::none_of(out_.made.begin(), out_.made.end(), is_shape)) out_.made.push_back({shape, site});
    }

    const ir::Program& program_;
    const ir::Body& body_;
    const std::vector<ir::Type>& outer_;
    const Cluster& cluster_;
    Extracted out_;
    SizeCopier sizes_;
    const std::vector<bool>& transparent_;
    const std::vector<std::size_t>& levels_;
    std::vector<Operation> order_;                          ///< the operations that are copied
    std::unordered_map<Operation, std::size_t> new_level_;  ///< of copied operations
    std::unordered_map<ValueId, std::size_t> inputs_;       ///< by variable: its position
};

}  // namespace

BodyIndex index_body(const ir::Body& body, std::size_t base) {
    BodyIndex index{transparent_operations(body, base), {}};
    std::size_t level = base + body.params.size();
    for (const ir::Binding& binding : body.bindings) index.levels.push_back(level), level += binding.types.size();
    return index;
}

Extracted extract(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const BodyIndex& index, const Cluster& cluster, const std::vector<ValueId>& manifest) {
    return Extractor(program, body, outer, index, cluster).extract(manifest);
}

Extracted extract(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const Cluster& cluster, const std::vector<ValueId>& manifest) {
    return extract(program, body, outer, index_body(body, outer.size()), cluster, manifest);
}

}  // namespace sinter::fuse
