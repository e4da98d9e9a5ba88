// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A function object of any type, like std::function: <functional> would add a third to the cost of the library's headers.
#pragma once

#include <type_traits>
#include <utility>

namespace sinter::detail {

template <class>
class Callback;

/// Null unless it was made from a function object. Copies hold copies of that object.
template <class R, class... P>
class Callback<R(P...)> {
  public:
    constexpr Callback() = default;
    template <class F>
        requires(!std::is_same_v<F, Callback> && std::is_invocable_r_v<R, F&, P...>)
    Callback(F f) : object_(new F(std::move(f))), call_(&call<F>), manage_(&manage<F>) {}
    Callback(const Callback& other)
        : object_(other.object_ ? other.manage_(other.object_, Action::copy) : nullptr),
          call_(other.call_),
          manage_(other.manage_) {}
    constexpr Callback(Callback&& other) noexcept
        : object_(std::exchange(other.object_, nullptr)), call_(other.call_), manage_(other.manage_) {}
    constexpr Callback& operator=(Callback other) noexcept {
        std::swap(object_, other.object_);
        std::swap(call_, other.call_);
        std::swap(manage_, other.manage_);
        return *this;
    }
    constexpr ~Callback() {
        if (object_) manage_(object_, Action::destroy);
    }

    constexpr explicit operator bool() const { return object_ != nullptr; }
    R operator()(P... arguments) const { return call_(object_, arguments...); }

  private:
    enum class Action : bool { copy, destroy };

    template <class F>
    static R call(void* object, P... arguments) {
        return (*static_cast<F*>(object))(arguments...);
    }
    template <class F>
    static void* manage(void* object, Action action) {
        if (action == Action::copy) return new F(*static_cast<F*>(object));
        delete static_cast<F*>(object);
        return nullptr;
    }

    void* object_ = nullptr;
    R (*call_)(void* object, P... arguments) = nullptr;
    void* (*manage_)(void* object, Action action) = nullptr;
};

}  // namespace sinter::detail
