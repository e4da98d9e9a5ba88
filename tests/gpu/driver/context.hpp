// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The primary contexts of the cards, and what belongs to them.
#pragma once

#include "ptx.hpp"
#include "streams.hpp"

#include <map>
#include <memory>
#include <string>

namespace driver {

// Errors of the driver's interface.
inline constexpr int success = 0, invalid_value = 1, out_of_memory = 2, invalid_device = 101, invalid_context = 201,
                     invalid_ptx = 218, invalid_handle = 400, not_found = 500, capture_unsupported = 900,
                     capture_invalidated = 901;

struct Kernel {
    std::shared_ptr<Module> module;
    const Function* function;
};

/// Objects of a type, by the handles that the program has.
template <class T>
class Objects {
  public:
    void* add(T object) {
        auto owned = std::make_unique<T>(std::move(object));
        void* handle = owned.get();
        objects_[handle] = std::move(owned);
        return handle;
    }
    T* find(void* handle) {
        const auto found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second.get();
    }
    bool remove(void* handle) { return objects_.erase(handle) == 1; }
    void clear() { objects_.clear(); }

  private:
    std::map<void*, std::unique_ptr<T>> objects_;
};

/// That of a card.
struct Context {
    int device = 0;
    int users = 0;  ///< how often it is retained
    int fault = 0;  ///< the error that every call gives since one failed for good
    void* handle = nullptr;
    Objects<Stream> streams;
    Objects<Event> events;
    Objects<Graph> graphs;  ///< those to be launched, too
    Objects<std::shared_ptr<Module>> modules;
    Objects<Kernel> kernels;
    static Context& of(int device);
    /// Null if there is none with this handle any more.
    static Context* find(void* handle);
    /// Of any card: streams may wait for events of others.
    static const Event* find_event(void* handle);
    void create();
    void destroy();
};

/// True if an error leaves the context unusable.
bool is_fault(int error);

}  // namespace driver
