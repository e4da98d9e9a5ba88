// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An object file linked into this process.
#pragma once

namespace sinter::codegen {

/// The object file is in executable memory for as long as this lives.
class Image {
  public:
    virtual ~Image() = default;
    /// The address of a function; null if the object has no function of this name.
    virtual void* find(const char* name) const = 0;
};

}  // namespace sinter::codegen
