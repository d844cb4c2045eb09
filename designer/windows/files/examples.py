"""The example designs, and folders as lists show them."""

from pathlib import Path

from designer.paths import resources_dir


def example_files() -> list[Path]:
    """The example designs beside the program's resources, in name order."""
    for folder in (resources_dir() / "examples", resources_dir().parent / "examples"):
        if folder.is_dir():
            return sorted(path.resolve() for path in folder.glob("*.fabric"))
    return []


def short_folder(folder: Path) -> str:
    """A folder as lists show it: ~/pods."""
    home = Path.home()
    return str("~" / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
