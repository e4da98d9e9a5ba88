// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/explain_text.hpp"

#include "ir/text/print.hpp"
#include "pipeline/pipeline.hpp"
#include "run/plan/streams.hpp"
#include "support/text/user_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace sinter::runtime {

namespace {

class Text {
  public:
    Text(const Prepared& prepared, const std::vector<ExplainedBody>& bodies, const fuse::Comparison& comparison,
         const detail::ExplanationData& data, bool on_card)
        : prepared_(prepared),
          plan_(*prepared.plan),
          bodies_(bodies),
          comparison_(comparison),
          data_(data),
          on_card_(on_card) {}

    std::string take() {
        add_sums();
        add_repetition();
        add_slice_by_slice();
        add_extents();
        std::size_t cluster = 0;
        for (const ExplainedBody& body : bodies_) {
            if (!body.role.empty()) add("\n{}{}\n", body.role, times(body));
            if (body.in_loop_kernel) add("  the loop is one kernel where its steps are many and short\n");
            const PlanStreams streams = on_card_ ? streams_of(*body.plan) : PlanStreams();
            const std::vector<fuse::Cluster>& clusters = body.plan->partition.clusters;
            for (std::size_t k = 0; k < clusters.size(); ++k)
                add_cluster(cluster++, kind(body, clusters[k].operations.back()), stream(*body.plan, streams, k));
            add_unfused(body);
        }
        add("\nProgram before optimisation\n\n{}\n\nProgram after optimisation\n\n{}\n\n",
            ir::print(prepared_.converted.program), ir::print(plan_.program));
        if (const std::string texts = texts_in(text_); !texts.empty()) add("Texts\n\n{}\n", texts);
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
        if (bodies_.size() > 1) add("Of loops one iteration is counted, of conditionals both branches.\n");
    }

    std::string quality() const {
        if (data_.gap == 0) return "no legal clustering costs less";
        return fmt::format("at most {:.3g} % from the best clustering", 100 * data_.gap);
    }

    void add_repetition() {
        if (!plan_.repeated.empty()) add("Computed again where it is read, which moves fewer bytes{}:\n", price_of_copies());
        for (const auto& [operation, copies] : copies_by_operation())
            add("  {}, {} times\n",
                copies.operations == 1 ? operation : fmt::format("{}: {} of them", operation, copies.operations),
                copies.times);
        if (!plan_.repetition_is_best)
            add("Of {} cheap operations each could be computed again where it is read. Not all combinations were tried: "
                "with another one, fewer bytes might be moved. What is said of the best clustering is of this one.\n",
                plan_.repeatable);
    }

    void add_slice_by_slice() {
        std::vector<std::string> lines;
        for (const auto& [vmap, obstacle] : pipeline::slice_by_slice(prepared_.converted.program)) {
            const std::string at = place_of(obstacle.site);
            std::string line = fmt::format("  vmap{}: {}{}: {}\n", place_of(vmap), obstacle.operation, at, obstacle.problem);
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
        }
        if (!lines.empty()) add("Slices of different shapes that are executed one after another:\n{}", fmt::join(lines, ""));
    }

    std::string price_of_copies() const {
        if (plan_.arithmetic_of_copies == 0) return "";
        return fmt::format("; its arithmetic counts as {:.0f} bytes", plan_.arithmetic_of_copies);
    }

    struct Copied {
        std::size_t operations = 0, times = 0;  ///< how many operations, and how often these are computed
    };

    /// What is computed again, by its name and place: a loop that C++ unrolls makes many operations at one place.
    std::map<std::string, Copied> copies_by_operation() const {
        std::map<std::string, Copied> result;
        for (const fuse::Repeated& repeated : plan_.repeated) {
            Copied& copied = result[repeated.name + place_of(repeated.site)];
            ++copied.operations;
            copied.times += repeated.times;
        }
        return result;
    }

