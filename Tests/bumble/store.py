#!/usr/bin/env python3
"""A store made of Google's Bumble: a controller for beacond on a socket, and a device beside it that beacond did not write.

    store.py ADDRESS [--commands claimed|unclaimed] [--beacon UUID MAJOR MINOR POWER]

ADDRESS is `unix:PATH` or `tcp:HOST:PORT`, on which the controller is beacond's to use. Both are on one Bumble LocalLink,
its air. The device scans all the time, and with --beacon it advertises an iBeacon too, with an extended advertising set:
legacy non-connectable adverts never leave a Bumble controller.

Bumble 0.0.236 has extended advertising and scanning but does not say so in Read Local Supported Commands. With
`--commands claimed` it does, as a controller with these commands must; with `unclaimed` it is as it comes.

On standard output, a JSON object in each line:

    {"event": "listening", "address": ...}
    {"event": "answer", "command": NAME, "status": NUMBER}       what the controller answered beacond
    {"event": "heard", "address": ..., "data": HEX}              what the device heard, each time

SIGTERM ends it.
"""
import argparse
import asyncio
import json
import signal
import uuid

from bumble import hci
from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import AdvertisingEventProperties, AdvertisingParameters, Device
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

# What the class implements and does not claim.
UNCLAIMED = {
    hci.HCI_LE_SET_ADVERTISING_SET_RANDOM_ADDRESS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_ADVERTISING_PARAMETERS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_ADVERTISING_DATA_COMMAND,
    hci.HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND,
    hci.HCI_LE_REMOVE_ADVERTISING_SET_COMMAND,
    hci.HCI_LE_CLEAR_ADVERTISING_SETS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_SCAN_PARAMETERS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_SCAN_ENABLE_COMMAND,
}


def say(**fields):
    print(json.dumps(fields), flush=True)


class ToldController(Controller):
    """Tells what it answers."""

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_Command_Complete_Event):
            status = getattr(packet.return_parameters, "status", 0)
            say(event="answer", command=hci.HCI_Command.command_name(packet.command_opcode), status=int(status))
        elif isinstance(packet, hci.HCI_Command_Status_Event):
            say(event="answer", command=hci.HCI_Command.command_name(packet.command_opcode), status=int(packet.status))
        super().send_hci_packet(packet)


def ibeacon(identity, major, minor, power):
    """The data of an iBeacon: flags, and Apple's manufacturer data of type 2."""
    data = bytes([0x02, 0x15]) + identity.bytes + major.to_bytes(2, "big") + minor.to_bytes(2, "big")
    data += power.to_bytes(1, "big", signed=True)
    return bytes(
        AdvertisingData(
            [
                (AdvertisingData.FLAGS, bytes([0x06])),
                (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, (0x004C).to_bytes(2, "little") + data),
            ]
        )
    )


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--commands", choices=["claimed", "unclaimed"], default="claimed")
    parser.add_argument("--beacon", nargs=4, metavar=("UUID", "MAJOR", "MINOR", "POWER"))
    options = parser.parse_args()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)

    air = LocalLink()
    # The device first: it is to hear the very first advert.
    own = Controller("device", link=air, public_address="F0:F1:F2:F3:F4:F5")
    device = Device(
        name="device", address=hci.Address("C0:DE:00:00:00:01"), host=Host(own, AsyncPipeSink(own))
    )
    device.on(
        "advertisement",
        lambda advert: say(event="heard", address=advert.address.to_string(False), data=advert.data_bytes.hex()),
    )
    await device.power_on()
    await device.start_scanning(active=False, filter_duplicates=False)
    if options.beacon:
        identity, major, minor, power = options.beacon
        await device.create_advertising_set(
            advertising_parameters=AdvertisingParameters(
                advertising_event_properties=AdvertisingEventProperties(is_connectable=False),
                primary_advertising_interval_min=100,
                primary_advertising_interval_max=100,
            ),
            random_address=device.random_address,
            advertising_data=ibeacon(uuid.UUID(identity), int(major), int(minor), int(power)),
        )

    kind, place = options.address.split(":", 1)
    async with await open_transport(f"{kind}-server:{place}") as transport:
        controller = ToldController(
            "beacond", host_source=transport.source, host_sink=transport.sink, link=air,
            public_address="F6:F7:F8:F9:FA:FB",
        )
        if options.commands == "claimed":
            controller.supported_commands = Controller.supported_commands | UNCLAIMED
        say(event="listening", address=options.address)
        await ended.wait()


asyncio.run(main())
