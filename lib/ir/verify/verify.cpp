// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/program_verifier.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinter::ir {

void ProgramVerifier::require(bool condition, const char* invariant, const char* what) const {
    if (condition) return;
    std::string binding = binding_ == nullptr ? "" : fmt::format(" ({})", name_of(binding_->op));
    fail_check(fmt::format("program, at %{}{}: {}: {}", types_.size(), binding, invariant, what), location::current());
}

bool ProgramVerifier::size(SizeId id) {
    require(id.index < program_.sizes.count(), "P2", "a size is not in the table");
    if (checked_[id.index] == always || checked_[id.index] == scope_) return checked_[id.index] == always;
    const Size& entry = program_.sizes[id];
    bool constant = leaf(entry);
    if (entry.left.valid()) {
        bool left = size(entry.left), right = size(entry.right);
        constant = left && right;
    }
    checked_[id.index] = constant ? always : scope_;
    return constant;
}

bool ProgramVerifier::leaf(const Size& size) const {
    auto index = static_cast<std::size_t>(size.index), axis = static_cast<std::size_t>(size.axis);
    const std::vector<Type>& inputs = program_.body.params;
    switch (size.kind) {
        case Size::Kind::input_extent:
            require(index < inputs.size() && axis < inputs[index].rank(), "P2", "an extent of an axis that does not exist");
            return true;
        case Size::Kind::argument:
            require(index < program_.size_arguments, "P2", "a size argument that does not exist");
            return true;
        case Size::Kind::value:
            require(index < types_.size() && types_[index] == Type{Scalar::i64, {}}, "P2",
                    "a size is not a rank-0 i64 variable in scope");
            return false;
        default:
            return true;
    }
}

void ProgramVerifier::guards(const Body& body) {
    ++scope_;
    for (const Guard& guard : body.guards) size(guard.left), size(guard.right);
}

std::vector<Type> ProgramVerifier::body(const Body& body) {
    std::size_t outer = types_.size();
    const Body* outer_body = std::exchange(body_, &body);
    for (const Type& param : body.params) {
        ++scope_, type(param);
        types_.push_back(param);
    }
    for (const Binding& next : body.bindings) {
        binding_ = &next;
        ++scope_;
        binding(next);
        results(next);
    }
    binding_ = nullptr;
    std::vector<Type> results = use(body.results);
    guards(body);
    body_ = outer_body;
    types_.resize(outer);
    ++scope_;
    return results;
}

void ProgramVerifier::binding(const Binding& binding) {
    require(!binding.site.valid() || binding.site.index < program_.sites.size(), "P10", "an unknown site");
    for (ValueId operand : operands(binding.op)) use(operand);
    match(binding.op, [&](const auto& op) { operation(op, binding.types); });
}

void ProgramVerifier::results(const Binding& binding) {
    bool binds = binds_sizes(binding.op);
    if (!binds)
        for (const Type& result : binding.types) type(result);
    for (const Type& result : binding.types) {
        if (binds) ++scope_, type(result);
        types_.push_back(result);
    }
}

void verify(const Program& program) { ProgramVerifier(program).run(); }

}  // namespace sinter::ir
