// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run_async. Programs that call it include <future>, which is too heavy for everyone else.
#pragma once

#include <sinter/run.hpp>

#include <exception>
#include <new>

#if defined(_LIBCPP_VERSION)
#include <future>
#else
namespace std {
template <typename>
class future;
template <typename>
class promise;
}  // namespace std
#endif

namespace sinter {

/// run(expression, options) on another thread. An error is thrown by the future's get().
template <class E, class R = decltype(run(std::declval<const E&>()))>
std::future<R> run_async(const E& expression, const Options& options = {}, location where = location::current()) {
    static_assert(requires { sizeof(std::promise<R>); }, "run_async: #include <future>");
    detail::forbid_tracing("run_async", where);
    struct Work {
        std::promise<R> promise;
        E expression;
        Options options;
        location where;
    };
    auto* work = new Work{{}, expression, options, where};
    std::future<R> result = work->promise.get_future();
    auto perform = [](void* context) {
        Work* own = static_cast<Work*>(context);
        try {
            own->promise.set_value(run(own->expression, own->options, own->where));
        } catch (...) {
            own->promise.set_exception(std::current_exception());
        }
        delete own;
    };
    try {
        detail::run_in_background(perform, work);
    } catch (...) {
        delete work;
        throw;
    }
    return result;
}

}  // namespace sinter
