// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/program.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::ir {

namespace {

/// Calls visit on every operand of `op`, in the order that operands() promises; operands are const if `op` is.
template <class ArrayOpRef, class Visit>
class OperandVisitor {
  public:
    explicit OperandVisitor(Visit visit) : visit_(visit) {}

    template <class Op>
    void operator()(Op& op) {
        using Plain = std::remove_const_t<Op>;
        if constexpr (std::is_same_v<Plain, Map>) {
            all(op.args), captured(op.captures);
        } else if constexpr (std::is_same_v<Plain, Fold> || std::is_same_v<Plain, Scan>) {
            all(op.inits), all(op.args), captured(op.captures);
        } else if constexpr (std::is_same_v<Plain, Rows>) {
            all(op.inits), all(op.args);
        } else if constexpr (std::is_same_v<Plain, Derivative>) {
            all(op.args), all(op.seeds);
        } else if constexpr (std::is_same_v<Plain, View>) {
            visit_(op.arg), maybe(op.fill);
        } else if constexpr (std::is_same_v<Plain, Gather>) {
            all(op.indices), all(op.sources);
        } else if constexpr (std::is_same_v<Plain, Cond>) {
            visit_(op.condition);
        } else if constexpr (std::is_same_v<Plain, Loop>) {
            maybe(op.count), all(op.inits);
        } else if constexpr (std::is_same_v<Plain, Compact>) {
            visit_(op.mask), all(op.args);
        } else if constexpr (std::is_same_v<Plain, Scatter>) {
            all(op.dests), all(op.indices), all(op.values), captured(op.captures);
        } else {
            all(op.args);
        }
    }

  private:
    template <class Ids>
    void all(Ids& ids) {
        for (auto& id : ids) visit_(id);
    }
    template <class CapturesRef>
    void captured(CapturesRef& captures) {
        all(captures.scalars), all(captures.arrays);
    }
    template <class Id>
    void maybe(Id& id) {
        if (id) visit_(*id);
    }
    Visit visit_;
};

template <class ArrayOpRef, class Visit>
void visit_operands(ArrayOpRef& op, Visit visit) {
    OperandVisitor<ArrayOpRef, Visit> visitor(visit);
    std::visit(visitor, op);
}

template <class ArrayOpRef>
auto find_bodies(ArrayOpRef& op) {
    return std::visit(
        [](auto& o) -> std::conditional_t<std::is_const_v<ArrayOpRef>, const std::vector<Body>*, std::vector<Body>*> {
            if constexpr (requires { o.bodies; })
                return &o.bodies;
            else
                return nullptr;
        },
        op);
}

const char* name_of(const IndexFunction& function) {
    return match(
        function, [](const Transpose&) { return "transpose"; }, [](const Slice&) { return "slice"; },
        [](const Broadcast&) { return "broadcast"; }, [](const Reshape&) { return "reshape"; },
        [](const Shift&) { return "shift"; });
}

}  // namespace

std::vector<ValueId> operands(const ArrayOp& op) {
    std::vector<ValueId> ids;
    visit_operands(op, [&](ValueId id) { ids.push_back(id); });
    return ids;
}

void for_each_operand(ArrayOp& op, const std::function<void(ValueId&)>& visit) {
    visit_operands(op, [&](ValueId& id) { visit(id); });
}

const std::vector<Body>* bodies_of(const ArrayOp& op) { return find_bodies(op); }
std::vector<Body>* bodies_of(ArrayOp& op) { return find_bodies(op); }

namespace {

template <class Op>
bool contains(const Body& body) {
    return std::any_of(body.bindings.begin(), body.bindings.end(), [](const Binding& binding) {
        if (std::holds_alternative<Op>(binding.op)) return true;
        const std::vector<Body>* bodies = bodies_of(binding.op);
        return bodies != nullptr && std::any_of(bodies->begin(), bodies->end(), contains<Op>);
    });
}

}  // namespace

bool contains_derivative(const Body& body) { return contains<Derivative>(body); }
bool contains_custom(const Body& body) { return contains<Custom>(body); }

