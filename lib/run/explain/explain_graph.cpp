// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/explain_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

using fuse::Operation;
using ir::ValueId;

constexpr const char* colours[] = {"#cfe8fc", "#d9f2d0", "#fde3cf", "#eadcf6", "#fff3c4", "#d6f0ee"};

/// The text with quotes and backslashes escaped.
std::string dot_string(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + "\"";
}

/// The text in lines of about 40 characters.
std::string wrapped(const std::string& text) {
    std::string result;
    std::size_t length = 0;
    for (char c : text) {
        const bool breaks = c == ' ' && length > 40;
        result += breaks ? '\n' : c;
        length = breaks ? 0 : length + 1;
    }
    return result;
}

class Drawing {
  public:
    Drawing(const ExplainedBody& body, std::size_t number, std::span<const std::int64_t> bytes)
        : body_(body), prefix_(fmt::format("b{}", number)), bytes_(bytes) {}

    std::string draw() {
        if (!body_.role.empty())
            out_ += fmt::format("  subgraph cluster_{} {{ label={}; style=rounded; color=gray50;\n", prefix_,
                                dot_string(body_.role));
        for (std::size_t k = 0; k < body_.plan->partition.clusters.size(); ++k) draw_cluster(k);
        if (!body_.role.empty()) out_ += "  }\n";
        return out_;
    }

  private:
    std::string operation_id(std::size_t cluster, Operation op) const {
        return fmt::format("{}c{}o{}", prefix_, cluster, op.index);
    }

    /// The node of an array in memory, which is drawn where it is first needed.
    std::string array_id(ValueId id) {
        std::string name = fmt::format("{}v{}", prefix_, id.index);
        if (std::find(drawn_.begin(), drawn_.end(), id) == drawn_.end()) {
            drawn_.push_back(id);
            out_ += fmt::format("  {} [shape=ellipse, label={}];\n", name, dot_string(body_.variable_name(id)));
        }
        return name;
    }

    void draw_cluster(std::size_t k) {
        const std::vector<Operation>& operations = body_.plan->partition.clusters[k].operations;
        // for other operations, the bytes belong to their bodies
        const bool is_kernel = ir::bodies_of(body_.op(operations.back())) == nullptr;
        const std::string bytes = is_kernel ? fmt::format(": {} bytes", bytes_[k]) : "";
        out_ += fmt::format("  subgraph cluster_{}_{} {{ label=\"\"; style=filled; color=\"{}\";\n", prefix_, k,
                            colours[k % std::size(colours)]);
        // The caption is a node, because arrows go around nodes, but through the label of a subgraph.
        out_ += fmt::format("    {}c{} [shape=plaintext, label=\"cluster {}{}\"];\n", prefix_, k, k + 1, bytes);
        for (Operation op : operations) {
            out_ += fmt::format("    {} [shape=box, style=filled, fillcolor=white, label={}, tooltip={}];\n",
                                operation_id(k, op), dot_string(body_.operation_name(op)), dot_string(body_.place(op)));
        }
        out_ += "  }\n";
        for (Operation op : operations) draw_edges(k, op);
        for (ValueId id : body_.writes(k)) {
            if (auto op = body_.producer(id)) out_ += fmt::format("  {} -> {};\n", operation_id(k, *op), array_id(id));
        }
    }

    /// Solid edges: what a cluster makes for itself. Dashed edges: reads from memory, with the reason if they could have
    /// been fused.
    void draw_edges(std::size_t k, Operation op) {
        for (const ExplainedBody::Source& source : body_.sources(k, op)) {
            const std::string from = source.inside ? operation_id(k, *body_.producer(source.id)) : array_id(source.id);
            std::string label = source.through.empty() ? "" : fmt::format(" {} ", source.through);
            if (std::string why = source.inside ? "" : reason(source.id, op); !why.empty())
                label += (label.empty() ? "" : "\n") + wrapped("not fused: " + why);
            out_ += fmt::format("  {} -> {} [style={}, fontsize=9, label={}];\n", from, operation_id(k, op),
                                source.inside ? "solid" : "dashed", dot_string(label));
        }
    }

    std::string reason(ValueId id, Operation reader) const {
        const std::optional<Operation> producer = body_.producer(id);
        for (const fuse::Unfused& edge : body_.plan->partition.unfused)
            if (producer && edge.producer == *producer && edge.consumer == reader &&
                body_.first[producer->index].index + edge.result == id.index)
                return edge.reason;
        return "";
    }

    const ExplainedBody& body_;
    std::string prefix_;
    std::span<const std::int64_t> bytes_;  ///< by cluster
    std::string out_;
    std::vector<ValueId> drawn_;
};

}  // namespace

std::string dot_of(const std::vector<ExplainedBody>& bodies, std::span<const std::int64_t> bytes) {
    std::string out =
        "digraph sinter {\n  rankdir=TB; fontname=\"Helvetica\"; fontsize=11;\n"
        "  node [fontname=\"Helvetica\", fontsize=11]; edge [fontname=\"Helvetica\"];\n";
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const std::size_t clusters = bodies[k].plan->partition.clusters.size();
        out += Drawing(bodies[k], k, bytes.first(clusters)).draw();
        bytes = bytes.subspan(clusters);
    }
    return out + "}\n";
}

}  // namespace sinter::runtime
