// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes are joined if a fold leads from one to the other: a cluster with such a fold may keep results both of its elements
// and of its points.
#include "fuse/rules/results.hpp"

#include <algorithm>

namespace sinter::fuse {

using solve::Vertex;

namespace {

template <class T>
void make_unique(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Adder {
  public:
    Adder(const DepGraph& graph, solve::Problem& problem) : g_(graph), p_(problem), vertex_(graph.roles.size()) {
        for (Vertex v = 0; v < p_.count; ++v) vertex_[g_.vertices[v].index] = v;
    }

    void run() {
        for (Operation op : g_.vertices) {
            if (g_.roles[op.index] == Role::barrier) continue;
            add(op);
            if (g_.fold(op)) p_.joined_shapes.push_back(std::minmax(number(g_.space(op)), number(g_.points(op))));
        }
        make_unique(p_.joined_shapes);
    }

  private:
    void add(Operation op) {
        solve::Result result{vertex_[op.index], number(g_.points(op)), g_.any_stored(op), {}};
        if (!result.stored)
            for (std::uint32_t use : g_.uses[op.index]) result.readers.push_back(vertex_[g_.accesses[use].reader.index]);
        make_unique(result.readers);
        if (result.stored || !result.readers.empty()) p_.results.push_back(std::move(result));
    }

    std::uint32_t number(const ir::Shape& shape) {
        const auto at = std::find(shapes_.begin(), shapes_.end(), shape);
        const auto found = static_cast<std::uint32_t>(at - shapes_.begin());
        if (at == shapes_.end()) shapes_.push_back(shape);
        return found;
    }

    const DepGraph& g_;
    solve::Problem& p_;
    std::vector<Vertex> vertex_;  ///< by operation
    std::vector<ir::Shape> shapes_;
};

}  // namespace

void add_results(const DepGraph& graph, solve::Problem& problem) { Adder(graph, problem).run(); }

}  // namespace sinter::fuse
