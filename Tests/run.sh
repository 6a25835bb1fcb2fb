#!/usr/bin/env bash
# Everything that holds beacond to its promises: installs what the tests need, then format, builds, unit tests,
# end-to-end tests with the real programs and a real broker (plain and under ThreadSanitizer), AddressSanitizer, a short
# fuzz of every parser, and the demo. About a quarter of an hour on two cores.
#
#   Tests/run.sh            everything
#   Tests/run.sh NAME...    only these steps: format build unit end-to-end thread address fuzz demo
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. deploy/dependencies.sh

only=("$@")
logs=$(mktemp -d)
passed=0 failed=0 skipped=0
table=()

# What was said is kept where something failed.
cleaned() { if [ $failed -eq 0 ]; then rm -rf "$logs"; else echo "logs: $logs" >&2; fi; }
trap cleaned EXIT

wanted() {
    [ ${#only[@]} -eq 0 ] && return 0
    local name
    for name in "${only[@]}"; do [ "$name" = "$1" ] && return 0; done
    return 1
}

# step NAME WHAT COMMAND...: runs it, says how it went, and counts the tests that it reports, else itself.
step() {
    local name=$1 what=$2 log=$logs/$1 start=$SECONDS status tests broken noted
    shift 2
    wanted "$name" || return 0
    printf '== %-11s %s ...\n' "$name" "$what"
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    # "Test run with 76 tests in 12 suites passed after …", or "… failed … with 2 issues"
    tests=$(sed -n 's/.*Test run with \([0-9][0-9]*\) tests\{0,1\} .*/\1/p' "$log" | tail -n 1)
    broken=$(grep -cE '^[^ ]+ Test ("|[a-zA-Z0-9]+\().* failed after' "$log")
    noted=$(grep -cE '^[^ ]+ Test .*(\(\)|") skipped(:|\.|$)' "$log")
    if [ -n "$tests" ]; then
        passed=$((passed + tests - broken - noted)) failed=$((failed + broken)) skipped=$((skipped + noted))
        what="$what: $tests tests"
        [ "$noted" -eq 0 ] || { what="$what, $noted skipped"; grep -E '^[^ ]+ Test .*(\(\)|") skipped(:|\.|$)' "$log"; }
        # A test program that broke off has failed, however many tests it had passed by then.
        [ $status -eq 0 ] || [ "$broken" -gt 0 ] || failed=$((failed + 1))
    elif [ $status -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    if [ $status -eq 0 ]; then
        table+=("passed   $(printf '%-11s %4d s' "$name" $((SECONDS - start)))  $what")
        printf '   passed after %d s\n' $((SECONDS - start))
        [ "$name" != fuzz ] || sed 's/^/   /' "$log" | grep executions
    else
        table+=("FAILED   $(printf '%-11s %4d s' "$name" $((SECONDS - start)))  $what")
        printf '   FAILED with status %d after %d s; the end of what it said:\n' $status $((SECONDS - start))
        grep -E 'error:|failed after|recorded an issue|WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$log" |
            head -n 40 | cut -c1-400 | sed 's/^/   | /'
        tail -n 30 "$log" | cut -c1-400 | sed 's/^/   | /'
    fi
    return $status
}

# The same flags everywhere, so that nothing is built twice.
flags=(-Xswiftc -warnings-as-errors)

format() { swift format lint --strict --recursive Package.swift Sources Tests; }

build() { swift build --build-tests "${flags[@]}"; }

# tests ARGUMENT...: those of the debug build.
tests() { swift test --skip-build "${flags[@]}" --disable-xctest "$@"; }

# The end-to-end tests with a beacond that reports every data race: a report makes it exit with 66, and the tests look
# at each exit status.
thread() {
    swift build --sanitize=thread --scratch-path .build-thread --product beacond "${flags[@]}" || return 1
    local programs=$logs/programs
    mkdir -p "$programs" || return 1
    ln -sf "$(swift build --sanitize=thread --scratch-path .build-thread --show-bin-path)/beacond" "$programs/beacond"
    ln -sf "$(swift build --show-bin-path)/beacon-sim" "$programs/beacon-sim"
    BEACOND_BIN_DIR=$programs TSAN_OPTIONS="exitcode=66 halt_on_error=0" tests --filter EndToEndTests
}

# The values and parsers under AddressSanitizer. Leaks are the test library's own, so they are not looked for.
address() {
    swift build --build-tests --sanitize=address --scratch-path .build-address "${flags[@]}" || return 1
    ASAN_OPTIONS=detect_leaks=0 PRESENCE_HISTORIES=300 \
        swift test --skip-build --sanitize=address --scratch-path .build-address "${flags[@]}" --disable-xctest \
        --filter 'BeaconTests|HCITests|JSONTests|YAMLTests|AgentTests|PresenceTests|TrustTests|OutboxTests'
}

demo() {
    local kind out=$logs/demo.out before left
    before=$(running)
    SWIFT_BUILD_FLAGS="${flags[*]}" deploy/demo.sh --seconds 20 | tee "$out" || return 1
    for kind in enter exit region ranging window status state; do
        grep -qE "^beacons/data/[^ ]*/$kind(/| )" "$out" || { echo "the demo showed no $kind message"; return 1; }
    done
    left=$(comm -13 <(echo "$before") <(running))
    [ -z "$left" ] || { echo "the demo left something running: $left"; return 1; }
}

# What the demo starts.
running() { pgrep -lx 'beacond|beacon-sim|mosquitto|mosquitto_sub' | sort; }

echo "== installing what is missing"
# shellcheck disable=SC2086
install_missing $BUILD_PACKAGES $BROKER_PACKAGES python3 python3-jsonschema python3-venv procps
need_swift
# Google's Bumble is a controller that nobody here wrote. Without it its tests are skipped, and say why.
if said=$(Tests/bumble/python.sh 2>&1); then export BUMBLE_PYTHON=$said; else export BUMBLE_MISSING=$said; fi

step format "the formatter's rules" format
if step build "debug build, warnings are errors" build; then
    step unit "every module's own tests" tests --skip EndToEndTests
    step end-to-end "the real programs, a real broker" tests --filter EndToEndTests
    step thread "the same with ThreadSanitizer" thread
else
    table+=("skipped  unit, end-to-end, thread: nothing was built")
    skipped=$((skipped + 3))
fi
step address "values and parsers with AddressSanitizer" address
step fuzz "every parser for 9 s" Tests/fuzz.sh 9
step demo "release build and the demo for 20 s" demo

echo
printf '%s\n' "${table[@]}"
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
