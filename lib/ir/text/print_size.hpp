// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes in the text form. A compound size whose operands are leaves is written where it is used; a deeper one is declared
/// once and named, so that shared sizes keep the text linear.
#pragma once

#include "ir/type.hpp"

#include <string>
#include <vector>

namespace sinter::ir {

class SizePrinter {
  public:
    /// With `declare`, deep sizes are printed as names that use() must have declared; without it, in full.
    SizePrinter(const SizeTable& sizes, std::string& out, bool declare) : sizes_(sizes), out_(out), declare_(declare) {}

    /// Declares everything that a size needs, once, in lines "size s0 = ..".
    void use(SizeId id);
    void append(SizeId id);
    void append(const Type& type);

  private:
    bool is_deep(SizeId id) const;
    void append_definition(SizeId id);
    void append_infix(const char* symbol, const Size& size);
    void append_call(const char* name, const Size& size);

    const SizeTable& sizes_;
    std::string& out_;
    bool declare_;
    std::vector<std::uint32_t> names_;  ///< by id: 1 + K for sK
    std::uint32_t declared_ = 0;
};

}  // namespace sinter::ir
