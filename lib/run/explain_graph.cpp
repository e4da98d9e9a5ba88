// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

using fuse::Operation;
using ir::ValueId;

constexpr const char* colours[] = {"#cfe8fc", "#d9f2d0", "#fde3cf", "#eadcf6", "#fff3c4", "#d6f0ee"};

/// Quotes and backslashes escaped.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

class Drawing {
  public:
    explicit Drawing(const ExplainedBody& body, std::size_t number) : body_(body), prefix_(fmt::format("b{}", number)) {}

    std::string draw() {
        for (std::size_t k = 0; k < body_.plan->partition.clusters.size(); ++k) draw_cluster(k);
        return out_;
    }

  private:
    std::string operation_id(std::size_t cluster, Operation op) const {
        return fmt::format("{}c{}o{}", prefix_, cluster, op.index);
    }

    /// The node of an array in memory, drawn where it is first needed.
    std::string array_id(ValueId id) {
        std::string name = fmt::format("{}v{}", prefix_, id.index);
        if (std::find(drawn_.begin(), drawn_.end(), id) == drawn_.end()) {
            drawn_.push_back(id);
            out_ += fmt::format("  {} [shape=ellipse, label={}];\n", name, quoted(body_.variable_name(id)));
        }
        return name;
    }

    void draw_cluster(std::size_t k) {
        const std::vector<Operation>& operations = body_.plan->partition.clusters[k].operations;
        out_ += fmt::format("  subgraph cluster_{}_{} {{ label=\"cluster {}\"; style=filled; color=\"{}\";\n", prefix_, k,
                            k + 1, colours[k % std::size(colours)]);
        for (Operation op : operations) {
            out_ += fmt::format("    {} [shape=box, style=filled, fillcolor=white, label={}, tooltip={}];\n",
                                operation_id(k, op), quoted(body_.operation_name(op)), quoted(body_.place(op)));
        }
        out_ += "  }\n";
        for (Operation op : operations) draw_edges(k, op);
        for (ValueId id : body_.writes(k)) {
            if (auto op = body_.producer(id)) out_ += fmt::format("  {} -> {};\n", operation_id(k, *op), array_id(id));
        }
    }

    void draw_edges(std::size_t k, Operation op) {
        const std::vector<Operation>& operations = body_.plan->partition.clusters[k].operations;
        for (ValueId id : ir::operands(body_.body->bindings[op.index].op)) {
            auto producer = body_.producer(id);
            bool inside = producer && std::find(operations.begin(), operations.end(), *producer) != operations.end();
            std::string from = inside ? operation_id(k, *producer) : array_id(id);
            out_ += fmt::format("  {} -> {}{};\n", from, operation_id(k, op), inside ? "" : " [style=dashed]");
        }
    }

    const ExplainedBody& body_;
    std::string prefix_;
    std::string out_;
    std::vector<ValueId> drawn_;
};

}  // namespace

std::string dot_of(const std::vector<ExplainedBody>& bodies) {
    std::string out = "digraph sinter {\n  rankdir=TB; node [fontname=\"Helvetica\", fontsize=11];\n";
    for (std::size_t k = 0; k < bodies.size(); ++k) out += Drawing(bodies[k], k).draw();
    return out + "}\n";
}

}  // namespace sinter::runtime
