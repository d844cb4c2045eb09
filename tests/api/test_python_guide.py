"""The guide to Python: each example runs and prints what it says, and every public name is in it."""

import doctest
import re
from pathlib import Path

import pytest

from designer import api

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
TEXT = GUIDE.read_text(encoding="utf-8")


def test_every_example_of_the_guide_runs_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(TEXT.replace("```", ""), {}, "python.md", str(GUIDE), 0)
    stated: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(examples, out=stated.append)
    assert not stated, "".join(stated)
    assert runner.summarize(verbose=False).attempted > 30


def test_every_block_is_run_or_says_that_it_is_not() -> None:
    parts = re.split(r"^```(?:python)?$", TEXT, flags=re.MULTILINE)
    blocks = list(zip(parts[::2], parts[1::2], strict=False))
    assert len(blocks) > 8
    for before, block in blocks:
        if ">>>" not in block:
            compile(block, "python.md", "exec")
            assert "not run" in before.rstrip().rpartition("\n\n")[2]


def test_every_public_name_is_there_described_and_in_the_guide() -> None:
    types = {name for name in api.__all__ if isinstance(getattr(api, name), type)}
    for name in api.__all__:
        assert (getattr(api, name).__doc__ or "").strip(), name
        if name not in types:
            assert f"api.{name}(" in TEXT, name
    assert set(re.findall(r"\bapi\.(\w+)", TEXT)) <= set(api.__all__)
    assert len(api.__all__) - len(types) <= 20
