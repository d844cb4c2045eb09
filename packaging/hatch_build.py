"""Build hook of the wheel: adds the example designs, the guide, and the commit that *About* and `--version` show."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RESOURCES = "designer/resources"


class ReleaseHook(BuildHookInterface[Any]):
    """Adds the examples, the guide, and the commit where the sources are a git checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        examples = Path(self.root, "examples")
        for example in sorted([*examples.glob("*.fabric"), *examples.glob("*.png")]):
            build_data["force_include"][str(example)] = f"{RESOURCES}/examples/{example.name}"
        for pattern in ("*.md", "*.png"):
            for page in sorted(Path(self.root, "docs").glob(pattern)):
                build_data["force_include"][str(page)] = f"{RESOURCES}/guide/{page.name}"
        asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.root, capture_output=True, text=True, check=False)
        if asked.returncode != 0 or not (Path(self.root) / ".git").exists():
            return
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "commit.txt"
        file.write_text(asked.stdout, encoding="utf-8")
        build_data["force_include"][str(file)] = f"{RESOURCES}/commit.txt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        folder = getattr(self, "_folder", None)
        if folder is not None:
            folder.cleanup()
