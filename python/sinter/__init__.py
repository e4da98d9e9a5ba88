# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Array programs in C++ that are compiled while they run, called from Python.

A module of C++ functions is built by sinter.compile, or in CMake by sinter_add_python_module (see cmake_dir). It takes NumPy
arrays and everything else that has __dlpack__ or a buffer, in place, and returns sinter.Array, which numpy.asarray,
numpy.from_dlpack and torch.from_dlpack read in place.
"""

from .build import cmake_dir, compile, include_dirs
from .errors import (
    DeviceError,
    DomainError,
    Error,
    ExpectationError,
    IndexError,
    InternalError,
    Limitation,
    MemoryError,
    ShapeError,
    Stopped,
    UsageError,
)

__all__ = [
    "DeviceError", "DomainError", "Error", "ExpectationError", "IndexError", "InternalError", "Limitation", "MemoryError",
    "ShapeError", "Stopped", "UsageError", "cmake_dir", "compile", "include_dirs",
]
