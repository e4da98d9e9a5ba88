// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's functions as nodes of the graph.
#include <sinter/detail/build.hpp>

#include "front/frame.hpp"
#include "support/check.hpp"
#include "support/foreign.hpp"

#include <memory>
#include <utility>

namespace sinter::front {
namespace {

LeafRef to_input(const ForeignArray& array) {
    return to_ref({make_node(Input{array.buffer}, {{array.scalar, array.shape}}, location()), 0});
}

ForeignArray from_input(const LeafRef& array) {
    Leaf leaf = to_leaf(array);
    auto* input = std::get_if<Input>(&leaf.node->op);
    check(input != nullptr, "a foreign function returns manifest arrays");
    return {type_of(leaf).scalar, type_of(leaf).shape, input->buffer};
}

class Adapted final : public ForeignFunction {
  public:
    Adapted(const detail::ForeignCallee& callee, std::size_t results) : callee_(callee), results_(results) {}
    ~Adapted() override {
        if (callee_.destroy) callee_.destroy(callee_.context);
    }

    bool equals(const ForeignFunction& other) const override {
        const auto* adapted = dynamic_cast<const Adapted*>(&other);
        return adapted && adapted->callee_.call == callee_.call && adapted->callee_.context == callee_.context;
    }

  private:
    std::vector<ForeignArray> do_call(std::span<const ForeignArray> args) const override {
        std::vector<LeafRef> in, out(results_);
        for (const ForeignArray& arg : args) in.push_back(to_input(arg));
        callee_.call(callee_.context, in.data(), out.data());
        std::vector<ForeignArray> arrays;
        for (const LeafRef& result : out) arrays.push_back(from_input(result));
        return arrays;
    }

    detail::ForeignCallee callee_;
    std::size_t results_;
};

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

namespace {

void write_foreign(Foreign op, const ForeignResults& results, LeafRef* out, location where) {
    std::vector<LeafType> types;
    std::size_t extents = 0;
    for (std::size_t i = 0; i < results.count; ++i) extents += results.ranks[i];
    types.assign(extents, LeafType{Scalar::i64, {}});
    for (std::size_t i = 0; i < results.count; ++i)
        types.push_back({results.scalars[i], std::vector<Extent>(results.ranks[i], unknown)});
    NodeRef node = make_node(std::move(op), std::move(types), where);
    for (std::size_t i = 0; i < results.count; ++i) out[i] = to_ref({node, static_cast<std::uint32_t>(extents + i)});
}

}  // namespace

void foreign(const char* name, const ForeignCallee& callee, const LeafRef* args, std::size_t count,
             const ForeignResults& results, LeafRef* out, location where) {
    auto function = std::make_shared<const Adapted>(callee, results.count);
    write_foreign({name, std::move(function), to_leaves(args, count, where), nullptr, {}}, results, out, where);
}

void foreign_with_rule(const char* name, const ForeignCallee& callee, const ForeignCallee& rule, const bool* by,
                       const LeafRef* args, std::size_t count, const ForeignResults& results, LeafRef* out, location where) {
    auto function = std::make_shared<const Adapted>(callee, results.count);
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < count; ++k)
        if (by[k]) numbers.push_back(k);
    auto adjoint = std::make_shared<const Adapted>(rule, numbers.size());
    write_foreign({name, std::move(function), to_leaves(args, count, where), std::move(adjoint), std::move(numbers)},
                  results, out, where);
}

}  // namespace sinter::detail
