// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/graph.hpp"

#include "support/cache/thread_cache.hpp"
#include "support/match.hpp"

namespace sinter::front {
namespace {

std::atomic<std::uint64_t> last_serial{0};

/// A thread takes serial numbers from the common counter in blocks.
struct Serials {
    static constexpr std::uint64_t block = 4096;
    std::uint64_t next = 0, end = 0;
};

struct DeleteNode {
    void operator()(Node* node) const { delete node; }
};

/// Nodes without references that the outermost release() on this thread still has to delete. Deleting a node releases its
/// operands, which merely enter this list: a chain of any length is released without recursion.
///
/// Nodes of arrays are kept for reuse: allocating one would take much of the time of a call of a compiled function.
struct ThreadNodes {
    Node* dead = nullptr;
    bool releasing = false;
    Serials serials;
    ThreadCache<Node*, 8, DeleteNode> arrays;
};
constinit thread_local ThreadNodes on_this_thread;

bool is_array(const Node& node) { return std::holds_alternative<Input>(node.op) && node.types.size() == 1; }

void dispose(Node* node, ThreadNodes& mine) {
    if (is_array(*node)) {
        std::get<Input>(node->op).buffer.reset();
        if (mine.arrays.keep(node)) return;
    }
    delete node;
}

std::uint64_t new_serial(ThreadNodes& mine) {
    Serials& serials = mine.serials;
    if (serials.next == serials.end) {
        serials.next = last_serial.fetch_add(Serials::block, std::memory_order_relaxed);
        serials.end = serials.next + Serials::block;
    }
    return ++serials.next;
}

}  // namespace

void retain(Node* node) noexcept { node->references.fetch_add(1, std::memory_order_relaxed); }

void release(Node* node) noexcept {
    if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    ThreadNodes& mine = on_this_thread;
    node->next_dead = std::exchange(mine.dead, node);
    if (mine.releasing) return;
    mine.releasing = true;
    while (mine.dead) {
        Node* next = std::exchange(mine.dead, mine.dead->next_dead);
        dispose(next, mine);
    }
    mine.releasing = false;
}

NodeRef make_node(NodeOp op, std::vector<LeafType> types, location where, const char* called) {
    return NodeRef::adopt(new Node{.serial = new_serial(on_this_thread),
                                   .op = std::move(op),
                                   .types = std::move(types),
                                   .where = where,
                                   .called = called});
}

NodeRef make_input(BufferRef buffer, Scalar scalar, std::span<const Extent> shape, location where) {
    ThreadNodes& mine = on_this_thread;
    const std::optional<Node*> kept = mine.arrays.take();
    if (!kept) return make_node(Input{std::move(buffer)}, {{scalar, {shape.begin(), shape.end()}}}, where);
    NodeRef result = NodeRef::adopt(*kept);
    result->references.store(1, std::memory_order_relaxed);
    result->serial = new_serial(mine);
    std::get<Input>(result->op).buffer = std::move(buffer);
    result->types[0].scalar = scalar;
    result->types[0].shape.assign(shape.begin(), shape.end());
    result->where = where;
    return result;
}

std::string name_of(const Node& node) { return node.called ? node.called : name_of(node.op); }

std::string name_of(const NodeOp& op) {
    return match(
        op, [](const Input&) { return "input"; }, [](const Parameter&) { return "parameter"; },
        [](const Literal&) { return "literal"; }, [](const ExtentOf&) { return "extent"; },
        [](const Map& o) { return o.args.empty() ? "generate"
                                  : o.indexed    ? "map_indexed"
                                                 : "map"; },
        [](const Fold&) { return "fold"; }, [](const Transpose&) { return "transpose"; },
        [](const Slice&) { return "slice"; }, [](const Reverse&) { return "reverse"; },
        [](const Broadcast&) { return "broadcast"; }, [](const Reshape&) { return "reshape"; },
        [](const Flatten&) { return "flatten"; }, [](const Gather&) { return "gather"; },
        [](const Force&) { return "force"; }, [](const Cond&) { return "cond"; },
        [](const Loop& o) { return o.counted ? "for_loop" : "while_loop"; }, [](const Scan&) { return "scan"; },
        [](const Compact&) { return "filter"; }, [](const Scatter&) { return "scatter"; },
        [](const Sort&) { return "sort"; }, [](const Foreign&) { return "foreign"; }, [](const Vmap&) { return "vmap"; },
        [](const Derivative& op) { return op.mode == ir::Derivative::Mode::forward ? "jvp" : "vjp"; },
        [](const Custom& op) {
            return op.kind == ir::Custom::Kind::jvp   ? "custom_jvp"
                   : op.kind == ir::Custom::Kind::vjp ? "custom_vjp"
                                                      : "checkpoint";
        },
        [](const Rows& o) { return o.kind == ir::Rows::Kind::fold ? "fold" : "scan"; },
        [](const Shift&) { return "stencil"; }, [](const Pad&) { return "pad"; });
}

}  // namespace sinter::front
