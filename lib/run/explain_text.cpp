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
        add_extents();
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
    void add_extents() {
        const std::vector<std::int64_t> values = Engine::size_estimates(prepared_, plan_.program);
        std::map<std::string, ir::SizeId> named;
        auto name = [&](const ir::Shape& shape) {
            for (ir::SizeId size : shape) named.emplace(ir::print(plan_.program.sizes, size), size);
        };
        for (const ExplainedBody& body : bodies_)
            for (ir::ValueId id : body.plan->partition.manifest) name(body.plan->types[id.index].shape);
        for (std::size_t k = 0; k < plan_.body.parameters; ++k) name(plan_.body.types[k].shape);
        std::vector<std::string> known, computed;
        for (const auto& [text, size] : named)
            if (text != std::to_string(values[size.index]))
                (plan_.dynamic[size.index] ? computed : known).push_back(fmt::format("{} = {}", text, values[size.index]));
        if (!known.empty()) add("Extents: {}\n", fmt::join(known, ", "));
        if (!computed.empty()) add("Extents that data decides, bytes counted as if: {}\n", fmt::join(computed, ", "));
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
