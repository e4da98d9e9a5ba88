#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_aarch64.sh [TAG...]: takes every kernel that the cases of tests/conform with these tags (default: all) result in,
# compiles it for aarch64, executes it by qemu-user, and compares the results with those of the interpreter, bit by bit. The
# code for aarch64 is linked by the linker that the library uses for its disk cache. Prints a table and fails if a kernel does.
# Needs a build in build/ or $BUILD_DIR, and about half an hour on two processors.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install_packages.sh packages_aarch64.txt
build=$(realpath "${BUILD_DIR:-build}")
cmake --build "$build" --target conform aarch64_compile
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
aarch64-linux-gnu-g++ -std=c++20 -O1 -Wall -Wextra -DFMT_HEADER_ONLY -Iinclude -Ilib -I. tests/aarch64/execute.cpp \
    jit/host/code/link_direct.cpp lib/support/arch/relocation.cpp lib/support/check.cpp -o "$folder/execute"
tags=("$@")
[[ $# -gt 0 ]] || mapfile -t tags < <("$build/tests/conform" -t | sed -n 's/^ *[0-9]* *\[\(.*\)\]$/\1/p' | grep -Evx 'long|memory_limit')

failed=()
for tag in "${tags[@]}"; do
    SINTER_CACHE=off SINTER_DUMP=kernel timeout 600 "$build/tests/conform" "[$tag]~[long]~[memory_limit]" \
        >"$folder/output" 2>"$folder/kernels" || { cat "$folder/output"; exit 1; }
    if ! timeout 600 "$build/tests/aarch64_compile" "$folder/launches" <"$folder/kernels" >"$folder/compiled"; then
        failed+=("$tag")
        continue
    fi
    [[ -s $folder/launches ]] || continue
    timeout 600 qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/execute" "$folder/launches" >"$folder/executed" || failed+=("$tag")
    printf '%-16s %s; %s\n' "$tag" "$(head -n 1 "$folder/compiled")" "$(tail -n 1 "$folder/executed")"
    sed '$d' "$folder/executed"
done
[[ ${#failed[@]} -eq 0 ]] || { echo "wrong: ${failed[*]}"; exit 1; }
