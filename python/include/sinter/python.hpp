// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Python modules of C++ functions that are compiled with Sinter. Needs nanobind 3 and Python 3.10, and at run time the
/// Python package `sinter` (python/ in the repository), which has the classes of exceptions.
///
///     #include <sinter/python.hpp>
///     sinter::Delayed<float> step(sinter::Delayed<float> x, sinter::Exp<float> h) { return x + h * x; }
///     SINTER_PYTHON_MODULE(growth, step)
///
/// makes a module `growth` with a function `step` of arrays of float32 and numbers. Built by sinter_add_python_module(growth
/// growth.cpp) in CMake, or by sinter.compile("growth.cpp") in Python.
#pragma once

#include <sinter/python/function.hpp>
#include <sinter/sinter.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace sinter::python {

/// Gives functions of C++ to a Python module. Made in an NB_MODULE, where nanobind's own definitions may stand beside it.
class Module {
  public:
    explicit Module(nanobind::module_& module) : module_(module) { define_tensor(); }

    /// f as module.name: a function, or a function object whose call operator is not overloaded. Several of one name are
    /// overloads, tried in order.
    template <class F>
        requires detail::HasSignature<F>
    Module& def(const std::string& name, F f, const Options& options = {}, location where = location::current()) {
        using Parameters = typename detail::Signature<std::remove_cvref_t<F>>::parameters;
        auto& function = functions_[name];
        if (!function) function = std::make_shared<Function>(name);
        function->add(overload(Parameters{}, std::move(f), options, where));
        define(name, function);
        return *this;
    }

    /// Functions under the names that C++ writes, "growth::step<float>, norm", without namespaces and template arguments.
    template <class... F>
    void def_as_written(std::string_view written, location where, const F&... f) {
        (def(next_name(written), f, {}, where), ...);
    }

  private:
    /// Anew for each overload: the documentation has them all.
    void define(const std::string& name, std::shared_ptr<Function> function) {
        if (nanobind::hasattr(module_, name.c_str())) nanobind::delattr(module_, name.c_str());
        auto call = [function](const nanobind::args& arguments) { return (*function)(arguments); };
        module_.def(name.c_str(), call, function->signatures().c_str());
    }

    /// Takes the first function off a list, and returns its name.
    static std::string next_name(std::string_view& written) {
        int depth = 0;
        std::size_t end = 0;
        for (; end < written.size() && (depth > 0 || written[end] != ','); ++end)
            depth += written[end] == '<' || written[end] == '(' ? 1 : written[end] == '>' || written[end] == ')' ? -1 : 0;
        std::string_view name = written.substr(0, end);
        written.remove_prefix(std::min(end + 1, written.size()));
        name = name.substr(0, name.find('<'));
        name.remove_prefix(name.find_last_of(": ") + 1);  // none: npos + 1 is 0
        return std::string(name);
    }

    nanobind::module_& module_;
    std::map<std::string, std::shared_ptr<Function>> functions_;
};

}  // namespace sinter::python

/// The Python module `name`, with the functions that follow.
#define SINTER_PYTHON_MODULE(name, ...)                                                \
    NB_MODULE(name, sinter_python_module) {                                            \
        ::sinter::python::Module(sinter_python_module)                                 \
            .def_as_written(#__VA_ARGS__, ::sinter::location::current(), __VA_ARGS__); \
    }
