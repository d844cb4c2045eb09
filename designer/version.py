"""Which program this is: its version, and the commit it was built or is run from."""

from pathlib import Path

VERSION = "0.1.0"

COMMIT_DIGITS = 10


def version_text() -> str:
    """ "0.1.0 (commit 4aded91c22)"; the version alone where no commit is known."""
    found = commit()
    return f"{VERSION} (commit {found})" if found else VERSION


def commit() -> str:
    """The first digits of the commit that the package was built from or that its checkout is at; "" where unknown."""
    package = Path(__file__).resolve().parent
    built_from = _line(package / "resources" / "commit.txt")
    return (built_from or head(package.parent / ".git"))[:COMMIT_DIGITS]


def head(git: Path) -> str:
    """The commit that a repository's work tree is at; "" where there is none. git need not be installed."""
    pointer = _line(git) if git.is_file() else ""
    folder = (git.parent / pointer.removeprefix("gitdir:").strip()) if pointer else git
    head = _line(folder / "HEAD")
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared = folder / (_line(folder / "commondir") or ".")
    return _line(folder / name) or _line(shared / name) or _packed(shared / "packed-refs", name)


def _packed(refs: Path, name: str) -> str:
    for line in _text(refs).splitlines():
        digest, _, its_name = line.partition(" ")
        if its_name == name:
            return digest
    return ""


def _line(path: Path) -> str:
    return next(iter(_text(path).splitlines()), "").strip()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
