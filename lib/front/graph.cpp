// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/graph.hpp"

#include "support/match.hpp"

#include <array>

namespace sinter::front {
namespace {

std::atomic<std::uint64_t> last_serial{0};

/// Nodes without references that the outermost release() on this thread has still to delete. Deleting a node releases
/// its operands, which only enter this list: a chain of any length is released without recursion.
///
/// Nodes of arrays are kept for the next ones: making one would be much of a call of a compiled function.
struct ThreadNodes {
    Node* dead = nullptr;
    bool releasing = false;
    bool cleaned = false;  ///< its nodes will be deleted
    bool ended = false;    ///< it keeps no more nodes
    std::size_t spares = 0;
    std::array<Node*, 8> spare{};
};
constinit thread_local ThreadNodes on_this_thread;

/// Deletes what the thread has kept when it ends.
struct Cleaner {
    ~Cleaner() {
        ThreadNodes& mine = on_this_thread;
        mine.ended = true;
        while (mine.spares > 0) delete mine.spare[--mine.spares];
    }
};

bool is_array(const Node& node) { return std::holds_alternative<Input>(node.op) && node.types.size() == 1; }

/// False if it has to be deleted.
bool keep(Node* node, ThreadNodes& mine) {
    if (mine.ended || mine.spares == mine.spare.size() || !is_array(*node)) return false;
    if (!std::exchange(mine.cleaned, true)) {
        static thread_local Cleaner cleaner;
        static_cast<void>(cleaner);
    }
    std::get<Input>(node->op).buffer.reset();
    mine.spare[mine.spares++] = node;
    return true;
}

std::uint64_t new_serial() { return last_serial.fetch_add(1, std::memory_order_relaxed) + 1; }

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
        if (!keep(next, mine)) delete next;
    }
    mine.releasing = false;
}

NodeRef make_node(NodeOp op, std::vector<LeafType> types, location where) {
    return NodeRef::adopt(new Node{.serial = new_serial(), .op = std::move(op), .types = std::move(types), .where = where});
}

NodeRef make_input(BufferRef buffer, Scalar scalar, std::span<const Extent> shape, location where) {
    ThreadNodes& mine = on_this_thread;
    if (mine.spares == 0) return make_node(Input{std::move(buffer)}, {{scalar, {shape.begin(), shape.end()}}}, where);
    NodeRef result = NodeRef::adopt(mine.spare[--mine.spares]);
    result->references.store(1, std::memory_order_relaxed);
    result->serial = new_serial();
    std::get<Input>(result->op).buffer = std::move(buffer);
    result->types[0].scalar = scalar;
    result->types[0].shape.assign(shape.begin(), shape.end());
    result->where = where;
    return result;
}

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
        [](const Rows& o) { return o.kind == ir::Rows::Kind::fold ? "fold" : "scan"; },
        [](const Shift&) { return "stencil"; }, [](const Pad&) { return "pad"; });
}

}  // namespace sinter::front
