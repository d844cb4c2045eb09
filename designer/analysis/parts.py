"""Parts: links, cables, fibres, cages and transceivers, each counted apart."""

from dataclasses import dataclass

from designer.analysis.survey import Run, Survey
from designer.model.entities import End
from designer.model.hardware import MediumType, Port

OPTICAL = ("transceiver", "fiber")
"""Kinds of medium that put a transceiver in the cage and a fibre between."""

COPPER_MOST_GBPS = 1.0
"""Ports as slow as those of server controllers take a copper patch cable, like all with an RJ45 socket."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the links of a design are built of.

    `cables` are all pieces to pull: copper and active cables and fibres; `fibres` are those of them that join
    transceivers. A transceiver is counted once per used cage, however many links leave through it. Links without a
    medium (`links_without_medium`) count as if built with optics, one fibre a link; those of them between copper ports
    (`copper_without_medium`) as a copper patch cable each.
    """

    links: int
    cables: int
    fibres: int
    cages: int
    transceivers: int
    switch_transceivers: int
    server_transceivers: int
    links_without_medium: int
    copper_without_medium: int


def parts(surveyed: Survey) -> Parts:
    """Parts of all links whose two ports exist."""
    servers = {server.id for server in surveyed.servers}
    runs = [run for run in surveyed.runs if run.low_port is not None and run.high_port is not None]
    cages: set[tuple[str, int]] = set()
    optical_cages: set[tuple[str, int]] = set()
    fibres = without_medium = 0
    patched: set[str] = set()
    copper: list[str] = []
    media = _media(surveyed)
    for run in runs:
        medium = media[run.link.medium_id]
        ends = [_cage(run.low, run.low_port), _cage(run.high, run.high_port)]
        cages.update(ends)
        without_medium += medium is None
        if medium is None and _is_copper(run.low_port) and _is_copper(run.high_port):
            patched.add(run.link.id)
        elif not is_optical(medium):
            copper.append(run.link.id)
        else:
            optical_cages.update(ends)
            fibres += 1 if medium is None else max(1, medium.fibres // medium.links)
    cable_of = cable_ids(surveyed) if copper else {}
    pieces = len(patched) + len({cable_of[link_id] for link_id in copper})
    at_servers = sum(device_id in servers for device_id, _ in optical_cages)
    return Parts(
        links=len(runs),
        cables=pieces + fibres,
        fibres=fibres,
        cages=len(cages),
        transceivers=len(optical_cages),
        switch_transceivers=len(optical_cages) - at_servers,
        server_transceivers=at_servers,
        links_without_medium=without_medium,
        copper_without_medium=len(patched),
    )


def medium_of(surveyed: Survey, run: Run) -> MediumType | None:
    """The cable or optic chosen for a link; None where none is."""
    medium = surveyed.design.types.get(run.link.medium_id)
    return medium if isinstance(medium, MediumType) else None


def _media(surveyed: Survey) -> dict[str, MediumType | None]:
    """The medium of each id that a link names."""
    types = surveyed.design.types
    named = {run.link.medium_id: types.get(run.link.medium_id) for run in surveyed.runs}
    return {one: medium if isinstance(medium, MediumType) else None for one, medium in named.items()}


def _is_copper(port: Port | None) -> bool:
    return port is not None and (port.form_factor == "RJ45" or port.rate_gbps <= COPPER_MOST_GBPS)


def is_optical(medium: MediumType | None) -> bool:
    """Transceivers and a fibre; also what a link without a medium is taken to be."""
    return medium is None or medium.kind in OPTICAL


def cable_ids(surveyed: Survey) -> dict[str, str]:
    """For each link's id the cable it runs in, named by the id of the first link in it.

    A twin-port cable carries the links of one cage to one cage; a splitter those of its wide end. A fibre, or a link
    whose medium is not chosen, is a piece of its own.
    """
    found: dict[str, str] = {}
    open_pieces: dict[object, tuple[str, int]] = {}
    media = _media(surveyed)
    for run in surveyed.runs:
        medium = media[run.link.medium_id]
        if medium is None or is_optical(medium) or medium.links < 2:
            found[run.link.id] = run.link.id
            continue
        key = (medium.id, *_piece_ends(run, medium))
        first, room = open_pieces.get(key, (run.link.id, medium.links))
        found[run.link.id] = first
        if room > 1:
            open_pieces[key] = (first, room - 1)
        else:
            open_pieces.pop(key, None)
    return found


def _piece_ends(run: Run, medium: MediumType) -> tuple[tuple[str, int], ...]:
    low, high = _cage(run.low, run.low_port), _cage(run.high, run.high_port)
    if "splitter" not in medium.kind:
        return low, high
    low_is_wide = _lanes(run.low_port) > _lanes(run.high_port)
    return (low,) if low_is_wide else (high,)


def _lanes(port: Port | None) -> int:
    return port.ports_per_cage if port is not None else 0


def _cage(end: End, port: Port | None) -> tuple[str, int]:
    return end.device_id, port.cage if port is not None else 0
