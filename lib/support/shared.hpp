// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_SHARED marks what libsinter-codegen.so needs from libsinter.so. Both come from one build, and nothing else may use
/// it.
#pragma once

#define SINTER_SHARED __attribute__((visibility("default")))
