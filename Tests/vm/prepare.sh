#!/usr/bin/env bash
# Makes what the guest of the VM tests boots from, and prints its folder: Debian's own kernel, and an initramfs with the
# modules that give it Bluetooth controllers made of software (hci_vhci). Packages are fetched and unpacked, none is
# installed. It is kept in ${XDG_CACHE_HOME:-$HOME/.cache}/beacond-vm/KERNEL (some 90 MB); what is half made or broken is
# made anew.
#
# Ends with 77, and the reason on standard error, where there can be no guest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/beacond-vm

cannot() {
    echo "no guest: $1" >&2
    exit 77
}

[ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null || cannot "this needs Debian or a system made from it"
[ "$(dpkg --print-architecture)" = amd64 ] || cannot "the guest is an amd64 one, and this machine is $(uname -m)"
command -v qemu-system-x86_64 >/dev/null || cannot "qemu-system-x86_64 is missing; apt-get install qemu-system-x86"

# The package of the kernel changes with each update: the one without a version names it.
kernel_package() { apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1; }

# What only root may do; without root and without sudo it is left.
update_lists() {
    echo "guest: fetching the lists of packages" >&2
    if [ "$(id -u)" -eq 0 ]; then
        apt-get update -qq >&2
    elif command -v sudo >/dev/null; then
        sudo -n apt-get update -qq >&2
    else
        return 1
    fi
}

# The guest's programs that this machine need not have, with the libraries that are missing here. bluez for bluetoothd,
# which needs a D-Bus to speak on; busybox for what runs before there is a root.
programs="busybox-static bluez"
command -v dbus-daemon >/dev/null || programs="$programs dbus dbus-daemon dbus-system-bus-common"
guest_packages() {
    local package
    # shellcheck disable=SC2086
    {
        printf '%s\n' $programs
        apt-cache depends --important $programs 2>/dev/null | sed -n 's/^ *Depends: \(lib[^: ]*\)$/\1/p'
    } | sort -u | while read -r package; do
        apt-cache show "$package" >/dev/null 2>&1 || continue
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# fetch FOLDER PACKAGE...: the archives.
fetch() {
    local folder=$1 said
    shift
    # "apt-get download" writes where it stands. As root it says that it could not become another user for it.
    if ! said=$(cd "$folder" && apt-get download -q "$@" 2>&1 </dev/null); then
        grep '^[EW]:' <<<"$said" | grep -v unsandboxed | head -n 4 >&2
        return 1
    fi
}

# unpack_kernel FOLDER: the kernel as the emulator starts it, and its modules in FOLDER/unpacked.
unpack_kernel() {
    local at image
    rm -rf "$1/unpacked"
    dpkg-deb -x "$1"/linux-image-*.deb "$1/unpacked"
    image=$(find "$1/unpacked/boot" -name 'vmlinuz-*')
    # Unpacked here: under emulation it would take the guest seconds. Its xz stream stands in the middle of the image.
    at=$(LC_ALL=C grep -abo -m 1 $'\xfd7zXZ' "$image" | LC_ALL=C sed -n '1s/:.*//p')
    [ -z "$at" ] || tail -c +$((at + 1)) "$image" 2>/dev/null | xz -dc --single-stream >"$1/kernel" 2>/dev/null || true
    [ "$(head -c 4 "$1/kernel" 2>/dev/null)" = $'\x7fELF' ] || cp "$image" "$1/kernel"
}

declare -A added=()
# add MODULE: the module after those that it needs, as its own .modinfo section names them; a module of these names that
# there is not may be a part of the kernel itself.
add() {
    local name=${1//-/_} file needed
    [ -z "${added[$name]:-}" ] || return 0
    added[$name]=1
    file=$(find "$modules" -name "${name//_/[-_]}.ko*" | head -n 1)
    [ -n "$file" ] || return 0
    case $file in
        *.xz) xz -dc "$file" >"$tree/modules/$name.ko" ;;
        *.zst) zstd -qdc "$file" >"$tree/modules/$name.ko" ;;
        *) cp "$file" "$tree/modules/$name.ko" ;;
    esac
    for needed in $(tr '\0' '\n' <"$tree/modules/$name.ko" | LC_ALL=C sed -n 's/^depends=//p' | head -n 1 | tr ',' ' '); do
        add "$needed"
    done
    echo "$name" >>"$tree/modules/order"
}

