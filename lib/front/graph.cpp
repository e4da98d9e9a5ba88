// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/graph.hpp"

#include "support/match.hpp"

namespace sinter::front {
namespace {

std::atomic<std::uint64_t> last_serial{0};

/// Nodes without references that the outermost release() on this thread has still to delete. Deleting a node releases
/// its operands, which only enter this list: a chain of any length is released without recursion.
constinit thread_local Node* dead = nullptr;
constinit thread_local bool releasing = false;

}  // namespace

void retain(Node* node) noexcept { node->references.fetch_add(1, std::memory_order_relaxed); }

void release(Node* node) noexcept {
    if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    node->next_dead = std::exchange(dead, node);
    if (releasing) return;
    releasing = true;
    while (dead) {
        Node* next = std::exchange(dead, dead->next_dead);
        delete next;
    }
    releasing = false;
}

NodeRef make_node(NodeOp op, std::vector<LeafType> types, location where) {
    std::uint64_t serial = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
    return NodeRef::adopt(new Node{.serial = serial, .op = std::move(op), .types = std::move(types), .where = where});
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
