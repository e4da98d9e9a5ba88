// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects in executable memory, with functions of ours for what they leave open.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <memory>
#include <utility>

namespace sinter::gpu {

class EmulatorCode {
  public:
    virtual ~EmulatorCode() = default;
    virtual void* find(const std::string& function) const = 0;
};

std::unique_ptr<EmulatorCode> load_object(llvm::ArrayRef<char> object,
                                          const std::vector<std::pair<const char*, void*>>& functions);

}  // namespace sinter::gpu
