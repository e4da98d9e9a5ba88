#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_packages.sh FOLDER [SUITE]: makes a bare Debian of that suite (default: bookworm) in a temporary folder, installs the
# packages that scripts/package.sh has put into FOLDER, and builds and runs the project of tests/package with them, by CMake
# and by pkg-config. Needs mmdebstrap and the rights to use chroot; takes some minutes.
set -euo pipefail
project=$(realpath "$(dirname "$0")/..")
folder=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mmdebstrap --variant=minbase --include=g++,cmake,make,pkgconf,ca-certificates "${2:-bookworm}" "$root"
mkdir "$root/packages" "$root/app"
cp "$folder"/*.deb "$root/packages"
cp "$project"/tests/package/{CMakeLists.txt,app.cpp} "$root/app"
cp /etc/resolv.conf "$root/etc/"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive HOME=/root sh -euc "$1"; }
inside 'apt-get update -q && apt-get install -q -y --no-install-recommends /packages/*.deb'
inside 'cmake -S /app -B /app/build && cmake --build /app/build && /app/build/app'
inside 'g++ -std=c++20 /app/app.cpp $(pkg-config --cflags --libs sinter) -o /app/plain && /app/plain'
inside 'sinter --version && sinter doctor && sinter cache size'
inside 'apt-get remove -q -y libsinter-dev sinter-tools && ! test -e /usr/include/sinter && /app/plain'
echo "The packages work in a bare ${2:-bookworm}."
