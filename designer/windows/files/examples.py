"""The example designs, what they show, and folders as lists show them."""

from pathlib import Path

from designer.paths import resources_dir

SENTENCES = {
    "superpod-h100-4su": "NVIDIA's reference design: 127 DGX H100 in four scalable units, in racks, with every cable.",
    "fat-tree-16-2to1": "16 servers at 2:1 oversubscription that two jobs share: run them together to see who waits.",
    "faults": "Deliberate mistakes of many kinds: see how findings name them, and apply the fixes.",
}
"""What each example is for, by the name of its file."""


def example_files() -> list[Path]:
    """The example designs beside the program's resources, in name order."""
    for folder in (resources_dir() / "examples", resources_dir().parent / "examples"):
        if folder.is_dir():
            return sorted(path.resolve() for path in folder.glob("*.fabric"))
    return []


def picture_of(example: Path, theme: str) -> Path:
    """Where the small picture of an example is, for the theme "light" or "dark"; docs/make_pictures.py makes it."""
    return example.with_name(f"{example.stem}-{theme}.png")


def short_folder(folder: Path) -> str:
    """A folder as lists show it: ~/pods."""
    home = Path.home()
    return str("~" / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
