// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the rank-0 variables of a program that are constants: results of rank-0 maps whose functions return constants.
#pragma once

#include "ir/program.hpp"

#include <optional>
#include <unordered_map>

namespace sinter::opt {

class Constants {
  public:
    /// `binding` is the last one before `level`.
    void note(const ir::Binding& binding, std::size_t level);
    std::optional<std::uint64_t> find(ir::ValueId id) const;
    /// Leaves a scope.
    void forget_from(std::size_t level);

  private:
    std::unordered_map<ir::ValueId, std::uint64_t> bits_;
    std::vector<ir::ValueId> noted_;
};

}  // namespace sinter::opt
