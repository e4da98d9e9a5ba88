// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/explain_walk.hpp"

#include "fuse/extract.hpp"
#include "fuse/graph/uses.hpp"
#include "ir/text/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sinter::runtime {

using fuse::Operation;
using ir::ValueId;

namespace {

ExplainedBody make(const Plan& plan, const ir::Body& body, const BodyPlan& body_plan, std::vector<ir::Type> outer,
                   std::span<const ir::Site> sites) {
    fuse::BodyIndex index = fuse::index_body(body, body_plan.base);
    ExplainedBody result{&plan.program, &body, &body_plan, std::move(outer), sites, {}, std::move(index.transparent)};
    for (std::size_t level : index.levels) result.first.emplace_back(level);
    return result;
}

void walk_body(const Plan& plan, const ir::Body& body, const BodyPlan& body_plan, const std::vector<ir::Type>& outer,
               std::span<const ir::Site> sites, std::string role, std::vector<ExplainedBody>& out) {
    std::size_t index = out.size();
    out.push_back(make(plan, body, body_plan, outer, sites));
    out.back().role = std::move(role);
    for (std::size_t k = 0; k < body_plan.steps.size(); ++k) {
        Operation operation = body_plan.partition.clusters[k].operations.back();
        std::size_t scope = out[index].first[operation.index].index;
        std::vector<ir::Type> types(body_plan.types.begin(), body_plan.types.begin() + static_cast<std::ptrdiff_t>(scope));
        const ir::ArrayOp& op = body.bindings[operation.index].op;
        auto nested = [&](const char* part, const ir::Body& inner, const BodyPlan& inner_plan,
                          std::optional<ValueId> count = {}, bool in_loop_kernel = false) {
            const std::size_t number = out.size();
            const std::string where = out[index].place(operation);
            std::string name =
                fmt::format("{} of {}{}{}", part, out[index].operation_name(operation), where.empty() ? "" : " at ", where);
            walk_body(plan, inner, inner_plan, types, sites, std::move(name), out);
            out[number].count = count;
            out[number].in_loop_kernel = in_loop_kernel;
        };
        if (const auto* step = std::get_if<CondStep>(&body_plan.steps[k].action)) {
            const auto& bodies = std::get<ir::Cond>(op).bodies;
            nested("First branch", bodies[0], *step->then);
            nested("Second branch", bodies[1], *step->otherwise);
        } else if (const auto* loop = std::get_if<LoopStep>(&body_plan.steps[k].action)) {
            const auto& bodies = std::get<ir::Loop>(op).bodies;
            if (loop->condition) nested("Condition", bodies.front(), *loop->condition);
            nested("Body", bodies.back(), *loop->body, loop->count, loop->kernel != nullptr);
        }
    }
}

}  // namespace

std::vector<ExplainedBody> walk(const Plan& plan, std::span<const ir::Site> sites) {
    std::vector<ExplainedBody> bodies;
    walk_body(plan, plan.program.body, plan.body, {}, sites, "", bodies);
    return bodies;
}

std::string ExplainedBody::variable_name(ValueId id) const {
    return fmt::format("%{} : {}", id.index, ir::print(program->sizes, plan->types[id.index]));
}

std::vector<std::string> ExplainedBody::variable_names(const std::vector<ValueId>& ids) const {
    std::vector<std::string> names;
    for (ValueId id : ids) names.push_back(variable_name(id));
    return names;
}

std::string ExplainedBody::operation_name(Operation operation) const {
    return fmt::format("%{} {}", first[operation.index].index, ir::name_of(body->bindings[operation.index].op));
}

std::string ExplainedBody::place(Operation operation) const {
    ir::SiteId site = body->bindings[operation.index].site;
    if (!site.valid() || site.index >= sites.size()) return "";
    const location& where = sites[site.index].where;
    return fmt::format("{}:{}", where.file_name(), where.line());
}

std::string ExplainedBody::reason(const fuse::Unfused& edge) const {
    std::string text = edge.reason;
    for (Operation operation : edge.about) {
        const std::string where = place(operation),
                          name = fmt::format("{} %{}", ir::name_of(op(operation)), first[operation.index].index);
        const std::size_t at = text.find(name), end = at + name.size();
        const bool is_named =
            at != text.npos && (end == text.size() || !std::isdigit(static_cast<unsigned char>(text[end])));
        if (is_named && !where.empty()) text.insert(end, fmt::format(" ({})", where.substr(where.rfind('/') + 1)));
    }
    return text;
}

