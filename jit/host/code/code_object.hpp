// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code, loaded into this process.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/host/code/image.hpp"
#include "jit/host/target.hpp"
#include "support/code_charge.hpp"

#include <memory>
#include <string>

namespace sinter::host {

/// An object file in executable memory, for as long as this object lives.
class LoadedObject {
  public:
    /// Throws InternalError if the object cannot be linked. `kernel` is the name for profilers.
    LoadedObject(const std::string& object, const std::string& kernel);
    emit::Entry kernel() const { return kernel_; }
    emit::Entry finish() const { return finish_; }  ///< null if the object has none
    emit::Entry chain() const { return chain_; }    ///< null if the object has none

  private:
    std::unique_ptr<Image> image_;
    CodeCharge charge_;
    emit::Entry kernel_, finish_, chain_;
};

}  // namespace sinter::host
