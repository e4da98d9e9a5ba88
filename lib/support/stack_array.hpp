// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An array whose length is known when it is made, stored in the object itself if it is short. For what every call needs for
/// a moment, where the allocation of a vector would be most of the work.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace sinter {

/// Elements are value-initialised. Neither copied nor moved.
template <class T, std::size_t Short>
class StackArray {
  public:
    explicit StackArray(std::size_t size) : size_(size) {
        if (size > Short) data_ = static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t(alignof(T))));
        std::uninitialized_value_construct_n(data_, size);
    }
    ~StackArray() {
        std::destroy_n(data_, size_);
        if (size_ > Short) ::operator delete(data_, std::align_val_t(alignof(T)));
    }
    StackArray(const StackArray&) = delete;
    StackArray& operator=(const StackArray&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t k) { return data_[k]; }
    const T& operator[](std::size_t k) const { return data_[k]; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

  private:
    alignas(T) unsigned char short_[Short * sizeof(T)];
    std::size_t size_;
    T* data_ = reinterpret_cast<T*>(short_);
};

}  // namespace sinter