    /// " at file.cpp:12", or nothing.
    std::string place_of(ir::SiteId site) const {
        const auto& sites = prepared_.converted.program.sites;
        if (!site.valid() || site.index >= sites.size()) return "";
        const location& where = sites[site.index].where;
        return fmt::format(" at {}:{}", where.file_name(), where.line());
    }

    /// Notes the symbols that a size is made of.
    void name_symbols(ir::SizeId size, std::map<std::string, ir::SizeId>& named) const {
        const ir::Size& parts = plan_.program.sizes[size];
        if (!parts.left.valid()) named.emplace(ir::print(plan_.program.sizes, size), size);
        for (ir::SizeId part : {parts.left, parts.right})
            if (part.valid()) name_symbols(part, named);
    }

    /// Adds the extents of this call, by the names that shapes below give them.
    void add_extents() {
        const std::vector<std::int64_t> values = Engine::size_estimates(prepared_, plan_.program);
        std::vector<std::string> known, computed;
        for (const auto& [text, size] : named_sizes())
            if (text != std::to_string(values[size.index]))
                (plan_.dynamic[size.index] ? computed : known)
                    .push_back(fmt::format("{} = {}{}", text, values[size.index], origin(size)));
        if (!known.empty()) add("Extents: {}\n", fmt::join(known, ", "));
        if (!computed.empty()) add("Extents that data decides, bytes counted as if: {}\n", fmt::join(computed, ", "));
    }

    std::map<std::string, ir::SizeId> named_sizes() const {
        std::map<std::string, ir::SizeId> named;
        auto name = [&](const ir::Shape& shape) {
            for (ir::SizeId size : shape)
                if (named.emplace(ir::print(plan_.program.sizes, size), size).second) name_symbols(size, named);
        };
        for (const ExplainedBody& body : bodies_)
            for (ir::ValueId id : body.plan->partition.manifest) name(body.plan->types[id.index].shape);
        for (std::size_t k = 0; k < plan_.body.parameters; ++k) name(plan_.body.types[k].shape);
        return named;
    }

    /// For example " (compact at file.cpp:12)": what computes a size.
    std::string origin(ir::SizeId id) const {
        const ir::Size& size = plan_.program.sizes[id];
        if (size.kind != ir::Size::Kind::value) return "";
        const ir::ValueId value(static_cast<std::size_t>(size.index));
        for (const ExplainedBody& body : bodies_) {
            if (body.count && value.index == body.plan->base) return " (the position of a loop)";
            const std::optional<fuse::Operation> made_by = body.producer(value);
            if (!made_by || !ir::binds_sizes(body.op(*made_by))) continue;
            return fmt::format(" ({}{})", ir::name_of(body.op(*made_by)),
                               place_of(body.body->bindings[made_by->index].site));
        }
        return "";
    }

    /// For example ", executed 16 times", for the body of a loop.
    std::string times(const ExplainedBody& body) const {
        const std::optional<std::int64_t> count = body.count ? number(*body.count) : std::nullopt;
        return count ? fmt::format(", executed {} times", *count) : "";
    }

    /// The value of a variable of the program, if it is a literal.
    std::optional<std::int64_t> number(ir::ValueId id) const {
        const auto& arguments = prepared_.converted.arguments;
        if (id.index < plan_.body.parameters) {
            const auto* literal = std::get_if<convert::LiteralArgument>(&arguments[id.index]);
            return literal ? std::optional(static_cast<std::int64_t>(literal->bits)) : std::nullopt;
        }
        const std::optional<fuse::Operation> made_by = bodies_[0].producer(id);
        const auto* map = made_by ? std::get_if<ir::Map>(&bodies_[0].op(*made_by)) : nullptr;
        const bool is_literal = map && map->fn.body.insts.size() == 1 && map->fn.body.insts[0].op == ir::Op::constant;
        return is_literal ? std::optional(static_cast<std::int64_t>(map->fn.body.insts[0].bits)) : std::nullopt;
    }