# initramfs FOLDER: busybox, the modules in the order in which they are loaded, and our own init; and the kernel.
initramfs() {
    local module
    unpack_kernel "$1"
    tree=$1/tree
    modules=$(find "$1/unpacked" -type d -path '*/modules/*' -name kernel | head -n 1)
    rm -rf "$tree"
    mkdir -p "$tree"/{bin,proc,sys,dev,host,new,modules}
    cp "$1/root/bin/busybox" "$tree/bin/busybox" 2>/dev/null || cp "$1/root/usr/bin/busybox" "$tree/bin/busybox"
    for module in sh mount mkdir insmod ln readlink cp poweroff chroot ip; do ln -s busybox "$tree/bin/$module"; done
    # What Bluetooth's own cryptography asks for by name comes before it: without drbg its self-test fails.
    for module in virtio_pci virtio_console 9pnet_virtio 9p \
        ecb cmac sha512_generic ctr drbg algif_hash algif_skcipher bluetooth hci_vhci uhid; do
        add "$module"
    done
    for module in bluetooth hci_vhci; do
        [ -e "$tree/modules/$module.ko" ] || cannot "Debian's kernel has no module $module"
    done
    cp "$here/init" "$tree/init"
    chmod 755 "$tree/init"
    (cd "$tree" && find . | "$tree/bin/busybox" cpio -o -H newc 2>/dev/null) | gzip -1 >"$1/initramfs.part"
    rm -rf "$1/unpacked"
    mv "$1/initramfs.part" "$1/initramfs"
}

make_all() {
    local part=$1 package=$2 said
    mkdir -p "$part/packages" "$part/root"
    echo "guest: fetching $package and the guest's tools" >&2
    # shellcheck disable=SC2046
    fetch "$part/packages" "$package" $(guest_packages) || return 1
    echo "guest: unpacking" >&2
    for said in "$part"/packages/*.deb; do
        case $said in
            */linux-image-*) mv "$said" "$part/$package.deb" ;;
            *) dpkg-deb -x "$said" "$part/root" ;;
        esac
    done
    rm -rf "$part/packages"
    initramfs "$part"
    made_from >"$part/made-from"
}

# What the initramfs is made from besides the packages.
made_from() { cat "$here/prepare.sh" "$here/init" | sha256sum; }

mkdir -p "$cache" 2>/dev/null || cannot "cannot write to $cache"
package=$(kernel_package)
if [ -z "$package" ]; then
    update_lists || true
    package=$(kernel_package)
fi
if [ -z "$package" ]; then
    # Without lists of packages what is there may do.
    package=linux-image-$(find "$cache" -mindepth 2 -maxdepth 2 -name made-from -printf '%T@ %h\n' | sort -n | tail -n 1 |
        sed 's|.*/||')
    [ "$package" != linux-image- ] || cannot "apt knows no package linux-image-amd64; is there a network?"
fi
folder=$cache/${package#linux-image-}

# One at a time: two test runs would fetch it twice.
exec 9>"$cache/lock"
flock 9
if [ -e "$folder/kernel" ] && [ -e "$folder/initramfs" ] && [ -e "$folder/$package.deb" ] && [ -d "$folder/root" ]; then
    if [ "$(cat "$folder/made-from" 2>/dev/null)" != "$(made_from)" ]; then
        rm -f "$folder/made-from"
        initramfs "$folder"
        made_from >"$folder/made-from"
    fi
else
    rm -rf "$folder" "$cache"/*.part
    part=$folder.part
    if ! make_all "$part" "$package"; then
        # The lists may be older than what the server has.
        rm -rf "$part"
        update_lists || true
        package=$(kernel_package)
        folder=$cache/${package#linux-image-} part=$cache/${package#linux-image-}.part
        make_all "$part" "$package" || cannot "$package cannot be fetched; is there a network?"
    fi
    mv "$part" "$folder"
fi
echo "$folder"
