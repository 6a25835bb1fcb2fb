#!/usr/bin/env bash
# Fuzzes every parser of what comes from outside with libFuzzer and AddressSanitizer, one after the other.
#
#   Tests/fuzz.sh [SECONDS]            so many seconds for each parser (10 by default)
#   Tests/fuzz.sh 3600 advert yaml     an hour each for some of them
#   Tests/fuzz.sh 3600 session         more than ten million lives of a controller session, at 5,000 a second or so
#
# An input that breaks one is kept, and its path printed. Exit status: 0 nothing found, 1 something found.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-10}
[ $# -gt 0 ] && shift
case $seconds in '' | *[!0-9]*) echo "fuzz.sh: '$seconds' is no number of seconds" >&2; exit 2 ;; esac
parsers=("$@")
[ ${#parsers[@]} -gt 0 ] || parsers=(advert event stream session capture json yaml control)

export BEACOND_FUZZ=1 SWIFT_BACKTRACE=enable=no
build=(swift build -c release --sanitize fuzzer --sanitize address --scratch-path .build-fuzz --product beacond-fuzz)
"${build[@]}" >&2 || { echo "fuzz.sh: the fuzz target does not build" >&2; exit 1; }
program=$("${build[@]}" --show-bin-path)/beacond-fuzz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 Tests/fuzz/seeds.py "$work/seeds" || exit 1
found=0
for parser in "${parsers[@]}"; do
    mkdir -p "$work/corpus/$parser" "$work/seeds/$parser" .build-fuzz/findings
    FUZZ_PARSER=$parser "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix=".build-fuzz/findings/$parser-" \
        "$work/corpus/$parser" "$work/seeds/$parser" >"$work/log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    if [ $status -eq 0 ]; then
        printf '%-8s %10s executions in %s s, nothing found\n' "$parser" "${runs:-?}" "$seconds"
    else
        found=1
        printf '%-8s FOUND SOMETHING (status %s): %s\n' "$parser" "$status" "$(grep -o '.build-fuzz/findings/[^ ]*' "$work/log" | tail -n 1)"
        tail -n 40 "$work/log"
    fi
done
exit $found