    /// The kind of a cluster that is not a kernel.
    static std::string kind(const ExplainedBody& body, fuse::Operation operation) {
        const ir::ArrayOp& op = body.op(operation);
        if (std::holds_alternative<ir::Loop>(op)) return "a loop, whose body follows below";
        if (std::holds_alternative<ir::Cond>(op)) return "a conditional, whose branches follow below";
        if (const auto* sort = std::get_if<ir::Sort>(&op))
            return body.plan->types[sort->args[0].index].shape == body.body->bindings[operation.index].types[0].shape
                       ? "{} bytes, by the passes of a sort whose keys differ in all digits"
                       : "{} bytes, by one pass that selects the first elements of each line";
        if (std::holds_alternative<ir::Foreign>(op)) return "{} bytes, if a foreign function reads and writes all once";
        if (const auto* force = std::get_if<ir::Force>(&op))
            return body.plan->types[force->args[0].index].shape == body.body->bindings[operation.index].types[0].shape
                       ? "force, of what is in memory already"
                       : "reshape, of what is in memory already";
        return "{} bytes";
    }

    /// Where a card runs the kernel of a cluster, if not all are in one stream.
    static std::string stream(const BodyPlan& plan, const PlanStreams& streams, std::size_t cluster) {
        const bool is_kernel = std::holds_alternative<KernelStep>(plan.steps[cluster].action);
        if (streams.count < 2 || !is_kernel) return "";
        return fmt::format("  stream   {} of {}\n", streams.of_step[cluster] + 1, streams.count);
    }

    void add_cluster(std::size_t k, const std::string& kind, const std::string& stream) {
        const detail::ClusterExplanation& cluster = data_.clusters[k];
        auto list = [](const std::vector<std::string>& names) {
            return names.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(names, ", "));
        };
        add("\nCluster {}: {}\n  reads    {}\n  writes   {}\n", k + 1, fmt::format(fmt::runtime(kind), cluster.bytes),
            list(cluster.inputs), list(cluster.outputs));
        for (const std::string& copy : cluster.copies) add("  copies   {}\n", copy);
        add("{}", stream);
        add_operations(cluster.operations);
    }

    /// Adds the operations of one call in one line: "%5, %7 map at file.cpp:12".
    void add_operations(const std::vector<std::string>& operations) {
        std::vector<std::pair<std::string, std::vector<std::string>>> calls;
        for (const std::string& operation : operations) {
            const std::size_t end = operation.find(' ');
            const std::string id = operation.substr(0, end), call = operation.substr(end);
            auto known = std::find_if(calls.begin(), calls.end(), [&](const auto& c) { return c.first == call; });
            if (known == calls.end()) known = calls.insert(known, {call, {}});
            known->second.push_back(id);
        }
        for (const auto& [call, ids] : calls) add("  {}{}\n", fmt::join(ids, ", "), call);
    }

    void add_unfused(const ExplainedBody& body) {
        std::vector<std::string> lines;
        for (const fuse::Unfused& edge : body.plan->partition.unfused) {
            std::string line = fmt::format("  {} -> {}: {}\n", body.operation_name(edge.producer),
                                           body.operation_name(edge.consumer), body.reason(edge));
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
        }
        if (!lines.empty()) add("\nNot fused\n{}", fmt::join(lines, ""));
    }

    const Prepared& prepared_;
    const Plan& plan_;
    const std::vector<ExplainedBody>& bodies_;
    const fuse::Comparison& comparison_;
    const detail::ExplanationData& data_;
    const bool on_card_;
    std::string text_;
};

}  // namespace

std::string text_of(const Prepared& prepared, const std::vector<ExplainedBody>& bodies, const fuse::Comparison& comparison,
                    const detail::ExplanationData& data, bool on_card) {
    return Text(prepared, bodies, comparison, data, on_card).take();
}

}  // namespace sinter::runtime
