"""How devices and links look on the canvas, by color, label and line: the words that a design remembers."""

from designer.fields.field import Word

KIND, NETWORK, STATUS, OWN, FREE = "kind", "network", "status", "own", "free"
DIRECTION = "direction"
PORT_NUMBERS = "port-numbers"

_BOTH = (
    Word("rail", "Rail", "The rail that it is part of"),
    Word("plane", "Plane", "The plane that it is part of"),
    Word("unit", "Scalable unit or pod", "The scalable unit or pod that it is part of"),
    Word("speed", "Speed", "The rate of its fastest port, of a link its own"),
    Word("tag", "Tag", "The first of its tags"),
)

DEVICE_KEYS: tuple[Word, ...] = (
    Word(KIND, "Kind", "Servers, leaf switches, spines and cores, as without a choice"),
    Word("role", "Tier and role", "The role, as leaf, spine or storage"),
    Word(NETWORK, "Network", "Compute, storage, in-band or out-of-band management"),
    *_BOTH,
    Word("type", "Type", "The model"),
    Word(FREE, "Free ports", "How many of its ports are free and not reserved"),
    Word(STATUS, "Status", "Failed, with errors, with warnings, or without findings"),
    Word(OWN, "Own color", "The color that each was given"),
)
"""Those of devices, the default first."""

LINK_KEYS: tuple[Word, ...] = (
    Word(NETWORK, "Network", "Compute, storage, in-band or out-of-band management, as without a choice"),
    Word("tier", "Tier", "The roles that it joins, as leaf to spine"),
    Word(DIRECTION, "Dimension or group", "The dimension of a torus or HyperX; within or between groups of routers"),
    *_BOTH,
    Word("cable", "Cable type", "The medium"),
    Word("length", "Length", "The length of the cable"),
    Word(STATUS, "Status", "Failed, with errors, with warnings, or without findings"),
    Word(OWN, "Own color", "The color of its jacket"),
)
"""Those of links, the default first."""

DEVICE_LABELS: tuple[Word, ...] = (
    Word("name", "Name", "The name of the device"),
    Word("type", "Type", "The model"),
    Word("unit", "Rack Unit", "The rack and the unit that it stands in"),
    Word("ports", "Ports Used", "How many of its ports are used, of how many"),
    Word("tags", "Tags", "Its tags"),
    Word(PORT_NUMBERS, "Port Numbers", "The numbers of cages and ports that are near enough"),
)
"""What can be written in the box of a device."""

COUNT, CABLE, LENGTH, OWN_LABEL = "count", "cable", "length", "label"

LINK_LABELS: tuple[Word, ...] = (
    Word(COUNT, "Count and Speed", "How many links a line stands for, and their rate"),
    Word(CABLE, "Cable Type", "The kind of cable or optics"),
    Word(LENGTH, "Length", "The length of the cable"),
    Word(OWN_LABEL, "Own Label", "The label that each cable was given"),
)
"""What can be written on the line of links."""

AUTOMATIC, STRAIGHT, RIGHT_ANGLES = "automatic", "straight", "orthogonal"

LINK_LINES: tuple[Word, ...] = (
    Word(AUTOMATIC, "Automatic", "Straight, and round devices that stand in the way"),
    Word(STRAIGHT, "Straight", "From device to device, whatever stands between"),
    Word(RIGHT_ANGLES, "Orthogonal", "At right angles, round devices in their way"),
)
"""How links run, the default first."""
