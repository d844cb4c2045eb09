"""Server models and their scale-up domains."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from designer.model.hardware.modules import Slot
from designer.model.hardware.ports import STORAGE_PURPOSE
from designer.units import parse_size

MOST_GPUS_IN_A_CHASSIS = 16
# More than in any one chassis of the catalog: a system of more is a rack of trays.

SERVER, HOST, NODE = "server", "host", "node"


@dataclass(frozen=True, slots=True)
class ScaleUp:
    """The scale-up domain of a server: every GPU joined to one crossbar (NVLink + NVSwitch), or to every other GPU.

    GPUs are joined pairwise, as Gaudi's and MI300X's are, where `gbytes_per_s_per_pair` is given.
    """

    name: str
    gbytes_per_s_per_gpu: float
    """One direction: half of the bidirectional sum that data sheets print."""
    latency_ns: float | None = None
    gbytes_per_s_per_pair: float | None = None
    """What the links between two GPUs carry, one direction."""


@dataclass(frozen=True, slots=True)
class ServerType:
    """A server model with GPUs (or one endpoint, for the generic host), or without any, and NIC slots."""

    id: str
    vendor: str
    model: str
    gpus: int
    gpu_model: str = ""
    slots: tuple[Slot, ...] = ()
    scale_up: ScaleUp | None = None
    rack_units: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    depth_mm: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    trays: int = 1
    """Compute trays of a rack that is one scale-up domain; rails count the NICs of one of them."""
    airflow: str = ""
    """One of AIRFLOWS."""
    part_number: str = ""

    @property
    def fills_rack(self) -> bool:
        """Whether it is a rack by itself, with shelves for its power, as NVL72 and Helios are."""
        return self.trays > 1 or self.gpus > MOST_GPUS_IN_A_CHASSIS

    @property
    def is_host(self) -> bool:
        """Whether it is the generic host: one endpoint of collectives, of which no GPUs are stated."""
        return self.id.startswith("generic-host")

    @property
    def word(self) -> str:
        """What one is called: "host" for the generic host, "node" for the generic one without GPUs, else "server"."""
        return HOST if self.is_host else NODE if self.id.startswith("generic-node") else SERVER

    @property
    def stated_gpus(self) -> int:
        """GPUs that it is known to have: none of the generic host, whose endpoint may stand for any number."""
        return 0 if self.is_host else self.gpus

    @property
    def is_storage(self) -> bool:
        """Whether it is a storage server: no GPU, and slots for the storage network."""
        return not self.gpus and any(STORAGE_PURPOSE in slot.purposes for slot in self.slots)

    @property
    def gpu_memory_bytes(self) -> int | None:
        """The memory in the name of the GPU's model, 80e9 for "H100 80 GB"; None where the name has none."""
        found = re.search(r"[0-9]+(\.[0-9]+)? ?GB\b", self.gpu_model)
        return parse_size(found[0]) if found is not None else None


def word_for_servers(types: Iterable[object]) -> str:
    """What servers of these types are called together: "node" for hosts with nodes, else the word that all share.

    What is no type of a server does not count; "server" where nothing else fits.
    """
    words = {one.word for one in types if isinstance(one, ServerType)}
    return words.pop() if len(words) == 1 else NODE if words == {HOST, NODE} else SERVER
