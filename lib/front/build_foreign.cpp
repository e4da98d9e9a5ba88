// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the user's inside the graph.
#include <sinter/detail/build.hpp>

#include "front/frame.hpp"
#include "support/check.hpp"
#include "support/foreign.hpp"

#include <map>
#include <mutex>

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

ForeignFunction adapted(detail::ForeignCall call, void* context, std::size_t results) {
    return [=](std::span<const ForeignArray> args) {
        std::vector<LeafRef> in, out(results);
        for (const ForeignArray& arg : args) in.push_back(to_input(arg));
        call(context, in.data(), out.data());
        std::vector<ForeignArray> arrays;
        for (const LeafRef& result : out) arrays.push_back(from_input(result));
        return arrays;
    };
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

std::size_t register_foreign(ForeignCall call, void* context, std::size_t results) {
    static std::mutex mutex;
    static auto* numbers = new std::map<std::pair<ForeignCall, void*>, std::size_t>;
    std::lock_guard lock(mutex);
    auto [entry, is_new] = numbers->try_emplace({call, context}, 0);
    if (is_new) entry->second = sinter::register_foreign(adapted(call, context, results));
    return entry->second;
}

void foreign(const char* name, std::size_t function, const LeafRef* args, std::size_t count, const ForeignResults& results,
             LeafRef* out, location where) {
    std::vector<LeafType> types;
    std::size_t extents = 0;
    for (std::size_t i = 0; i < results.count; ++i) extents += results.ranks[i];
    types.assign(extents, LeafType{Scalar::i64, {}});
    for (std::size_t i = 0; i < results.count; ++i)
        types.push_back({results.scalars[i], std::vector<Extent>(results.ranks[i], unknown)});
    NodeRef node = make_node(Foreign{name, function, to_leaves(args, count, where)}, std::move(types), where);
    for (std::size_t i = 0; i < results.count; ++i) out[i] = to_ref({node, static_cast<std::uint32_t>(extents + i)});
}

}  // namespace sinter::detail
