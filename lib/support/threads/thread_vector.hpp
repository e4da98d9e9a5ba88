// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A vector of which every thread has its own.
#pragma once

#include <vector>

namespace sinter {

/// A constant-initialised thread_local variable; a thread has one of each type. It may be used as long as the thread runs,
/// even by destructors of other thread_local variables and, on the main thread, of static ones.
template <class T>
class ThreadVector {
  public:
    std::vector<T>& get() {
        if (!vector_) make();
        return *vector_;
    }

    bool empty() const { return !vector_ || vector_->empty(); }

    /// To be called after elements have been removed: if the thread is ending, an empty vector keeps no memory.
    void trim() noexcept {
        if (ended_ && empty()) release();
    }

  private:
    struct Cleaner {
        ThreadVector* owner;
        ~Cleaner() {
            owner->release();
            owner->ended_ = true;
        }
    };

    void release() noexcept {
        delete vector_;
        vector_ = nullptr;
    }

    void make() {
        vector_ = new std::vector<T>;
        static thread_local Cleaner cleaner{this};
        static_cast<void>(cleaner);
    }

    std::vector<T>* vector_ = nullptr;
    bool ended_ = false;
};

}  // namespace sinter
