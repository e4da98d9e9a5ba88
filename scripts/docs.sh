#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the documentation in build/site: the pages by MkDocs, the gallery by the examples that draw, the C++ interface by Doxygen;
# links are checked, and names. An argument names another build tree than build/. Exits with 77 if a program is missing: scripts/packages_docs.txt has the packages.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${1:-build}")
for program in mkdocs doxygen; do
    command -v "$program" >/dev/null || { echo "no documentation: $program is not installed"; exit 77; }
done
/usr/bin/env python3 scripts/check_links.py

source=$build/site-source
rm -rf "$source" "$build/site"
mkdir -p "$source/examples"
cp -r README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE docs "$source"
cp examples/README.md "$source/examples"
[[ -f $build/CMakeCache.txt ]] || cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --target mandelbrot life blur_sobel heat convergence value_at_risk nearest_neighbours regions convolution regression \
    principal_components local_volatility_fit sinter_codegen
/usr/bin/env python3 scripts/make_gallery.py "$build/examples" "$source/docs"
version=$(sed -n 's/^project(sinter VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SINTER_SOURCE=$PWD SINTER_DOC=$source SINTER_VERSION=$version doxygen docs/Doxyfile
/usr/bin/env python3 scripts/check_reference.py "$source/api"
sed "s|build/site|$build/site|" mkdocs.yml >"$build/mkdocs.yml"
mkdocs build --quiet --strict --config-file "$build/mkdocs.yml"
/usr/bin/env python3 scripts/check_links.py "$build/site"
echo "$build/site/index.html"
