"""What a scenario gives to routing: what switches and hosts are set to, and forwarding tables. Needs no numpy.

By what flows are hashed, and where they go in pieces, how these are placed; or tables as a subnet manager set them.
"""

from dataclasses import dataclass
from pathlib import PurePath

from designer.errors import ParameterError
from designer.fields.field import Word
from designer.fields.kinds import Kind
from designer.units import format_count, shortened

RANDOM, ROUND_ROBIN, LEAST_LOADED = "random", "round-robin", "least-loaded"

HASH_FIELDS = ("src-ip", "dst-ip", "src-port", "dst-port", "protocol")
"""The five tuple, in the order in which it is hashed."""
IDEAL_HASH, CRC32, CRC16, XOR = "ideal", "crc32", "crc16", "xor"
PER_SWITCH, SAME, TIER_OFFSET = "per-switch", "same", "tier-offset"


def _fields_of_packets(text: str) -> tuple[str, ...]:
    """The fields in the order in which they are hashed. Raises ParameterError for a word that is none."""
    named = {part.strip().lower() for part in text.split(",") if part.strip()}
    unknown = sorted(named - set(HASH_FIELDS))
    if unknown:
        raise ParameterError(f"there is no field {shortened(unknown[0])!r} to hash; there is {', '.join(HASH_FIELDS)}")
    found = tuple(name for name in HASH_FIELDS if name in named)
    return () if found == HASH_FIELDS else found


FIELDS_OF_PACKETS = Kind(
    "fields of packets",
    "FIELD,...",
    _fields_of_packets,
    ",".join,
    lambda value: value in HASH_FIELDS,
    f"of {', '.join(HASH_FIELDS)}",
    has_parts=True,
)
"""Those that switches hash; none stands for all."""

PORT_CHOICES = (
    Word(
        "random", "at random", "Any of the equal-cost ports with the same probability, as LetFlow and entropy values."
    ),
    Word(ROUND_ROBIN, "in turn", "One equal-cost port after the other."),
    Word(
        "least-loaded", "least loaded", "The equal-cost port of the switch that has least on it, as adaptive routing."
    ),
)
"""How a switch chooses a port for each flowlet or packet, as the kernels number it."""

HASH_FUNCTIONS = (
    Word(IDEAL_HASH, "ideal", "Bits that have nothing in common for flows that differ in anything."),
    Word(CRC32, "CRC-32", "The check sum of IEEE 802.3: another seed changes the hashes of all flows alike."),
    Word(CRC16, "CRC-16", "The check sum CRC-16-CCITT: another seed changes the hashes of all flows alike."),
    Word(XOR, "exclusive or", "The exclusive or of all pairs of bytes."),
)
"""What switches hash flows with."""
HASH_SEEDS = (
    Word(PER_SWITCH, "one per switch", "Every switch hashes with a seed of its own."),
    Word(SAME, "the same", "All switches hash alike: what one tier put together, the next does not part."),
    Word(TIER_OFFSET, "the same, offset by tier", "All switches hash alike, and each tier takes other bits of it."),
)
"""What makes switches hash differently."""

BY_ROUTING, SPLIT, TURNS, HASH = "routing", "split", "turns", "hash"
BY_RECEIVER = "receiver"
"""What routings by forwarding tables do: a receiver's NICs by channel and receiver in turn."""
PLANES = (
    Word(BY_ROUTING, "as the routing", "Split by routings that split flows; else by destination in turn, or by hash."),
    Word(SPLIT, "split evenly", "Every message is shared evenly over the planes in service."),
    Word(TURNS, "one per message, in turn", "Every message takes one plane, by sender, channel and receiver in turn."),
    Word(HASH, "one per message, by hash", "Every message takes the plane that a hash of its ends picks."),
)
"""Over which planes GPUs with several NICs send a message."""

FLOWLET_BYTES = 2.0**19
"""What NCCL hands to a NIC at a time, an eighth of its buffer of 4 MiB: a sender may pause after it."""
PACKET_BYTES = 4096.0
"""The largest payload of a packet in RoCEv2 and InfiniBand: an MTU of 4,096 bytes."""


@dataclass(frozen=True, slots=True)
class Switching:
    """Settings of the switches and hosts of a network; policies look at those that mean something to them."""

    queue_pairs: int = 1
    """Of each connection; policies that hash do so for each of them."""
    hash_fields: tuple[str, ...] = ()
    """Those of HASH_FIELDS that are hashed; none for all."""
    hash_function: str = IDEAL_HASH
    hash_seeds: str = PER_SWITCH
    flowlet_bytes: float = FLOWLET_BYTES
    packet_bytes: float = PACKET_BYTES
    port_choice: str = RANDOM
    """How a switch chooses the port of each flowlet or packet, one of PORT_CHOICES."""
    planes: str = BY_ROUTING
    """One of PLANES."""

    @property
    def hashes_ideally(self) -> bool:
        """Whether flows are hashed by who sends to whom, without the fields that packets have."""
        return (self.hash_fields, self.hash_function, self.hash_seeds) == ((), IDEAL_HASH, PER_SWITCH)

    @property
    def choice_number(self) -> int:
        """The number of the port choice."""
        return [word.name for word in PORT_CHOICES].index(self.port_choice)


ITSELF, NO_PORT = 0, 255
"""Port numbers: of a switch's own LID, and of a LID that the switch has no entry for (InfiniBand specification)."""


@dataclass(frozen=True, slots=True)
class Owner:
    """What has a LID: a port of an adapter, or a switch."""

    node: str
    """The node's description: "leaf-01", "gpu-001 mlx5_0"."""
    guid: str
    is_switch: bool


@dataclass(frozen=True, slots=True, eq=False)
class ForwardingTables:
    """Out-ports by switch and LID. `name` is what reports call them: that of the file."""

    name: str
    switches: tuple[str, ...]
    """Descriptions, in the order of the rows."""
    lids: tuple[int, ...]
    """Ascending."""
    owners: tuple[Owner, ...]
    """Whose each LID is."""
    ports: tuple[bytes, ...]
    """By switch, for each LID a byte: ITSELF, a port from 1, or NO_PORT."""
    file: str = ""
    """Where they were read, for as long as the program runs: no file of ours names it."""

    @property
    def place(self) -> str:
        """The name with its folder: all dumps of OpenSM have one name, so that the folder tells them apart."""
        folder = PurePath(self.file).parent.name
        return f"{folder}/{self.name}" if folder else self.name

    @property
    def summary(self) -> str:
        """ "ftree/opensm-lfts.dump: 48 switches, 1,064 LIDs"."""
        return f"{self.place}: {format_count(len(self.switches))} switches, {format_count(len(self.lids))} LIDs"
