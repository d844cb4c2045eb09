"""Kinds of parts on a bill: the words that options, files and sentences have for them."""

from collections.abc import Mapping

SERVER, SWITCH, LINE_CARD, NIC = "server", "switch", "line-card", "nic"
CIRCUIT_SWITCH, CIRCUIT_FIBRE, FAN_OUT = "circuit-switch", "circuit-fiber", "fan-out"
TRANSCEIVER, CABLE_KIND, SPLITTER, FIBRE_KIND, RACK = "transceiver", "cable", "splitter", "fiber", "rack"
INSIDE_RACK = "inside-rack"
KINDS: Mapping[str, str] = {
    SERVER: "Server",
    SWITCH: "Switch",
    CIRCUIT_SWITCH: "Optical circuit switch",
    LINE_CARD: "Line card",
    NIC: "NIC",
    TRANSCEIVER: "Transceiver",
    CABLE_KIND: "Cable",
    SPLITTER: "Splitter cable",
    FIBRE_KIND: "Fiber cable",
    CIRCUIT_FIBRE: "Fiber behind a circuit switch",
    FAN_OUT: "Optical fan-out",
    RACK: "Rack",
    INSIDE_RACK: "Link inside a rack or node",
}
"""Kinds of items in the order of a bill, with the words for them."""
ORDERED = tuple(kind for kind in KINDS if kind != INSIDE_RACK)
"""Those that are bought as parts; what is inside a rack or node comes with it."""
CABLES = (CABLE_KIND, SPLITTER, FIBRE_KIND, CIRCUIT_FIBRE)
"""What people call cables, each of which a bill has a kind of its own for."""
SPELLINGS: Mapping[str, str] = {"fibre": FIBRE_KIND, "circuit-fibre": CIRCUIT_FIBRE}
"""What kinds are written as too: options of earlier files and scripts."""