std::optional<Operation> ExplainedBody::producer(ValueId id) const {
    auto next = std::upper_bound(first.begin(), first.end(), id);
    if (next == first.begin()) return std::nullopt;
    return Operation(static_cast<std::size_t>(next - first.begin() - 1));
}

namespace {

/// Follows operands through transparent operations, as kernels do, and finds each source once.
class SourceFinder {
  public:
    SourceFinder(const ExplainedBody& body, std::size_t cluster)
        : body_(body), operations_(body.plan->partition.clusters[cluster].operations), uses_(body.program->sizes) {}

    std::vector<ExplainedBody::Source> find(Operation operation) {
        visit(operation, "");
        return std::move(found_);
    }

  private:
    bool is_here(Operation op) const { return std::binary_search(operations_.begin(), operations_.end(), op); }

    void visit(Operation operation, const std::string& through) {
        for (const fuse::Use& use : uses_(body_.body->bindings[operation.index], body_.first[operation.index].index)) {
            const ValueId id = use.variable;
            if (use.kind == fuse::UseKind::extent) continue;
            const std::optional<Operation> made_by = body_.producer(id);
            const bool inside = made_by && is_here(*made_by);
            if (made_by && !inside && body_.transparent[made_by->index] && !fuse::needs_storage(use.kind)) {
                const std::string name = ir::name_of(body_.op(*made_by));
                visit(*made_by, through.empty() ? name : name + ", " + through);
                continue;
            }
            auto same = [&](const auto& source) { return source.id == id && source.through == through; };
            if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back({id, through, inside});
        }
    }

    const ExplainedBody& body_;
    const std::vector<Operation>& operations_;
    fuse::UseFinder uses_;
    std::vector<ExplainedBody::Source> found_;
};

}  // namespace

std::vector<ExplainedBody::Source> ExplainedBody::sources(std::size_t cluster, Operation operation) const {
    return SourceFinder(*this, cluster).find(operation);
}

std::vector<ValueId> ExplainedBody::reads(std::size_t cluster) const {
    std::vector<ValueId> result;
    for (Operation operation : plan->partition.clusters[cluster].operations)
        for (const Source& source : sources(cluster, operation))
            if (!source.inside && std::find(result.begin(), result.end(), source.id) == result.end())
                result.push_back(source.id);
    return result;
}

std::vector<ValueId> ExplainedBody::writes(std::size_t cluster) const {
    std::vector<ValueId> result;
    if (const auto* kernel = std::get_if<KernelStep>(&plan->steps[cluster].action)) return kernel->outputs;
    Operation operation = plan->partition.clusters[cluster].operations.back();
    for (std::size_t k = 0; k < body->bindings[operation.index].types.size(); ++k) {
        result.emplace_back(first[operation.index].index + k);
    }
    return result;
}

/// Decides as Launcher::updated_variable does, as far as that is possible before the call.
std::vector<std::string> ExplainedBody::copies(std::size_t cluster) const {
    const auto* kernel = std::get_if<KernelStep>(&plan->steps[cluster].action);
    if (kernel == nullptr) return {};
    const std::vector<ValueId>& dying = plan->steps[cluster].dying;
    std::vector<std::string> result;
    for (const lower::Buffer& buffer : kernel->kernel->kernel.buffers) {
        if (!buffer.dest) continue;
        const ValueId dest = kernel->inputs[*buffer.dest];
        const bool is_argument = outer.empty() && dest.index < plan->parameters;
        const char* why = nullptr;
        if (kernel->needs_copy)
            why = "some of which is read after another step would have overwritten it";
        else if (dest.index < plan->base)
            why = "which belongs to what is outside";
        else if (std::find(dying.begin(), dying.end(), dest) == dying.end())
            why = "which is needed later";
        else if (is_argument)
            why = "unless it is given up";
        if (why != nullptr) result.push_back(variable_name(dest) + ", " + why);
    }
    return result;
}

detail::ClusterExplanation ExplainedBody::cluster(std::size_t index) const {
    detail::ClusterExplanation result;
    for (Operation operation : plan->partition.clusters[index].operations) {
        std::string where = place(operation);
        result.operations.push_back(operation_name(operation) + (where.empty() ? "" : " at " + where));
    }
    result.inputs = variable_names(reads(index));
    result.outputs = variable_names(writes(index));
    result.copies = copies(index);
    return result;
}

}  // namespace sinter::runtime
