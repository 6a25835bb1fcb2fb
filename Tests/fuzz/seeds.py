#!/usr/bin/env python3
"""seeds.py FOLDER: writes first inputs for each parser, made of the tests' own fixtures."""
import gzip
import json
import pathlib
import sys

out = pathlib.Path(sys.argv[1])
tests = pathlib.Path(__file__).resolve().parent.parent
counts = {}


def seed(parser, data):
    folder = out / parser
    folder.mkdir(parents=True, exist_ok=True)
    counts[parser] = counts.get(parser, 0) + 1
    (folder / f"{counts[parser]:05}").write_bytes(data)


for line in (tests / "BeaconTests/Fixtures/advertisements.jsonl").read_text().splitlines():
    row = json.loads(line)
    data = bytes.fromhex(row["hex"])
    if row["kind"] == "ad":
        seed("advert", data)
    else:
        seed("event", data[1:] if data[:1] == b"\x04" else data)
        seed("stream", data)
# A controller that answers Reset, and one that breaks.
seed("stream", bytes.fromhex("040e0401030c00040e0401010c00041001420403"))
# One controller of each kind that behaves, one that is disturbed in each way.
for kind in range(32):
    seed("session", bytes([kind, kind] + [0] * 40))
    seed("session", bytes([kind, 255] + [(kind * 7 + i) & 0xFF for i in range(60)]))
for capture in (tests / "HCITests/Fixtures").glob("*.pcap*"):
    seed("capture", capture.read_bytes()[:4096])
snoop = b"btsnoop\0" + bytes.fromhex("00000001000003ea") + bytes(24)
seed("capture", snoop)
for link_type in (187, 201, 251, 256, 272):
    header = bytes.fromhex("d4c3b2a1020004000000000000000000000004") + bytes(1) + link_type.to_bytes(4, "little")
    packet = bytes(8) + bytes.fromhex("0d0000000d000000") + bytes.fromhex("000000010" + "43e0a0000000000")
    seed("capture", header + packet)
# Compressed, in one piece and in two, stored, and with something behind.
for level in (0, 9):
    seed("capture", gzip.compress(snoop, level, mtime=0))
seed("capture", gzip.compress(snoop[:20], mtime=0) + gzip.compress(snoop[20:], mtime=0) + bytes(9))
seed("capture", gzip.compress(snoop, mtime=0) + b"end")
for capture in (tests / "HCITests/Fixtures").glob("*.pcapng"):
    seed("capture", gzip.compress(capture.read_bytes()[:8000], mtime=0))
configuration = (tests.parent / "config.yaml").read_bytes()
seed("yaml", configuration[:4096])
seed("yaml", b'site: a\nnode: b\nradio: {adapter: "unix:/x"}\nregions:\n  r: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1}\n')
for text in (
    b'{"config":{"advertise":{"enabled":true,"uuid":"39ed98ff-2900-441a-802f-9c398fc199d2","major":100,"minor":7}}}',
    b'{"config":{"regions":{"r":{"uuid":"39ed98ff2900441a802f9c398fc199d2","exit_after":"5s"},"s":null}}}',
    b'{"a":[1,-2.5e3,"\\ud83d\\ude00\\n",null,true,{}]}',
):
    seed("json", text)
    seed("control", text)
