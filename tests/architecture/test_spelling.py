"""Prose is spelled one way, the American one; names in code and in files keep what they are called."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHERWISE = re.compile(
    r"(?<![\w./{<\[=|-])[a-z]*(?:neighbour|fibre|colour|(?:milli|centi|kilo|micro)?metre)[a-z]*(?![\w/}=(\]|]|\.[a-z])",
    re.IGNORECASE,
)
NAMES = re.compile(r"`[^`]*`|binomial-tree, neighbours|\{[^{}]*\}|'\w+'|, colour: must")
"""Code, figures and fields that a sentence names as they are written."""
KEY = re.compile(r"^[\s-]*\w+:")
"""What a value of a YAML file is called."""
ALIASES = frozenset(("designer/exchange/reading/headings.py",))
"""Headings of strangers' tables, in any spelling."""


def misspelled(text: str) -> list[str]:
    """Words of prose that are spelled otherwise."""
    return OTHERWISE.findall(NAMES.sub("", text))


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with comments and texts of more than one word."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        text = token.string.strip("\"'rbf")
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in text.strip()):
            yield token.start[0], text


@pytest.mark.parametrize("folder", sorted(one.name for one in (ROOT / "designer").iterdir() if one.is_dir()))
def test_comments_and_texts_are_spelled_the_american_way(folder):
    found = [
        f"{path.relative_to(ROOT)}:{line} {word}"
        for path in sorted((ROOT / "designer" / folder).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in ALIASES
        for line, text in prose_of(path)
        for word in misspelled(text)
    ]
    assert not found


@pytest.mark.parametrize(
    "page",
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] + [f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md"))],
)
def test_pages_are_spelled_the_american_way(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not misspelled(text)


@pytest.mark.parametrize("path", sorted((ROOT / "resources").rglob("*.yaml")), ids=lambda path: path.stem)
def test_notes_of_facts_are_spelled_the_american_way(path):
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    found = [f"{path.name}:{number} {one}" for number, line in lines for one in misspelled(KEY.sub("", line))]
    assert not found


def test_only_prose_counts():
    assert misspelled("links over fibre, 3 metres long") == ["fibre", "metres"]
    assert not misspelled("field `colour` of {self.colour}, no option 'colour', link.colour, a fiber of 3 meters")
