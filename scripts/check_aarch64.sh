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

limit=${AARCH64_LIMIT:-900} # seconds for each step of a tag
failed=()
# dump TAG, compile, execute: the steps. Their results are in files of $folder.
dump() {
    SINTER_CACHE=off SINTER_DUMP=kernel timeout "$limit" "$build/tests/conform" "[$1]~[long]~[memory_limit]" \
        >"$folder/output" 2>"$folder/kernels"
}
compile() { timeout "$limit" "$build/tests/aarch64_compile" "$folder/launches" <"$folder/kernels" >"$folder/compiled"; }
execute() { timeout "$limit" qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/execute" "$folder/launches" >"$folder/executed"; }
# step NAME TAG: false if it failed, which it reports.
step() {
    local status=0
    "$1" "$2" || status=$?
    [[ $status -eq 0 ]] && return
    [[ $status -eq 124 ]] && echo "$2: $1 has taken more than $limit s" || echo "$2: $1 has failed ($status)"
    return 1
}
for tag in "${tags[@]}"; do
    if ! step dump "$tag"; then
        tail -n 20 "$folder/output"
        failed+=("$tag")
        continue
    fi
    step compile "$tag" || { failed+=("$tag"); continue; }
    [[ -s $folder/launches ]] || continue
    step execute "$tag" || failed+=("$tag")
    printf '%-16s %s; %s\n' "$tag" "$(head -n 1 "$folder/compiled")" "$(tail -n 1 "$folder/executed")"
    sed '$d' "$folder/executed"
done
[[ ${#failed[@]} -eq 0 ]] || { echo "wrong, or without a result: ${failed[*]}"; exit 1; }
