#!/usr/bin/env bash
# Runs a command as root in a guest: Debian's kernel under emulation, with a Bluetooth stack of its own and nothing of
# this machine's but its files, read only. Its output comes on standard output, its exit status is this script's.
#
#   Tests/vm/boot.sh COMMAND [ARGUMENT]...
#
# In the guest the folder is the one from which this is called, BEACOND_GUEST is where the unpacked packages of
# prepare.sh are, and the variables named in VM_PASS are those of here. SMP processors (2), MEM MiB of memory (1024), and
# VM_TIMEOUT seconds until it is ended (900). Ends with 77 where there can be no guest, with 124 when the time was over,
# and with 125 when the guest never ran the command or did not end it; then what its console said follows.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$("$here/prepare.sh") || exit $?

work=$(mktemp -d)
emulator=
ended() {
    [ -z "$emulator" ] || kill "$emulator" "$reader" 2>/dev/null
    rm -rf "$work"
}
trap ended EXIT
trap 'exit 130' INT TERM

# The command travels in a second archive behind the initramfs: the kernel unpacks one after the other.
mkdir "$work/tree"
{
    printf 'cd %q || exit 1\n' "$PWD"
    printf 'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin BEACOND_GUEST=%q\n' "$folder/root"
    for name in ${VM_PASS:-}; do [ -z "${!name:-}" ] || printf 'export %s=%q\n' "$name" "${!name}"; done
    printf 'exec'
    printf ' %q' "$@"
    echo
} >"$work/tree/command"
printf '%s\n' "$PWD" "$folder/root" >"$work/tree/folders"
(cd "$work/tree" && find . | "$folder/tree/bin/busybox" cpio -o -H newc 2>/dev/null) | gzip -1 >"$work/command"
cat "$folder/initramfs" "$work/command" >"$work/initramfs"

# A pipe and not QEMU's own standard output, which it takes for a terminal and closes with its input.
mkfifo "$work/output"
cat "$work/output" &
reader=$!

# Emulated even where there is /dev/kvm: the same everywhere, and machines that are guests themselves often have one that
# does not work.
timeout --foreground -k 5 "${VM_TIMEOUT:-900}" qemu-system-x86_64 \
    -accel tcg,thread=multi -machine q35 -cpu max -smp "${SMP:-2}" -m "${MEM:-1024}" \
    -nodefaults -display none -no-reboot -monitor none -serial "file:$work/console" \
    -kernel "$folder/kernel" -initrd "$work/initramfs" \
    -append "console=ttyS0 loglevel=5 panic=-1 mitigations=off nokaslr tsc=unstable no_timer_check" \
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=host,mount_tag=host \
    -chardev "file,id=output,path=$work/output" -device virtio-serial-pci -device virtserialport,chardev=output,name=output \
    </dev/null 2>"$work/errors" &
emulator=$!
wait "$emulator"
status=$?
emulator=
wait "$reader"
tr -d '\r' <"$work/console" >"$work/said" 2>/dev/null
[ -z "${VM_CONSOLE:-}" ] || cp "$work/said" "$VM_CONSOLE"
code=$(sed -n 's/^guest: exit status \([0-9]*\)$/\1/p' "$work/said" | tail -n 1)
[ -z "$code" ] || exit "$code"
if [ $status -eq 124 ] || [ $status -eq 137 ]; then
    echo "guest: ended after ${VM_TIMEOUT:-900} s" >&2
else
    status=125
    echo "guest: it did not end by itself" >&2
fi
tail -n 30 "$work/said" "$work/errors" >&2
exit $status
