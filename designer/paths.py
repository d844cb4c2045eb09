"""Where things are on disk: the program's resources and the user's folders."""

from pathlib import Path

from designer.late import Late

platformdirs = Late("platformdirs")


def resources_dir() -> Path:
    """The folder of catalog data, icons and styles, in a checkout or an installed package."""
    inside = Path(__file__).parent / "resources"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "resources"


def guide_dir() -> Path:
    """The folder of the guide's pages and pictures, in a checkout or an installed package."""
    inside = resources_dir() / "guide"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "docs"


def user_config_dir() -> Path:
    """The user's folder for settings and own types. Not created here."""
    return Path(platformdirs.user_config_dir("fabric-designer", appauthor=False))


def own_types_dir() -> Path:
    """The user's folder for types of their own. Not created here."""
    return user_config_dir() / "types"


def user_state_dir() -> Path:
    """The user's folder for logs and recovery files. Not created here."""
    return Path(platformdirs.user_state_dir("fabric-designer", appauthor=False))


def compiled_dir() -> Path:
    """The user's folder for compiled kernels, which are code: for this user alone. Not created here."""
    return Path(platformdirs.user_cache_dir("fabric-designer", appauthor=False)) / "kernels"


def recovery_dir() -> Path:
    """The user's folder for unsaved work that is kept in case the program is killed. Not created here."""
    return user_state_dir() / "recovery"
