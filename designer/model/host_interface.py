"""What host interfaces carry: PCI Express by generation and lanes."""

import re

LANE_GBPS = {3: 8 * 128 / 130, 4: 16 * 128 / 130, 5: 32 * 128 / 130, 6: 64 * 242 / 256, 7: 128 * 242 / 256}
"""One direction of a PCIe lane, by generation: transfers per second times the share that is not coding."""
_INTERFACE = re.compile(r"PCIe (?:Gen ?)?(\d)(?:\.0)? x(\d+)")
_MORE_LANES = re.compile(r"with x(\d+) extension")
_ALL_LANES = re.compile(r"(\d+) lanes")


def interface_gbps(text: str) -> float | None:
    """What a host interface such as "PCIe Gen5 x16" carries in one direction; None for one that is not understood."""
    found = _INTERFACE.match(text)
    if found is None or int(found[1]) not in LANE_GBPS:
        return None
    more, every = _MORE_LANES.search(text), _ALL_LANES.search(text)
    lanes = int(every[1]) if every else int(found[2]) + (int(more[1]) if more else 0)
    return lanes * LANE_GBPS[int(found[1])]
