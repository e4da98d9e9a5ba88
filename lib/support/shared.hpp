// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_SHARED marks what libsinter-codegen.so needs of libsinter.so. Both come from one build, and nobody else may use
/// it.
#pragma once

#define SINTER_SHARED __attribute__((visibility("default")))
