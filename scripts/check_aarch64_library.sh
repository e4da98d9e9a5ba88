#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_aarch64_library.sh [TAG...]: compiles the library, its code generator and tests/conform for aarch64 in build-aarch64/,
# and runs the cases with these tags (default: all) under qemu-user, so that the library, LLVM and its code are those of that
# processor. Prints a line for each tag, and fails if a case does. What is linked comes from Debian's packages for arm64, unpacked
# into build-aarch64/sysroot. Takes about half an hour on two processors before the first case; qemu is 20 to 50 times slower than
# a processor, so a tag is stopped after AARCH64_LIMIT seconds (default: 900).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install_packages.sh packages_aarch64.txt
build=$PWD/build-aarch64
sysroot=$build/sysroot
# Writes nothing outside of $build: apt gets folders of its own, in which arm64 is the only architecture and nothing is installed.
make_sysroot() {
    local apt=$build/apt release packages
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mapfile -t packages < <(grep -v '^#' scripts/packages_aarch64_sysroot.txt)
    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial} "$sysroot.new/usr/lib"
    : >"$apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" >"$apt/sources.list"
    local options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt/state" -o Dir::Cache="$apt/cache"
        -o Dir::State::status="$apt/status" -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- -o
        Debug::NoLocking=1 -o APT::Sandbox::User=)
    apt-get "${options[@]}" update
    apt-get "${options[@]}" install -y --no-install-recommends --download-only "${packages[@]}"
    ln -sfn usr/lib "$sysroot.new/lib"
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$sysroot.new" --exclude=./usr/share/doc
    done
    # Links from the root of that system would lead into this one.
    find "$sysroot.new" -lname '/*' -print0 | while IFS= read -r -d '' link; do
        ln -sfn "$sysroot$(readlink "$link")" "$link"
    done
    mv "$sysroot.new" "$sysroot"
}
[[ -e $sysroot ]] || make_sysroot
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DSINTER_SYSROOT="$sysroot" \
    -DLLVM_DIR="$sysroot/usr/lib/llvm-19/lib/cmake/llvm" -DSINTER_MPI=OFF -DSINTER_BENCH=OFF -DSINTER_EXAMPLES=OFF
cmake --build "$build" --target sinter sinter_codegen conform

qemu=$(command -v qemu-aarch64 qemu-aarch64-static | head -n 1)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
conform() { timeout "${AARCH64_LIMIT:-900}" "$qemu" -L "$sysroot" "$build/tests/conform" "$@"; }
tags=("$@")
[[ $# -gt 0 ]] || mapfile -t tags < <(conform -t | sed -n 's/^ *[0-9]* *\[\(.*\)\]$/\1/p' | grep -Evx 'long|memory_limit')
failed=()
for tag in "${tags[@]}"; do
    status=0 begin=$SECONDS
    conform "[$tag]~[long]~[memory_limit]" >"$folder/output" 2>&1 || status=$?
    case $status in
        0) result=$(grep -E 'All tests passed|No tests ran' "$folder/output" | tail -n 1) ;;
        124) result="stopped after $((SECONDS - begin)) s" ;;
        *) result=$(grep -E '^test cases:' "$folder/output" || tail -n 1 "$folder/output") ;;
    esac
    printf '%-18s %s; %d s\n' "$tag" "$result" $((SECONDS - begin))
    [[ $status -eq 0 ]] && continue
    failed+=("$tag")
    tail -n 40 "$folder/output" >&2
done
[[ ${#failed[@]} -eq 0 ]] || { echo "failed, or without a result: ${failed[*]}"; exit 1; }
