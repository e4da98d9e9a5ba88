#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks a built tree on a machine with a card; needs no network and no toolkit. Prints one table, and exits with the number
# of lines that failed.
#
#   scripts/gpu_check.sh [BUILD]        by default build/
set -u
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
logs=$(mktemp -d)
failed=0

# line NAME COMMAND...: what came of it, and how long it took.
line() {
  local name=$1 begin=$SECONDS result=ok
  shift
  if [ ! -x "$1" ]; then
    result="not built"
  elif ! "$@" >"$logs/$name" 2>&1; then
    result="FAILED, see $logs/$name"
    failed=$((failed + 1))
  fi
  printf '%-16s %5d s  %s\n' "$name" $((SECONDS - begin)) "$result"
}

command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
export SINTER_TARGET=gpu
line kernels "$build/tests/gpu_kernels" all
line conform "$build/tests/conform" '~[long]'
line random "$build/tests/random_programs"
line programs "$build/tests/programs"
line bench "$build/bench/sinter_bench" --sizes 20,24 --json "$logs/bench.json"
[ -f "$logs/bench" ] && cat "$logs/bench"
exit $failed
