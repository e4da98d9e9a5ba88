// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/lookahead.hpp"

#include "jit/gpu/device/failure.hpp"

#include <cstring>
#include <vector>

namespace sinter::gpu {

namespace {

constexpr std::size_t flag_bytes = 16;  ///< kernels assume this alignment of arrays

class CardLookahead final : public runtime::Lookahead {
  public:
    CardLookahead(Memory& memory, std::size_t flags, std::size_t records)
        : memory_(memory),
          image_(flags * flag_bytes + records * sizeof(Failure)),
          records_(flags * flag_bytes),
          block_(memory, image_.size()) {
        memory.divide(block_.data());
        const Failure none;
        for (std::size_t k = 0; k < records; ++k) std::memcpy(&image_[place_of(k)], &none, sizeof none);
        memory.write(block_.data(), image_.data(), image_.size());
    }

    void* flag(std::size_t k) const override { return static_cast<std::byte*>(block_.data()) + k * flag_bytes; }
    void* record(std::size_t k) const override { return static_cast<std::byte*>(block_.data()) + place_of(k); }

    void finish() override { memory_.fetch(image_.data(), block_.data(), image_.size(), "kernels of a loop"); }
    bool is_set(std::size_t flag) const override { return image_[flag * flag_bytes] != std::byte{0}; }
    bool has_failed(std::size_t record, runtime::ErrorSlot& error) const override {
        Failure failure;
        std::memcpy(&failure, &image_[place_of(record)], sizeof failure);
        return failure.show(error);
    }

  private:
    std::size_t place_of(std::size_t record) const { return records_ + record * sizeof(Failure); }

    Memory& memory_;
    std::vector<std::byte> image_;  ///< the contents of the block, before and after
    std::size_t records_;           ///< where they begin
    Scratch block_;
};

}  // namespace

std::unique_ptr<runtime::Lookahead> look_ahead(Memory& memory, std::size_t flags, std::size_t records) {
    return std::make_unique<CardLookahead>(memory, flags, records);
}

}  // namespace sinter::gpu
