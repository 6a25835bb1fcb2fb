#!/usr/bin/env bash
# Builds beacond and runs its unit tests with the compiler that Debian 13 and Raspberry Pi OS ship (swiftlang 6.0.3), in a
# chroot: what a Raspberry Pi has. Needs root, debootstrap, some 4 GB and, the first time, ten minutes.
#
#   Tests/debian13.sh FOLDER    makes the chroot in FOLDER, or uses the one that is there
#
# Not part of Tests/run.sh. Afterwards: umount FOLDER/proc FOLDER/dev/pts FOLDER/dev, and remove FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/dependencies.sh
root=${1:-}
[ -n "$root" ] || give_up "in which folder? see the top of Tests/debian13.sh"
[ "$(id -u)" -eq 0 ] || give_up "making a chroot needs root"
install_missing debootstrap

if [ ! -e "$root/etc/debian_version" ]; then
    # Where this machine has its packages from, it has Debian 13's as well.
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
    echo "== making the chroot"
    debootstrap --variant=minbase trixie "$root" "$mirror" >"$root.debootstrap.log" 2>&1 ||
        { tail -n 5 "$root.debootstrap.log" >&2; give_up "debootstrap failed"; }
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    # How this machine reaches its mirror: proxy, certificates.
    cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
fi
# swift finds its libraries through /proc/self/exe.
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
mountpoint -q "$root/dev/pts" || mount --bind /dev/pts "$root/dev/pts"
echo "== installing swiftlang and the C libraries"
# shellcheck disable=SC2086
chroot "$root" sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends swiftlang libc6-dev g++ git python3 python3-jsonschema $BUILD_PACKAGES $BROKER_PACKAGES" \
    >"$root/install.log" 2>&1 || { tail -n 5 "$root/install.log" >&2; give_up "the packages cannot be installed"; }

echo "== building with $(chroot "$root" swift --version 2>/dev/null | head -n 1)"
mkdir -p "$root/srv/beacond"
# Files that have been moved since the last time would be built twice; what was built is kept.
find "$root/srv/beacond" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
git ls-files -z | tar --null -T - -c | tar -x -C "$root/srv/beacond"
chroot "$root" sh -c 'cd /srv/beacond && HOME=/root swift build --build-tests -Xswiftc -warnings-as-errors' ||
    give_up "it does not build with Debian 13's Swift"
echo "== unit tests"
chroot "$root" sh -c 'cd /srv/beacond && HOME=/root PRESENCE_HISTORIES=300 swift test --skip-build \
    -Xswiftc -warnings-as-errors --disable-xctest --skip "^(EndToEnd|VM)Tests"' || give_up "unit tests fail with Debian 13's Swift"
echo "== the release build of the README"
chroot "$root" sh -c 'cd /srv/beacond && HOME=/root swift build -c release --product beacond --static-swift-stdlib \
    -Xswiftc -use-ld=lld && .build/release/beacond --version' || give_up "the release does not build with Debian 13's Swift"
