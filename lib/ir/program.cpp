// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/program.hpp"

#include "support/match.hpp"

namespace sinter::ir {

namespace {

/// Calls visit on every operand of `op` in the order that operands() promises; const or not as `op` is.
template <class ArrayOpRef, class Visit>
void visit_operands(ArrayOpRef& op, Visit visit) {
    auto all = [&](auto& ids) {
        for (auto& id : ids) visit(id);
    };
    auto captured = [&](auto& captures) { all(captures.scalars), all(captures.arrays); };
    match(
        op, [&](auto& map)
            requires requires { map.indexed; }
                     { all(map.args), captured(map.captures); },
                     [&](auto& fold)
                         requires requires { fold.commutative; }
                                  { all(fold.inits), all(fold.args), captured(fold.captures); },
                                  [&](auto& view)
                                      requires requires { view.function; }
                                               { visit(view.arg); },
                                               [&](auto& gather)
                                                   requires requires { gather.sources; }
                                                            { all(gather.indices), all(gather.sources); },
                                                            [&](auto& cond)
                                                                requires requires { cond.condition; }
                                                                         { visit(cond.condition); },
                                                                         [&](auto& loop)
                                                                             requires requires { loop.count; }
                                                                                      {
                                                                                          if (loop.count) visit(*loop.count);
                                                                                          all(loop.inits);
                                                                                      },
                                                                                      [&](auto& force)
                                                                                          requires std::is_same_v<
                                                                                              std::remove_cvref_t<
                                                                                                  decltype(force)>,
                                                                                              Force>
        { all(force.args); });
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

std::string name_of(const ArrayOp& op) {
    return match(
        op,
        [](const Map& map) -> std::string { return !map.indexed       ? "map"
                                                   : map.args.empty() ? "generate"
                                                                      : "map_indexed"; },
        [](const Fold&) -> std::string { return "fold"; },
        [](const View& view) -> std::string {
            return match(
                view.function, [](const Transpose&) { return "transpose"; }, [](const Slice&) { return "slice"; },
                [](const Broadcast&) { return "broadcast"; }, [](const Reshape&) { return "reshape"; });
        },
        [](const Gather&) -> std::string { return "gather"; }, [](const Force&) -> std::string { return "force"; },
        [](const Cond&) -> std::string { return "cond"; },
        [](const Loop& loop) -> std::string { return loop.count ? "for" : "while"; });
}

std::vector<Type> types_of(const Body& body, std::vector<Type> outer) {
    outer.insert(outer.end(), body.params.begin(), body.params.end());
    for (const Binding& binding : body.bindings) outer.insert(outer.end(), binding.types.begin(), binding.types.end());
    return outer;
}

}  // namespace sinter::ir
