#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian packages of a list of this folder, packages.txt by default, that are missing; does nothing where all are
# there.
set -euo pipefail
missing=()
while read -r package _; do
    [[ -z $package || $package == \#* ]] && continue
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done <"$(dirname "$0")/${1:-packages.txt}"
[[ ${#missing[@]} -eq 0 ]] && exit 0
echo "installing: ${missing[*]}"
root=()
[[ $(id -u) -eq 0 ]] || root=(sudo)
"${root[@]}" apt-get update -q
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
