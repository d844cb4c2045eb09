"""Words that the program itself writes into cells, in other languages. Names and notes of people stay as they are."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from designer.exchange.plans.headings import GERMAN
from designer.placement.rack_contents import PORT_SIDE_OPEN
from designer.tables.columns import Columns

T = TypeVar("T")

UNKNOWN, ALL_CABLES = "unknown", "All cables"

WORDS: Mapping[str, Mapping[str, str]] = {
    GERMAN: {
        ALL_CABLES: "Alle Kabel",
        "assumed form factor": "angenommene Bauform",
        "assumed length": "angenommene Länge",
        "cable": "Kabel",
        "changes": "Änderungen",
        "compute": "Compute",
        "core": "Core",
        "device": "Gerät",
        "device renamed": "Gerät umbenannt",
        "free": "frei",
        "global": "global",
        "in-band": "In-Band",
        "its length is known now": "Länge ist jetzt bekannt",
        "leaf": "Leaf",
        "length": "Länge",
        "local": "lokal",
        "management": "Management",
        "MM fiber": "MM-Faser",
        "SM fiber": "SM-Faser",
        "fiber": "Faser",
        "move": "umstecken",
        "new in the plan": "neu im Plan",
        "no cable": "kein Kabel",
        "no cable number": "keine Kabelnummer",
        "no length": "keine Länge",
        "no part number": "keine Teilenummer",
        "no transceiver": "kein Transceiver",
        "no cable has to be touched": "kein Kabel ist anzufassen",
        "no reserve": "keine Reserve",
        "none": "keine",
        "not in the new plan": "nicht im neuen Plan",
        "oob": "Out-of-Band",
        "other color": "andere Farbe",
        "other device": "anderes Gerät",
        "other label": "andere Beschriftung",
        "other medium": "anderes Medium",
        "other number of connectors": "andere Anzahl Stecker",
        "other part": "anderes Teil",
        "other port": "anderer Port",
        "other stock length": "andere Lagerlänge",
        "other transceiver": "anderer Transceiver",
        "planned": "geplant",
        "port side": "Portseite",
        "pull": "ziehen",
        "rack": "Schrank",
        "rack renamed": "Schrank umbenannt",
        "relabel": "neu beschriften",
        "remove": "entfernen",
        "reserved": "reserviert",
        PORT_SIDE_OPEN: "nicht entschieden, ob die Ports vorn oder hinten am Schrank sind",
        "routed": "verlegt",
        "router": "Router",
        "rule": "angenommen",
        "server": "Server",
        "spine": "Spine",
        "storage": "Storage",
        "swap": "tauschen",
        "switch": "Switch",
        "torus": "Torus",
        "optical": "optisch",
        "typed": "eingegeben",
        UNKNOWN: "unbekannt",
        "used": "belegt",
        "A and Z": "A und Z",
        "In-band management": "In-Band-Management",
        "Out-of-band management": "Out-of-Band-Management",
        "every link has its length, its cable and its part numbers": "jede Verbindung hat Länge, Kabel, Teilenummern",
    },
}
"""By language, what a word of the program is called in a cell. What a language lacks stays English."""

SPOKEN = frozenset(
    (
        *("status", "network", "a_role", "z_role", "length_source", "tier", "medium", "before_medium", "after_medium"),
        *("action", "ends", "what", "reason", "from"),
    )
)
"""Columns of such words, by key."""

_PARTS = re.compile(r"(; |, |: )")


def cell_word(text: str, language: str) -> str:
    """A text of such words, alone or several with signs between, in a language."""
    words = WORDS.get(language)
    if not words or not text:
        return text
    if text in words:
        return words[text]
    return "".join(words.get(part) or _tier(part, words) for part in _PARTS.split(text))


def _tier(text: str, words: Mapping[str, str]) -> str:
    """ "Server-Leaf" of "server-leaf"; a text that is not made of known words stays."""
    parts = [words.get(part) for part in text.split("-")]
    return "-".join(part for part in parts if part) if all(parts) else text


def in_language(columns: Columns, rows: Sequence[Sequence[T]], language: str) -> Sequence[Sequence[T | str]]:
    """The rows with the words of the program in a language; the very rows where it has none."""
    places = [place for place, column in enumerate(columns) if column.key in SPOKEN]
    if language not in WORDS or not places:
        return rows
    found = []
    for row in rows:
        cells: list[T | str] = list(row)
        for place in places:
            if place < len(cells) and isinstance(text := cells[place], str):
                cells[place] = cell_word(text, language)
        found.append(tuple(cells))
    return found
