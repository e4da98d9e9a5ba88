# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors of Sinter. Their texts are those of C++, which end in the user's line there."""

import builtins


class Error(Exception):
    """Base of all errors of Sinter."""


class ShapeError(Error, ValueError):
    """Extents that must be equal are not, an extent is negative, or an array has another rank than expected."""


class IndexError(Error, builtins.IndexError):
    """An index lies outside its array."""


class DomainError(Error, ZeroDivisionError):
    """Integer division by zero."""


class UsageError(Error, TypeError):
    """Arguments of other types than expected, or the library used against its rules."""


class MemoryError(Error, builtins.MemoryError):
    """An array could not be allocated."""


class DeviceError(Error):
    """An accelerator is missing or failed."""


class Limitation(Error, NotImplementedError):
    """Legal, but not supported yet."""


class InternalError(Error):
    """A defect of the library."""


class ExpectationError(Error, AssertionError):
    """What the program expects does not hold."""


class Stopped(Error):
    """A run ended early, as its options asked."""
