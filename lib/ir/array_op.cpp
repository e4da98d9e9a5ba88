// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Construction, copies, moves, destruction and comparison of operations and of what contains them.
#include "ir/program.hpp"

#include <utility>

namespace sinter::ir {

IndexFunction::IndexFunction(Transpose function) : variant(std::move(function)) {}
IndexFunction::IndexFunction(Slice function) : variant(std::move(function)) {}
IndexFunction::IndexFunction(Broadcast function) : variant(std::move(function)) {}
IndexFunction::IndexFunction(Reshape function) : variant(std::move(function)) {}
IndexFunction::IndexFunction(Shift function) : variant(std::move(function)) {}
IndexFunction::IndexFunction() = default;
IndexFunction::IndexFunction(const IndexFunction&) = default;
IndexFunction::IndexFunction(IndexFunction&&) noexcept = default;
IndexFunction& IndexFunction::operator=(const IndexFunction&) = default;
IndexFunction& IndexFunction::operator=(IndexFunction&&) noexcept = default;
IndexFunction::~IndexFunction() = default;
bool IndexFunction::operator==(const IndexFunction& other) const {
    return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

ArrayOp::ArrayOp(Map op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Fold op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(View op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Gather op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Force op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Cond op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Loop op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Scan op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Compact op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Scatter op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Sort op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Foreign op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Vmap op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Rows op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Derivative op) : variant(std::move(op)) {}
ArrayOp::ArrayOp(Custom op) : variant(std::move(op)) {}
ArrayOp::ArrayOp() = default;
ArrayOp::ArrayOp(const ArrayOp&) = default;
ArrayOp::ArrayOp(ArrayOp&&) noexcept = default;
ArrayOp& ArrayOp::operator=(const ArrayOp&) = default;
ArrayOp& ArrayOp::operator=(ArrayOp&&) noexcept = default;
ArrayOp::~ArrayOp() = default;
bool ArrayOp::operator==(const ArrayOp& other) const {
    return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

bool Cond::operator==(const Cond&) const = default;
bool Loop::operator==(const Loop&) const = default;
bool Vmap::operator==(const Vmap&) const = default;
bool Rows::operator==(const Rows&) const = default;
bool Derivative::operator==(const Derivative&) const = default;
bool Custom::operator==(const Custom&) const = default;

bool Binding::operator==(const Binding& other) const { return op == other.op && types == other.types; }
bool Body::operator==(const Body&) const = default;

}  // namespace sinter::ir
