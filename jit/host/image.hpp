// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An object file linked into this process.
#pragma once

#include <memory>
#include <string>

namespace sinter::host {

/// In executable memory for as long as it lives.
class Image {
  public:
    virtual ~Image() = default;
    /// The address of a function; null if the object has none of this name.
    virtual void* find(const char* name) const = 0;
};

/// Links what our code generator makes for x86-64, within microseconds. Null if the object needs more than that: another
/// machine's, a relocation of another kind, data that is written, a symbol that this process does not have. Throws
/// std::bad_alloc, and Limitation where the system allows no new code.
std::unique_ptr<Image> link_directly(const std::string& object);

/// Links any object, with LLVM. Throws InternalError if there is something wrong with it.
std::unique_ptr<Image> link_with_orc(const std::string& object);

}  // namespace sinter::host
