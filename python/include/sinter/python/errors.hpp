// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sinter's errors as Python exceptions: the classes of the Python package `sinter`, with the same names and texts.
#pragma once

#include <sinter/error.hpp>

#include <nanobind/nanobind.h>

#include <string>

namespace sinter::python {

/// The class of the package that has this kind's name in C++.
inline const char* class_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::shape:
            return "ShapeError";
        case ErrorKind::index:
            return "IndexError";
        case ErrorKind::domain:
            return "DomainError";
        case ErrorKind::usage:
            return "UsageError";
        case ErrorKind::memory:
            return "MemoryError";
        case ErrorKind::device:
            return "DeviceError";
        case ErrorKind::limitation:
            return "Limitation";
        case ErrorKind::internal:
            return "InternalError";
        case ErrorKind::expectation:
            return "ExpectationError";
        case ErrorKind::stopped:
            return "Stopped";
    }
    return "Error";
}

/// Raises an exception of this kind in Python. The interpreter's lock has to be held.
[[noreturn]] inline void raise(ErrorKind kind, const std::string& text) {
    nanobind::object type = nanobind::module_::import_("sinter").attr(class_name(kind));
    PyErr_SetString(type.ptr(), text.c_str());
    nanobind::raise_python_error();
}

/// Arguments of a call do not fit: another overload may take them.
struct Mismatch {
    ErrorKind kind;
    std::string text;
};

}  // namespace sinter::python
