"""The five tuple of RoCEv2 packets, and hashes of it as switches compute them.

Addresses are 10.0.0.1 and on, in the order of the NICs. The destination port is 4791 and the protocol UDP, always: they
tell no flow from another. What a queue pair has of its own is the UDP source port, 14 bits made of the numbers of the
queue pairs at both ends as in Linux (`rdma_get_udp_sport` in include/rdma/ib_verbs.h); these numbers are drawn here.

A CRC is linear: a seed, which is what it begins with, changes the hashes of all packets of one length by the same bits.
So switches whose seeds differ still part flows in the same way where the number of ports is a power of two.
Sources: SAI, inc/saihash.h and saiswitch.h (CRC, seed 0 and offset 0 are the defaults of ECMP); CRC-32 of IEEE 802.3,
CRC-16-CCITT of ITU-T V.41; Dell, S4048-ON administrator guide, "Flow-based Hashing for ECMP", on polarization.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import NIC, Graph
from designer.routing.given import CRC16, CRC32, HASH_FIELDS, IDEAL_HASH, XOR

Words = NDArray[np.uint64]

PACKETS = (
    "packets have the addresses 10.0.0.1 and on, in the order of the NICs, UDP source ports that Linux makes of queue "
    "pair numbers drawn by the seed, destination port 4791 and protocol UDP"
)
FIRST_ADDRESS = 0x0A000001
ROCE_PORT, UDP = 4791, 17
LOWEST_SOURCE_PORT = 0xC000
BYTES_OF = dict(zip(HASH_FIELDS, (4, 4, 2, 2, 1), strict=True))


@dataclass(frozen=True, slots=True)
class Crc:
    """A cyclic redundancy check, the most significant bit first."""

    width: int
    polynomial: int

    def of(self, data: NDArray[np.uint8], begin: int = 0) -> Words:
        """(n,) the checks of rows of bytes, begun with a number."""
        return self._over(data, np.full(len(data), begin, dtype=np.uint64))

    def after_zeros(self, seeds: Words, n_bytes: int) -> Words:
        """What the check of any row of so many bytes that begins with these seeds differs by from one begun with 0."""
        return self._over(np.zeros((len(seeds), n_bytes), dtype=np.uint8), seeds & np.uint64(2**self.width - 1))

    def _over(self, data: NDArray[np.uint8], state: Words) -> Words:
        table, mask = self._table(), np.uint64(2**self.width - 1)
        top, byte = np.uint64(self.width - 8), np.uint64(8)
        for column in data.T:
            state = ((state << byte) & mask) ^ table[(state >> top) ^ column.astype(np.uint64)]
        return state

    def _table(self) -> Words:
        found = []
        for byte in range(256):
            state = byte << (self.width - 8)
            for _ in range(8):
                state = (state << 1) ^ (self.polynomial if state >> (self.width - 1) else 0)
                state &= 2**self.width - 1
            found.append(state)
        return np.array(found, dtype=np.uint64)


CRCS = {CRC32: Crc(32, 0x04C11DB7), CRC16: Crc(16, 0x1021)}
WIDTHS = {IDEAL_HASH: 64, CRC32: 32, CRC16: 16, XOR: 16}


def source_ports(drawn: Words) -> Words:
    """The UDP source ports of queue pairs whose numbers at both ends are taken of 48 random bits."""
    of_24 = np.uint64(2**24 - 1)
    label = (drawn & of_24) * ((drawn >> np.uint64(24)) & of_24)
    label ^= label >> np.uint64(20)
    label ^= label >> np.uint64(40)
    low, high = label & np.uint64(0x3FFF), label & np.uint64(0xFC000)
    return (low ^ (high >> np.uint64(14))) | np.uint64(LOWEST_SOURCE_PORT)


def addresses(graph: Graph, nic: NDArray[np.int32]) -> Words:
    """The IPv4 addresses of NICs; 0 where there is none."""
    nics = graph.vertices_of(NIC)
    return np.where(nic >= 0, nic.astype(np.int64) - nics.start + FIRST_ADDRESS, 0).astype(np.uint64)


def packed(values: dict[str, Words], fields: tuple[str, ...]) -> NDArray[np.uint8]:
    """(n, bytes) the fields as a switch strings them together, each with its most significant byte first."""
    columns = [
        (values[name] >> np.uint64(8 * (BYTES_OF[name] - 1 - byte))).astype(np.uint8)
        for name in HASH_FIELDS
        if name in fields
        for byte in range(BYTES_OF[name])
    ]
    return np.stack(columns, axis=1)


def folded(data: NDArray[np.uint8]) -> Words:
    """(n,) the exclusive or of all pairs of bytes."""
    padded = np.hstack((data, np.zeros((len(data), data.shape[1] % 2), dtype=np.uint8))).astype(np.uint64)
    high, low = padded[:, ::2], padded[:, 1::2]
    found: Words = np.bitwise_xor.reduce((high << np.uint64(8)) | low, axis=1)
    return found
