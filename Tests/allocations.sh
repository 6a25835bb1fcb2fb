#!/usr/bin/env bash
# Runs beacon-bench throughput with its allocations counted: those of steady state, an advert.
#
#   Tests/allocations.sh [OPTION ...] [CAPTURE]     whatever `beacon-bench throughput` takes
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# The package's folder is named, not gone to: a capture's path is as the caller gave it.
build=(swift build --package-path "$here" -c release --static-swift-stdlib --product beacon-bench)
"${build[@]}" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -fno-builtin -shared -fPIC -o "$work/allocations.so" "$here/Tests/allocations.c"
LD_PRELOAD="$work/allocations.so" "$("${build[@]}" --show-bin-path)/beacon-bench" throughput "$@"
