// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Helpers of the tests of graphs: looking at the nodes behind arrays, and at errors.
#pragma once

#include <sinter/sinter.hpp>

#include <string>

#include "front/frame.hpp"
#include "ir/text/print.hpp"

namespace sinter {

template <ArrayLike A>
front::Leaf leaf_of(const A& a, std::size_t i = 0) {
    return front::to_leaf(a.leaves().leaf[i]);
}
template <class Op, ArrayLike A>
const Op& op_of(const A& a, std::size_t i = 0) {
    return std::get<Op>(leaf_of(a, i).node->op);
}
template <ArrayLike A>
std::vector<std::int64_t> shape_of(const A& a) {
    return front::type_of(leaf_of(a)).shape;
}

/// The error that `f` throws; internal with an empty text if it throws none.
struct Caught {
    ErrorKind kind = ErrorKind::internal;
    std::string text;
    unsigned line = 0;
    bool contains(const std::string& part) const { return text.find(part) != std::string::npos; }
};
template <class F>
Caught catch_error(F f) {
    try {
        f();
    } catch (const Error& error) {
        return {error.kind(), error.what(), error.where().line()};
    }
    return {};
}

inline bool nothing_is_traced() { return front::frames().empty() && front::controls().empty(); }

}  // namespace sinter
