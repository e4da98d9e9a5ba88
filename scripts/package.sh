#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# package.sh [FOLDER]: installs what is missing, builds the Debian packages of the library, its development files and its tool,
# in build-package/ of the project, and puts them into FOLDER (default: build-package/). LLVM is that of packages.txt;
# SINTER_LLVM_DIR names another one.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install_packages.sh
scripts/install_packages.sh packages_deb.txt
folder=$(realpath -m "${1:-build-package}")
cmake -S . -B build-package -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DSINTER_TESTS=OFF -DSINTER_BENCH=OFF \
    -DSINTER_EXAMPLES=OFF -DLLVM_DIR="${SINTER_LLVM_DIR:-/usr/lib/llvm-19/lib/cmake/llvm}"
cmake --build build-package
abi=$(readlink build-package/libsinter.so)
python3 tests/package/exported_symbols.py build-package/libsinter.so "${abi#libsinter.so.}" --exact
mkdir -p "$folder"
(cd build-package && cpack -G DEB -B "$folder")
rm -rf "$folder/_CPack_Packages"
