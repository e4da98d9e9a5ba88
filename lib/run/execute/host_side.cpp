// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/host_side.hpp"

#include "support/stack_array.hpp"

namespace sinter::runtime {

bool HostSide::is_remote(const void* array, std::size_t bytes) const {
    return remote_ && bytes > 0 && remote_->contains(array);
}

const void* HostSide::to_read(const void* array, std::size_t bytes) {
    if (!is_remote(array, bytes)) return array;
    void* here = read_.emplace_back(sinter::allocate(bytes))->data;
    remote_->read(here, array, bytes);
    return here;
}

void* HostSide::to_write(void* array, std::size_t bytes) {
    if (!is_remote(array, bytes)) return array;
    return written_.emplace_back(array, sinter::allocate(bytes)).here->data;
}

void* HostSide::to_change(void* array, std::size_t bytes) {
    void* here = to_write(array, bytes);
    if (here != array) remote_->read(here, array, bytes);
    return here;
}

void HostSide::finish() {
    for (const Written& written : written_) remote_->write(written.array, written.here->data, written.here->bytes);
    written_.clear();
}

void launch_on_host(RemoteMemory* remote, const lower::Kernel& kernel, const Launch& launch,
                    const std::function<void(const Launch&)>& execute) {
    HostSide side(remote);
    StackArray<void*, 16> buffers(kernel.buffers.size());
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) {
        const lower::Buffer& buffer = kernel.buffers[k];
        const auto bytes = static_cast<std::size_t>(launch.sizes[buffer.elements.index] * detail::size_of(buffer.scalar));
        void* array = launch.buffers[k];
        if (!buffer.output)
            buffers[k] = const_cast<void*>(side.to_read(array, bytes));
        else
            buffers[k] = buffer.dest ? side.to_change(array, bytes) : side.to_write(array, bytes);
    }
    Launch here = launch;
    here.buffers = buffers.data();
    execute(here);
    side.finish();
}

}  // namespace sinter::runtime
