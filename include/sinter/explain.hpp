// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// explain: what would be run, and why it is fused in this way.
#pragma once

#include <sinter/run.hpp>

namespace sinter {

namespace detail {

// Templates only so that programs that explain nothing do not pay for them.

template <class Data>
class BasicCluster {
  public:
    explicit BasicCluster(Data data) : data_(std::move(data)) {}
    const std::vector<std::string>& operations() const { return data_.operations; }
    const std::vector<std::string>& inputs() const { return data_.inputs; }
    const std::vector<std::string>& outputs() const { return data_.outputs; }
    /// Arrays that the cluster updates and that have to be copied before, each with the reason. An array that is given away,
    /// a state of a loop, and an array that the program itself makes are updated in place where nobody needs the old
    /// contents.
    const std::vector<std::string>& copies() const { return data_.copies; }
    /// Bytes read and written by the cluster.
    std::int64_t bytes() const { return data_.bytes; }

  private:
    Data data_;
};

template <class Data>
class BasicExplanation {
  public:
    using Cluster = BasicCluster<ClusterExplanation>;

    BasicExplanation(std::vector<LeafRef> leaves, const Options& options, location where)
        : leaves_(std::move(leaves)),
          options_(options),
          where_(where),
          data_(detail::explain(leaves_.data(), leaves_.size(), options, where)) {
        for (auto& cluster : data_.clusters) clusters_.emplace_back(std::move(cluster));
    }

    /// The clusters in the order in which they run.
    const std::vector<Cluster>& clusters() const { return clusters_; }
    /// The arrays written to memory.
    const std::vector<std::string>& manifest() const { return data_.manifest; }
    std::int64_t bytes_moved() const { return data_.bytes_moved; }
    /// How far the clustering may be from the best one, as a fraction of its cost; 0 if it is proven to be the best.
    double gap() const { return data_.gap; }
    /// Seconds spent on finding the clusters.
    double solve_time() const { return data_.solve_time; }
    /// The program before and after fusion, the clusters, the bytes moved, and the reason for every edge that is not fused.
    const std::string& text() const { return data_.text; }
    /// Writes text(): std::cout << explain(e).
    template <class Stream>
    friend auto operator<<(Stream& stream, const BasicExplanation& e) -> decltype(stream << e.text()) {
        return stream << e.text();
    }
    /// The same as a graph, for Graphviz.
    const std::string& dot() const { return data_.dot; }
    /// The graph as a drawing. Limitation where Graphviz is not installed.
    std::string svg() const { return detail::draw_svg(data_.dot, where_); }
    /// The code of each cluster. Compiles the program.
    std::vector<KernelExplanation> kernels() const {
        return detail::explain_kernels(leaves_.data(), leaves_.size(), options_, where_);
    }

  private:
    std::vector<LeafRef> leaves_;
    Options options_;
    location where_;
    Data data_;
    std::vector<Cluster> clusters_;
};

template <class... A>
auto explain_together(const Options& options, location where, const A&... a) {
    forbid_tracing("explain", where);
    std::vector<LeafRef> leaves;
    (leaves.insert(leaves.end(), a.leaves().leaf, a.leaves().leaf + leaf_count<element_t<A>>), ...);
    return BasicExplanation<ExplanationData>(std::move(leaves), options, where);
}

}  // namespace detail

/// Operations computed in one pass.
using Cluster = detail::BasicCluster<detail::ClusterExplanation>;
/// The code of one cluster: its name, inputs and outputs, loop IR, LLVM IR, and assembly or PTX.
using KernelText = detail::KernelExplanation;
/// Owns everything it describes; all but kernels() and svg() is ready.
using Explanation = detail::BasicExplanation<detail::ExplanationData>;

/// What run would do with an array, as an Explanation.
template <ArrayLike A>
auto explain(const A& a, const Options& options = {}, location where = location::current()) {
    return detail::explain_together(options, where, a);
}
/// Explains several results, passed as to run: in a std::tuple, or one after the other.
template <class T>
    requires detail::is_array_tuple<T>
auto explain(const T& arrays, const Options& options = {}, location where = location::current()) {
    using Tree = detail::Results<T>;
    detail::forbid_tracing("explain", where);
    std::vector<detail::LeafRef> leaves(Tree::leaves);
    detail::LeafRef* end = leaves.data();
    Tree::add(arrays, end);
    return Explanation(std::move(leaves), options, where);
}
template <ArrayLike A, ArrayLike B>
auto explain(const A& a, const B& b, const Options& options = {}, location where = location::current()) {
    return detail::explain_together(options, where, a, b);
}
template <ArrayLike A, ArrayLike B, ArrayLike C>
auto explain(const A& a, const B& b, const C& c, const Options& options = {}, location where = location::current()) {
    return detail::explain_together(options, where, a, b, c);
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike... E>
auto explain(detail::Operand<A> a, const B& b, const C& c, const D& d, const E&... e) {
    return detail::explain_together({}, a.where, *a.array, b, c, d, e...);
}

}  // namespace sinter
