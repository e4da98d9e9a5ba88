// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain_text.hpp"

#include "ir/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace sinter::runtime {

namespace {

class Text {
  public:
    Text(const Prepared& prepared, const std::vector<ExplainedBody>& bodies, const fuse::Comparison& comparison,
         const detail::ExplanationData& data)
        : prepared_(prepared), plan_(*prepared.plan), bodies_(bodies), comparison_(comparison), data_(data) {}

    std::string take() {
        add_sums();
        add_repetition();
        add_sizes();
        std::size_t cluster = 0;
        for (const ExplainedBody& body : bodies_) {
            if (!body.role.empty()) add("\n{}\n", body.role);
            for (std::size_t k = 0; k < body.plan->partition.clusters.size(); ++k, ++cluster) add_cluster(cluster);
            add_unfused(body);
        }
        add("\nProgram before optimisation\n\n{}\n\nProgram after optimisation\n\n{}\n\n",
            ir::print(prepared_.converted.program), ir::print(plan_.program));
        return std::move(text_);
    }

  private:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    void add_sums() {
        const std::size_t count = data_.clusters.size();
        add("{} cluster{}, {} bytes moved; {}\n", count, count == 1 ? "" : "s", data_.bytes_moved, quality());
        for (const auto& entry : comparison_.entries)
            add("  {:<12}{:>6} {:<8} {:>16.0f} bytes\n", fuse::name_of(entry.strategy), entry.clusters,
                entry.clusters == 1 ? "cluster" : "clusters", entry.bytes);
        if (bodies_.size() > 1) add("What loops and conditionals hold is counted once.\n");
    }

    std::string quality() const {
        if (data_.gap == 0) return "no legal clustering costs less";
        return fmt::format("at most {:.3g} % from the best clustering", 100 * data_.gap);
    }

    void add_repetition() {
        for (const fuse::Repeated& repeated : plan_.repeated)
            add("Computed again where it is read, which moves fewer bytes: {}{}, {} times\n", repeated.name,
                place_of(repeated.site), repeated.times);
        if (!plan_.repetition_is_best)
            add("Of {} cheap operations each could be computed again where it is read. Not all combinations were tried: "
                "with another one, fewer bytes might be moved. What is said of the best clustering is of this one.\n",
                plan_.repeatable);
    }

    /// " at file.cpp:12", or nothing.
    std::string place_of(ir::SiteId site) const {
        const auto& sites = prepared_.converted.program.sites;
        if (!site.valid() || site.index >= sites.size()) return "";
        const location& where = sites[site.index].where;
        return fmt::format(" at {}:{}", where.file_name(), where.line());
    }

    /// The extents of this call, by the names that shapes below have for them.
    void add_sizes() {
        const std::vector<std::int64_t> values = Engine::size_values(prepared_);
        std::map<std::string, std::int64_t> named;
        for (const ExplainedBody& body : bodies_)
            for (ir::ValueId id : body.plan->partition.manifest)
                for (ir::SizeId size : body.plan->types[id.index].shape)
                    named.emplace(ir::print(plan_.program.sizes, size), values[size.index]);
        for (std::size_t k = 0; k < plan_.body.parameters; ++k)
            for (ir::SizeId size : plan_.body.types[k].shape)
                named.emplace(ir::print(plan_.program.sizes, size), values[size.index]);
        std::vector<std::string> parts;
        for (const auto& [name, value] : named)
            if (name != std::to_string(value)) parts.push_back(fmt::format("{} = {}", name, value));
        if (!parts.empty()) add("Extents: {}\n", fmt::join(parts, ", "));
    }

    void add_cluster(std::size_t k) {
        const detail::ClusterExplanation& cluster = data_.clusters[k];
        auto list = [](const std::vector<std::string>& names) {
            return names.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(names, ", "));
        };
        add("\nCluster {}: {} bytes\n  reads    {}\n  writes   {}\n", k + 1, cluster.bytes, list(cluster.inputs),
            list(cluster.outputs));
        for (const std::string& operation : cluster.operations) add("  {}\n", operation);
    }

    void add_unfused(const ExplainedBody& body) {
        std::vector<std::string> lines;
        for (const fuse::Unfused& edge : body.plan->partition.unfused) {
            std::string line = fmt::format("  {} -> {}: {}\n", body.operation_name(edge.producer),
                                           body.operation_name(edge.consumer), edge.reason);
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
        }
        if (!lines.empty()) add("\nNot fused\n{}", fmt::join(lines, ""));
    }

    const Prepared& prepared_;
    const Plan& plan_;
    const std::vector<ExplainedBody>& bodies_;
    const fuse::Comparison& comparison_;
    const detail::ExplanationData& data_;
    std::string text_;
};

}  // namespace

std::string text_of(const Prepared& prepared, const std::vector<ExplainedBody>& bodies, const fuse::Comparison& comparison,
                    const detail::ExplanationData& data) {
    return Text(prepared, bodies, comparison, data).take();
}

}  // namespace sinter::runtime
