"""Other cables for links: the simplest that joins their cages and reaches, of what comes with the program."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import PICKED, Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.placement.media import Choices, choices, known_lengths_m, reach_of
from designer.units import format_counted


class Recabling:
    """The cables that the links of a design could have, looked up for all of them once."""

    def __init__(self, design: Design, types: Mapping[str, HardwareType]) -> None:
        self._design = design
        self._links = ordered(design.links)
        self._number = {link.id: number for number, link in enumerate(self._links)}
        self._made: Choices = choices(design, self._links, known_lengths_m(self._links), types)

    def why_none(self, link: Link) -> str:
        """Why no cable of the catalog joins a link; "" where one does."""
        number = self._number[link.id]
        return "" if self._made.of_link(number) is not None else self._made.why_none(number)[0]

    def is_known(self, link: Link) -> bool:
        """Whether the catalog says enough to select a cable for a link that has a length, or that there is none."""
        return self._made.is_reach_known(self._number[link.id])

    def kind_of(self, link: Link) -> int:
        """The kind of the cages that a link and those in its cages join: links of one kind can have the same cable."""
        bunch = int(self._made.bunches.of_link[self._number[link.id]])
        return int(self._made.bunches.kind[bunch]) if bunch >= 0 else -1

    def cage_words(self, link: Link) -> str:
        """ "OSFP 2x400G to QSFP112 400G": the cages that a link and those in its cages join; both ports must exist."""
        return self._made.bunches.examples[self.kind_of(link)].cage_words

    def chosen(self, links: Iterable[Link]) -> Edit | None:
        """That cable for links and all that share their cages; None where there is none, or they have it already."""
        made, changes, new = self._made, list[Change](), dict[str, MediumType]()
        for bunch in dict.fromkeys(int(made.bunches.of_link[self._number[link.id]]) for link in links):
            medium = made.media[made.medium[bunch]] if bunch >= 0 and made.medium[bunch] >= 0 else None
            if medium is None:
                continue
            changed = _over(medium, (self._links[one] for one in self._members[bunch]))
            changes += changed
            if changed:
                new[medium.id] = medium
        what = ", ".join(one.model for one in new.values())
        missing = [one for one in new.values() if one.id not in self._design.types]
        label = f"Select {what} for {format_counted(len(changes), 'link')}"
        return Edit(label, (*added(missing), *changes)) if changes else None

    def lengthened(self, link: Link, longer: Link) -> Edit | None:
        """The link with its new length over the simplest cable that reaches as far, as all links that share its cages.

        None where no cable of the catalog does.
        """
        length_m = longer.length_m or 0.0
        number = self._number[link.id]
        bunch = int(self._made.bunches.of_link[number])
        mates = [self._links[one] for one in self._members[bunch] if one != number] if bunch >= 0 else []
        medium = self._made.simplest(number, max(length_m, *(one.length_m or 0.0 for one in mates), 0.0))
        if medium is None:
            return None
        own = Change(link, replace(longer, medium_id=medium.id, medium_source=PICKED))
        new = [medium] if medium.id not in self._design.types else []
        label = f"Make the cable {length_m:g} m long and select {medium.model}"
        return Edit(label, (*added(new), own, *_over(medium, mates)))

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        """The links of each bunch, by number."""
        found: dict[int, list[int]] = {}
        for number, bunch in enumerate(self._made.bunches.of_link.tolist()):
            found.setdefault(bunch, []).append(number)
        return found


def _over(medium: MediumType, links: Iterable[Link]) -> list[Change]:
    """The changes of links to this medium; none for a link that has it already."""
    return [
        Change(one, replace(one, medium_id=medium.id, medium_source=PICKED))
        for one in links
        if one.medium_id != medium.id
    ]


def reaches(medium: HardwareType | None, length_m: float) -> bool:
    """Whether a link may be that long, as far as is known: also over a cable of unknown reach, and without any."""
    reach_m = reach_of(medium) if isinstance(medium, MediumType) else None
    return reach_m is None or length_m <= reach_m
