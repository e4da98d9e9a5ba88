#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pkg_config.sh PKG_CONFIG FILE COMPILER SOURCE OUTPUT: builds and runs a program by what a .pc file says.
set -euo pipefail
export PKG_CONFIG_PATH=$(dirname "$2")
flags=$("$1" --cflags --libs sinter)
# shellcheck disable=SC2086
"$3" -std=c++20 "$4" $flags -Wl,-rpath,"$("$1" --variable=libdir sinter)" -o "$5"
"$5"
