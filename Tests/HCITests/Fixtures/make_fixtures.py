#!/usr/bin/env python3
"""Make the captures of this folder from the published ones: the same packets, with invented device addresses.

    ./make_fixtures.py FOLDER      FOLDER holds the published files (README.md says where they are from)

Run once; nothing else needs it. Each address of a device becomes one invented address everywhere, of the same kind
(the two upper bits of a random address are its kind). In the captures from the air the CRC is made right again
where it was right, and stays wrong where it was wrong.
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
ADVERTISING = bytes.fromhex("d6be898e")


class Addresses:
    """Device addresses in the order of the air (least significant byte first) to invented ones."""

    def __init__(self):
        self.known = {}

    def invented(self, address, is_random):
        key = (bytes(address), is_random)
        if key not in self.known:
            number = len(self.known) + 1
            top = (address[5] & 0xC0 | 0x0A) if is_random else 0x02
            self.known[key] = struct.pack("<H", number) + bytes([0x0D, 0xAC, 0xBE, top])
        return self.known[key]


def crc24(pdu):
    register = 0xAAAAAA
    for byte in pdu:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xDA6000 if register & 1 else 0)
    return register


def link_layer(packet, addresses):
    """PDU and CRC with other addresses."""
    pdu = bytearray(packet)
    length = pdu[1]
    crc = slice(length + 2, length + 5)
    is_right = int.from_bytes(pdu[crc], "little") == crc24(pdu[: length + 2])
    # In a damaged packet neither type nor length can be believed: where addresses may be, they are replaced.
    has_two = pdu[0] & 15 in (1, 3, 5) or not is_right and length == 12
    for start, bit in [(2, 0x40), (8, 0x80)] if has_two else [(2, 0x40)]:
        if start + 6 <= len(pdu):
            pdu[start : start + 6] = addresses.invented(pdu[start : start + 6], bool(pdu[0] & bit))
    if is_right:
        pdu[crc] = crc24(pdu[: length + 2]).to_bytes(3, "little")
    assert (int.from_bytes(pdu[crc], "little") == crc24(pdu[: length + 2])) == is_right
    return bytes(pdu), is_right


def pcapng(source, target, start_of_pdu):
    addresses = Addresses()
    data = bytearray(source.read_bytes())
    right = wrong = at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:
            size = struct.unpack_from("<I", data, at + 20)[0]
            start, end = at + 28 + start_of_pdu, at + 28 + size
            assert data[start - 4 : start] == ADVERTISING
            data[start:end], is_right = link_layer(data[start:end], addresses)
            right, wrong = right + is_right, wrong + (not is_right)
        at += length
    target.write_bytes(data)
    print(f"{target.name}: {len(addresses.known)} addresses, {right} right and {wrong} wrong checksums")


def hcidump(source, target):
    addresses = Addresses()
    events, head = [], []
    for line in source.read_text().splitlines():
        if line.startswith("> "):
            events.append(bytearray.fromhex(line[2:]))
        elif events:
            events[-1] += bytearray.fromhex(line)
        else:
            head.append(line)
    lines = head
    for event in events:
        assert event[:4] == bytes.fromhex("043e") + event[2:3] + b"\x02" and event[4] == 1
        event[7:13] = addresses.invented(event[7:13], event[6] == 1)
        for start in range(0, len(event), 20):
            row = event[start : start + 20].hex(" ").upper()
            lines.append(("> " if start == 0 else "  ") + row + " ")
    target.write_text("\n".join(lines) + "\n")
    print(f"{target.name}: {len(addresses.known)} addresses, {len(events)} events")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    hcidump(folder / "hcidump-ibeacons.txt", HERE / "hcidump-ibeacons.txt")
    pcapng(folder / "nrf-sniffer-lt272.pcapng", HERE / "nrf-sniffer-lt272.pcapng", 21)
    pcapng(folder / "ubertooth-lt256-crc-errors.pcapng", HERE / "ubertooth-lt256-crc-errors.pcapng", 14)
