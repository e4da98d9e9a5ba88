// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code, loaded into this process.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/generator/image.hpp"
#include "support/code_charge.hpp"

#include <memory>
#include <string>

namespace sinter::host {

/// The functions of a kernel's way.
struct Entries {
    emit::Entry kernel = nullptr;
    emit::Entry finish = nullptr, chain = nullptr;  ///< null if the way has none
};

/// An object file in executable memory, for as long as this object lives.
class LoadedObject {
  public:
    /// Throws InternalError if the object cannot be linked. `kernel` is the name for profilers.
    LoadedObject(const std::string& object, const std::string& kernel);
    Entries entries() const;

  private:
    std::unique_ptr<codegen::Image> image_;
    CodeCharge charge_;
};

}  // namespace sinter::host
