// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/code/loaded_object.hpp"

#include "jit/generator/generator.hpp"
#include "jit/host/code/image.hpp"
#include "jit/host/code/perf_map.hpp"
#include "support/threads/recorder.hpp"

namespace sinter::host {

LoadedObject::LoadedObject(const std::string& object, const std::string& kernel)
    : charge_(object.size() + code_bytes::image) {
    const StageTimer timer("link");
    image_ = link_directly(object);
    if (!image_) image_ = codegen::generator().link(object);
    write_perf_map(object, *image_, kernel);
}

Entries LoadedObject::entries() const {
    auto find = [&](const char* name) { return reinterpret_cast<emit::Entry>(image_->find(name)); };
    return {find(emit::kernel_name), find(emit::finish_name), find(emit::chain_name)};
}

}  // namespace sinter::host
