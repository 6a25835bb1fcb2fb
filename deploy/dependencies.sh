# Sourced by deploy/demo.sh and Tests/run.sh: installs what is missing, from Debian's packages, and finds Swift.

# Says why and ends.
give_up() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit 1
}

# install_missing PACKAGE...: installs those that are not there; asks for nothing.
install_missing() {
    local package missing=() as_root=()
    command -v dpkg-query >/dev/null || give_up "this needs Debian or a system made from it; install by hand: $*"
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || give_up "packages are missing; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    echo "installing: ${missing[*]}" >&2
    # A list of packages may be missing or old: then it is fetched, and the installation tried again.
    install_now "${missing[@]}" || {
        "${as_root[@]}" apt-get update -qq >&2 || give_up "apt-get update failed; is there a network?"
        install_now "${missing[@]}" || give_up "these packages cannot be installed: ${missing[*]}"
    }
    case " ${missing[*]} " in *" mosquitto "*) stop_service ;; esac
}

# Debian's package starts a broker of its own, which nobody here asked for.
stop_service() {
    if [ -d /run/systemd/system ]; then
        "${as_root[@]}" systemctl disable --now mosquitto >/dev/null 2>&1 || return 0
        echo "the service that comes with mosquitto is off; on again: systemctl enable --now mosquitto" >&2
    elif [ -x /etc/init.d/mosquitto ]; then
        "${as_root[@]}" /etc/init.d/mosquitto stop >/dev/null 2>&1 || return 0
    fi
}

install_now() {
    local said
    if said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" 2>&1 </dev/null); then
        return 0
    fi
    tail -n 3 <<<"$said" >&2
    return 1
}

# Makes sure that there is a Swift compiler, 6.0 or later.
need_swift() {
    local version
    if ! command -v swift >/dev/null; then
        if [ -n "$(apt-cache policy swiftlang 2>/dev/null | sed -n 's/.*Candidate: *\([0-9].*\)/\1/p')" ] ||
            grep -q '^VERSION_ID="13"' /etc/os-release; then
            install_missing swiftlang libc6-dev g++
        else
            give_up "there is no Swift compiler: put a toolchain of 6.0 or later on the PATH (www.swift.org), or use
Debian 13, where it is the package swiftlang"
        fi
    fi
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\..*/\1/p' | head -n 1)
    [ "${version:-0}" -ge 6 ] || give_up "Swift 6.0 or later is needed; $(command -v swift) is $(swift --version 2>&1 | head -n 1)"
}

# What the programs are made of.
BUILD_PACKAGES="libmosquitto-dev libbluetooth-dev libyaml-dev libssl-dev zlib1g-dev"
# What they are tried with.
BROKER_PACKAGES="mosquitto mosquitto-clients"