FunctionPart function_of(ArrayOp& op) {
    if (auto* map = std::get_if<Map>(&op)) return {&map->fn, &map->captures};
    if (auto* fold = std::get_if<Fold>(&op)) return {&fold->op, &fold->captures};
    if (auto* scan = std::get_if<Scan>(&op)) return {&scan->op, &scan->captures};
    if (auto* scatter = std::get_if<Scatter>(&op); scatter && scatter->op) return {&*scatter->op, &scatter->captures};
    return {};
}
const Fn* function_of(const ArrayOp& op) { return function_of(const_cast<ArrayOp&>(op)).fn; }

bool are_alike(const Scan& a, const Scan& b) {
    return a.axis == b.axis && a.reverse == b.reverse && a.exclusive == b.exclusive && a.sequential == b.sequential &&
           a.inits.empty() == b.inits.empty();
}

bool has_changing_extent(const Loop& loop, std::size_t state) {
    return std::any_of(loop.changing.begin(), loop.changing.end(), [&](StateAxis each) { return each.state == state; });
}

void keep_changing(Loop& loop, const std::vector<bool>& kept) {
    std::vector<StateAxis> changing;
    for (auto [state, axis] : loop.changing) {
        if (!kept[state]) continue;
        auto before = std::count(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(state), true);
        changing.push_back({static_cast<std::size_t>(before), axis});
    }
    loop.changing = std::move(changing);
}

bool binds_sizes(const ArrayOp& op) {
    if (const auto* loop = std::get_if<Loop>(&op)) return !loop->changing.empty();
    return std::holds_alternative<Compact>(op) || std::holds_alternative<Foreign>(op) || std::holds_alternative<Vmap>(op);
}

std::string describe_failure(const SizeTable& sizes, const Guard& guard, std::int64_t left, std::int64_t right) {
    const Size& bound = sizes[guard.left];
    if (left == right) return guard.message.substr(0, guard.message.find(':')) + ": a size is " + print_count(left);
    const std::string a = print_count(left), b = print_count(right);
    bool at_most = bound.kind == Size::Kind::maximum && (bound.left == guard.right || bound.right == guard.right);
    if (!at_most) return fmt::format("{}: extents {} and {} differ", guard.message, a, b);
    if (left == 0) return fmt::format("{}: {}", guard.message, b);
    if (left == 1 && right == 0) return fmt::format("{}: there is no element", guard.message);
    return fmt::format("{}: {} exceeds {}", guard.message, a, b);
}

std::string name_of(const ArrayOp& op) {
    return match(
        op,
        [](const Map& map) -> std::string {
            if (!map.indexed) return "map";
            return map.args.empty() ? "generate" : "map_indexed";
        },
        [](const Fold&) -> std::string { return "fold"; },
        [](const View& view) -> std::string { return view.fill ? "pad" : name_of(view.function); },
        [](const Gather&) -> std::string { return "gather"; }, [](const Force&) -> std::string { return "force"; },
        [](const Cond&) -> std::string { return "cond"; },
        [](const Loop& loop) -> std::string { return loop.count ? "for" : "while"; },
        [](const Scan& scan) -> std::string { return scan.sequential ? "recur" : "scan"; },
        [](const Compact&) -> std::string { return "compact"; }, [](const Scatter&) -> std::string { return "scatter"; },
        [](const Sort&) -> std::string { return "sort"; }, [](const Foreign&) -> std::string { return "foreign"; },
        [](const Vmap&) -> std::string { return "vmap"; },
        [](const Derivative& derivative) -> std::string {
            return derivative.mode == Derivative::Mode::forward ? "jvp" : "vjp";
        },
        [](const Custom& custom) -> std::string {
            constexpr const char* names[] = {"custom_jvp", "custom_vjp", "checkpoint"};
            return names[static_cast<int>(custom.kind)];
        },
        [](const Rows& rows) -> std::string { return rows.kind == Rows::Kind::fold ? "fold_rows" : "scan_rows"; });
}

Site site_of(std::span<const Site> sites, SiteId id) {
    return id.valid() && id.index < sites.size() ? sites[id.index] : Site();
}

std::string name_of(const Binding& binding, std::span<const Site> sites) {
    const Site site = site_of(sites, binding.site);
    return site.called ? site.called : name_of(binding.op);
}

std::vector<Type> types_of(const Body& body, std::vector<Type> outer) {
    outer.insert(outer.end(), body.params.begin(), body.params.end());
    for (const Binding& binding : body.bindings) outer.insert(outer.end(), binding.types.begin(), binding.types.end());
    return outer;
}

}  // namespace sinter::ir
