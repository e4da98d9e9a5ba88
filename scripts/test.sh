#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what is missing, builds the library, tests and examples, runs the tests that take no minutes. Arguments go to ctest.
# LLVM is that of packages.txt, with which the texts of tests/golden were written; SINTER_LLVM_DIR names another one.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install_packages.sh
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINTER_WERROR="${SINTER_WERROR:-OFF}" \
    -DLLVM_DIR="${SINTER_LLVM_DIR:-/usr/lib/llvm-19/lib/cmake/llvm}"
# Without the benchmarks, which take as long to compile as the tests: `cmake --build build` makes them too.
cmake --build build --target sinter_installed tool/all tests/all examples/all
ctest --test-dir build --output-on-failure -LE long -j "$(nproc)" "$@"
