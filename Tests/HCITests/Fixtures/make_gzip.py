#!/usr/bin/env python3
"""Make the gzip-compressed captures of this folder: one of a radio, and one that unpacks to far more than it is.

    ./make_gzip.py

Run once; nothing else needs it.
"""
import gzip
import pathlib
import struct

HERE = pathlib.Path(__file__).parent


def write(name, data):
    (HERE / name).write_bytes(gzip.compress(data, 9, mtime=0))


write("nrf-sniffer-lt272.pcapng.gz", (HERE / "nrf-sniffer-lt272.pcapng").read_bytes())

# 80 packets of 256 KiB of zeros, the longest that are believed: 20 MiB.
LONGEST = 256 * 1024
record = struct.pack(">IIIIq", LONGEST, LONGEST, 0, 0, 0) + bytes(LONGEST)
write("bomb.btsnoop.gz", b"btsnoop\0" + struct.pack(">II", 1, 1002) + 80 * record)
