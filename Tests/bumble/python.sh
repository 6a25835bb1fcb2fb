#!/usr/bin/env bash
# Prints the path of a Python that has Google's Bumble, of the version that the tests were written for.
#
# Fetched once from PyPI into a virtual environment outside the tree: $BEACOND_CACHE, or ~/.cache/beacond-tests. Where
# that does not work, standard error has one line that says why, and the exit status is 1.
set -uo pipefail
version=0.0.236
# What the controller and the device need, without their tools' dependencies: no compiler, no library of the system.
packages=("bumble==$version" "pyee==13.0.1" "typing_extensions==4.16.0")
folder=${BEACOND_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/beacond-tests}/bumble-$version
python=$folder/bin/python

give_up() {
    echo "Bumble $version cannot be installed: $1" >&2
    exit 1
}

works() { "$python" -c 'import bumble.controller, bumble.device, bumble.transport' 2>/dev/null; }

if ! works; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || give_up "it needs Python 3.11"
    rm -rf "$folder"
    mkdir -p "${folder%/*}" || give_up "no folder ${folder%/*}"
    said=$(python3 -m venv "$folder" 2>&1) || give_up "$(tail -n 1 <<<"$said") (on Debian: apt-get install python3-venv)"
    options=(--quiet --no-deps --disable-pip-version-check --retries 1 --timeout 20)
    said=$("$python" -m pip install "${options[@]}" "${packages[@]}" 2>&1) ||
        give_up "$(sed -n 's/^ERROR: //; /[^ ]/p' <<<"$said" | tail -n 1)"
    works || give_up "it does not start"
fi
echo "$python"
