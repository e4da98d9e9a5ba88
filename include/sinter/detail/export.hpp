// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_API marks what the shared library exports; everything else is hidden.
#pragma once

#define SINTER_API __attribute__((visibility("default")))
