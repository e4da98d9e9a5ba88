// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A C++ function as Python calls it. Functions with a Delayed or Exp parameter are compiled at their first call, others are
/// called as they are. Python's lock is released while they are compiled and while they run.
#pragma once

#include <sinter/compile.hpp>
#include <sinter/python/arguments.hpp>
#include <sinter/python/results.hpp>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sinter::python {

template <class P>
inline constexpr bool is_traced = detail::is_exp<P>;
template <class T, int Rank>
inline constexpr bool is_traced<Delayed<T, Rank>> = true;

/// What a function without a result returns.
struct Nothing {};
inline nanobind::object result(Nothing, const std::vector<Memory>&) { return nanobind::none(); }

/// What a function that is not compiled returns, computed.
template <class R>
R computed(R value) {
    return value;
}
template <class T, int Rank>
Array<T, Rank> computed(const Delayed<T, Rank>& value) {
    return run(value);
}
template <class... R>
auto computed(const std::tuple<R...>& values) {
    return std::apply([](const R&... value) { return std::tuple(computed(value)...); }, values);
}

/// What is called: with arguments of their C++ types, from any number of threads.
template <class F, class... P>
class Callee {
  public:
    Callee(F f, Options options, location where) : f_(std::move(f)), options_(std::move(options)), where_(where) {}

    template <class... A>
    auto operator()(const A&... argument) {
        if constexpr ((is_traced<P> || ...))
            return compiled()(argument...);
        else if constexpr (std::is_void_v<std::invoke_result_t<F&, const A&...>>)
            return f_(argument...), Nothing{};
        else
            return computed(f_(argument...));
    }

  private:
    auto& compiled() {
        std::lock_guard lock(mutex_);
        if (!compiled_) compiled_.emplace(compile<P...>(f_, options_, where_));
        return *compiled_;
    }
    template <class... Q>
    static auto compiled_type() {
        if constexpr ((is_traced<Q> || ...))
            return std::optional<decltype(compile<Q...>(std::declval<F&>()))>();
        else
            return 0;
    }

    F f_;
    Options options_;
    location where_;
    std::mutex mutex_;
    decltype(compiled_type<P...>()) compiled_{};
};

/// One C++ function behind a name in Python.
struct Overload {
    std::string parameters;  ///< of a signature, "(Array[float32, 2], float32)"
    std::size_t count;
    /// Throws Mismatch if the arguments do not fit, before anything is executed.
    std::function<nanobind::object(const std::string& name, const nanobind::args&)> call;
};

template <class... P, class F>
Overload overload(std::tuple<P...>*, F f, const Options& options, location where) {
    std::string parameters;
    ((parameters += (parameters.empty() ? "" : ", ") + Parameter<P>::name()), ...);
    auto callee = std::make_shared<Callee<F, P...>>(std::move(f), options, where);
    auto call = [callee]<std::size_t... I>(std::index_sequence<I...>, const std::string& name, const nanobind::args& given) {
        std::vector<Memory> borrowed;
        const std::tuple<typename Parameter<P>::type...> arguments{
            Parameter<P>::value(given[I], ArgumentPlace{name, I + 1, borrowed})...};
        auto values = [&] {
            nanobind::gil_scoped_release unlocked;
            return std::apply(*callee, arguments);
        }();
        return result(values, borrowed);
    };
    return {"(" + parameters + ")", sizeof...(P), [call](const std::string& name, const nanobind::args& given) {
                return call(std::index_sequence_for<P...>(), name, given);
            }};
}

/// All C++ functions of a name.
class Function {
  public:
    explicit Function(std::string name) : name_(std::move(name)) {}
    void add(Overload overload) { overloads_.push_back(std::move(overload)); }

    /// Calls the first overload that takes these arguments; a UsageError or ShapeError of Python says why none does.
    nanobind::object operator()(const nanobind::args& arguments) const {
        std::vector<Mismatch> reasons;
        try {
            for (const Overload& candidate : overloads_) {
                try {
                    return attempt(candidate, arguments);
                } catch (Mismatch& mismatch) {
                    reasons.push_back(std::move(mismatch));
                }
            }
        } catch (const Error& error) {
            raise(error.kind(), error.what());
        }
        if (reasons.size() == 1) raise(reasons[0].kind, reasons[0].text);
        std::string text = name_ + ": none of the " + std::to_string(reasons.size()) + " functions takes these arguments";
        for (const Mismatch& reason : reasons) text += "\n  " + reason.text;
        raise(ErrorKind::usage, text);
    }

    std::string signatures() const {
        std::string lines;
        for (const Overload& candidate : overloads_) lines += name_ + candidate.parameters + "\n";
        return lines;
    }

  private:
    nanobind::object attempt(const Overload& candidate, const nanobind::args& arguments) const {
        if (arguments.size() != candidate.count)
            throw Mismatch{ErrorKind::usage, name_ + candidate.parameters + " takes " + std::to_string(candidate.count) +
                                                 " arguments, " + std::to_string(arguments.size()) + " are given"};
        return candidate.call(name_, arguments);
    }

    std::string name_;
    std::vector<Overload> overloads_;
};

}  // namespace sinter::python
