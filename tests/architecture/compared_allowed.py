"""Differences that are wanted, each with its reason: sentences that became clearer, bugs that were fixed."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compared_files import Difference, same_line


@dataclass(frozen=True, slots=True)
class Allowed:
    """Of commands and files of these names (* stands for anything), texts that become `after` where `before` matched.

    `before` is a regular expression, and `after` what stands in its place, as in re.sub. Without `before`, whatever
    differs in these commands and files is wanted.
    """

    reason: str
    commands: str = "*"
    files: str = "*"
    before: str = ""
    after: str = ""

    def concerns(self, difference: Difference) -> bool:
        return fnmatch.fnmatchcase(difference.command, self.commands) and fnmatch.fnmatchcase(
            difference.file, self.files
        )

    def matches(self, difference: Difference) -> bool:
        """Whether this allowance has to do with the difference."""
        return self.concerns(difference) and re.search(self.before, _one_line(difference.before)) is not None


@dataclass(frozen=True, slots=True)
class Allowances:
    rows: tuple[Allowed, ...]

    def reason(self, difference: Difference) -> str | None:
        """The reasons of the rows that together make one text of the other; None where a difference remains.

        Blanks and ends of lines do not count there: a longer word moves what follows it.
        """
        reasons, text = [], _one_line(difference.before)
        for row in self.rows:
            if not row.concerns(difference):
                continue
            if not row.before:
                return row.reason
            changed = re.sub(row.before, row.after, text)
            if changed != text:
                reasons.append(row.reason)
                text = changed
        return "; ".join(reasons) if reasons and same_line(text, _one_line(difference.after)) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())


ALLOWED = Allowances(
    (
        Allowed("families that were not there before", commands="new-*"),
        Allowed("lists the new families", commands="help-generate", files="stdout"),
        Allowed(
            "--version lists plug-ins too",
            commands="help",
            before=r"Show the version and commit\.",
            after="Show the version, the commit and the plug-ins.",
        ),
        Allowed(
            "a range is said in the same words wherever it is not kept",
            commands="no-efficiency",
            before=r"'7' is neither auto nor a number above 0 and up to 1",
            after="the efficiency should be above 0 and at most 1, not 7",
        ),
        Allowed(
            "what draws the screen draws the diagram, things, colors and places the same: plates of counts are 0.3 "
            "units lower, those of titles opaque and as wide as the text, dots of the grid as large as on a screen",
            commands="svg*",
            files="*.svg",
        ),
        Allowed(
            "a PDF is the page of the SVG: it has type lines, port counts and names however small the page",
            commands="pdf*",
            files="*.pdf",
        ),
    )
)
"""Differences to the last commit before the program was restructured."""


def unused(found: Iterable[Difference]) -> Iterator[Allowed]:
    """Rows that no difference needs."""
    differences = list(found)
    return (row for row in ALLOWED.rows if not any(row.matches(difference) for difference in differences))
