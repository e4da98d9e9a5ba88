// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The version of these headers; CMake checks that it is that of the project.
#pragma once

#define SINTER_VERSION_MAJOR 0
#define SINTER_VERSION_MINOR 1
#define SINTER_VERSION_PATCH 0
#define SINTER_VERSION_STRING "0.1.0"
