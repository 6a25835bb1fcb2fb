#!/usr/bin/env bash
# A store on this machine: builds beacond, starts a real broker on loopback, a simulated store full of beacons and the
# agent, and shows the messages as mosquitto_sub prints them. Leaves nothing running and nothing behind but the build.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. deploy/dependencies.sh

usage() {
    cat <<'TEXT'
Usage: deploy/demo.sh [--seconds N]

Builds beacond, starts a broker on loopback, a simulated store of 25 beacons and the agent, and shows its messages.

  --seconds N   end by itself, N seconds after the agent's start; without it Ctrl-C ends it
  --help        this text

What is missing is installed from Debian's packages (with sudo, if that is needed).
TEXT
}

# Says what is wrong with the command line.
misuse() {
    printf 'demo.sh: %s\n' "$1" >&2
    exit 64
}

seconds=
while [ $# -gt 0 ]; do
    case $1 in
        --seconds) [ $# -ge 2 ] || misuse "--seconds needs a number"; seconds=$2; shift 2 ;;
        --seconds=*) seconds=${1#*=}; shift ;;
        --help | -h) usage; exit 0 ;;
        *) misuse "there is no option '$1'; see deploy/demo.sh --help" ;;
    esac
done
case $seconds in '' ) ;; *[!0-9]* | 0 | ??????*) misuse "--seconds wants a whole number from 1 to 99999, not '$seconds'" ;; esac

# shellcheck disable=SC2086
install_missing $BUILD_PACKAGES $BROKER_PACKAGES
need_swift

folder=$(mktemp -d) || exit 1
children=()
clean_up() {
    trap - EXIT INT TERM HUP PIPE
    local child
    for child in "${children[@]}"; do kill "$child" 2>/dev/null; done
    for child in "${children[@]}"; do wait "$child" 2>/dev/null; done
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP PIPE

# In sessions of their own, so that Ctrl-C ends this script only, and the agent can say goodbye to a broker that is
# still there; gone with this script, even when that is killed.
apart=(setsid setpriv --pdeathsig TERM)

# until_true SECONDS COMMAND...: waits for a condition, for a bounded time.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" 2>/dev/null; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}

echo "# building (the first time takes a minute or two)"
# shellcheck disable=SC2086
for product in beacond beacon-sim; do
    swift build -c release --product $product ${SWIFT_BUILD_FLAGS:-} >"$folder/build.log" 2>&1 || {
        tail -n 40 "$folder/build.log" >&2
        give_up "the build of $product failed"
    }
done
programs=$(swift build -c release --show-bin-path)

# A port is free if the broker that was given it is there to answer.
mosquitto=$(PATH=$PATH:/usr/sbin:/sbin command -v mosquitto) || give_up "there is no mosquitto"
for _ in $(seq 20); do
    port=$((20000 + RANDOM % 12000))
    printf 'listener %s 127.0.0.1\nallow_anonymous true\nlog_dest file %s\nlog_type all\nuser root\n' \
        "$port" "$folder/broker.log" >"$folder/broker.conf"
    [ "$(id -u)" -eq 0 ] || sed -i '/^user /d' "$folder/broker.conf"
    "${apart[@]}" "$mosquitto" -c "$folder/broker.conf" >"$folder/broker.out" 2>&1 &
    broker=$!
    if until_true 5 mosquitto_pub -p "$port" -t demo -n && kill -0 $broker 2>/dev/null; then
        children+=($broker)
        break
    fi
    kill $broker 2>/dev/null
    wait $broker 2>/dev/null
    broker=
done
[ -n "$broker" ] || { cat "$folder/broker.out" >&2; give_up "no broker could be started on loopback"; }

node=demo-shelf-1
cat >"$folder/config.yaml" <<YAML
site: store-12
node: $node
state_folder: $folder/state
radio: {adapter: "unix:$folder/hci"}
advertise: {enabled: true, uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 900, minor: 1}
regions:
  entrance: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 100}
  checkout: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 200, ranging: off}
  visitor: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, exit: fixed, exit_after: 5s}
windows: {length: 5s}
mqtt: {host: 127.0.0.1, port: $port}
YAML

"${apart[@]}" "$programs/beacon-sim" --listen "unix:$folder/hci" --scenario deploy/demo-store.yaml >"$folder/sim.log" 2>&1 &
children+=($!)
until_true 10 grep -q listening "$folder/sim.log" || { cat "$folder/sim.log" >&2; give_up "the simulated store did not start"; }

# Process substitution and not a pipe: the subscriber's own number is needed, to end it.
"${apart[@]}" mosquitto_sub -v -p "$port" -t 'beacons/#' > >(exec setsid tee "$folder/messages") &
subscriber=$!
children+=($subscriber)
until_true 10 grep -q 'beacons/#' "$folder/broker.log" || give_up "the subscriber did not reach the broker"

echo "# subscribe from a second terminal:   mosquitto_sub -v -p $port -t 'beacons/#'"
echo "# push a new major and minor to it:   mosquitto_pub -p $port -r -q 1 -t beacons/control/node/$node/config -m '{\"config\":{\"advertise\":{\"major\":900,\"minor\":7}}}'"
"${apart[@]}" "$programs/beacond" run --config "$folder/config.yaml" 2>"$folder/agent.log" &
agent=$!
children+=($agent)
started=${EPOCHREALTIME/[.,]/}
# The agent's last messages are still to be shown.
trap 'interrupted=yes' INT
interrupted=
while kill -0 $agent 2>/dev/null && kill -0 $subscriber 2>/dev/null && [ -z "$interrupted" ]; do
    [ -z "$seconds" ] || [ $((${EPOCHREALTIME/[.,]/} - started)) -lt $((seconds * 1000000)) ] || break
    sleep 0.2
done
stopped_by_itself=$(kill -0 $agent 2>/dev/null || echo yes)
kill $agent 2>/dev/null
wait $agent
status=$?
[ -n "$interrupted" ] || [ -z "$stopped_by_itself" ] || { cat "$folder/agent.log" >&2; give_up "the agent ended too early, with status $status"; }
[ $status -eq 0 ] || { cat "$folder/agent.log" >&2; give_up "the agent ended with status $status"; }
until_true 5 grep -q '"state":"offline"' "$folder/messages"
if ! kill -0 $subscriber 2>/dev/null && [ -z "$interrupted" ]; then
    give_up "nobody reads the messages any more"
fi
summary="# shown:"
for kind in enter exit region ranging window; do
    summary+=" $(grep -cE "^beacons/data/[^ ]*/$kind(/| )" "$folder/messages") $kind,"
done
echo "$summary $(grep -c . "$folder/messages") messages in all"
