"""`compile`: the simulation is compiled once, by the set-up rather than by whoever waits for the first answer."""

import logging
import os
import subprocess
import sys

import pytest

from designer import warm_up
from designer.__main__ import main
from designer.cli.main import COMPILER
from designer.graph import compiled_files, compiler
from designer.graph.compiled import compiled

COMPILING = "compiling the simulation for this machine; the next run starts at once"


def test_compiling_is_done_once_and_asking_again_loads_no_compiler(process):
    assert process("compile").code == 0
    assert compiled_files.is_complete()
    code = (
        "import sys\nfrom designer.__main__ import main\nassert main(['compile']) == 0\n"
        "heavy = {'numba', 'numpy', 'PySide6'} & set(sys.modules)\nsys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.fixture
def compiles(monkeypatch, tmp_path):
    """How often all is compiled, and with which priority; nothing is there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    counted = []
    monkeypatch.setattr(warm_up, "warm_up", lambda progress: counted.append("compiled"))
    monkeypatch.setattr(os, "nice", lambda step: counted.append(step), raising=False)
    return counted


def test_compiling_with_low_priority_lets_all_other_programs_go_first(compiles):
    assert main(["compile", "--low-priority"]) == 0
    assert compiles == [19, "compiled"]
    assert compiled_files.is_complete()


def test_compiling_has_the_usual_priority(compiles):
    assert main(["compile"]) == 0
    assert compiles == ["compiled"]


def test_what_could_not_be_kept_is_not_compiled_and_says_so(compiles, tmp_path, capsys):
    (tmp_path / "fabric-designer").write_text("in the way")
    assert main(["compile"]) == 0
    assert compiles == []
    assert "could not be kept" in capsys.readouterr().err


@pytest.fixture
def logger():
    logger = logging.getLogger(COMPILER)
    yield logger
    logger.handlers.clear()
    logger.setLevel(logging.NOTSET)


def test_a_run_that_compiles_says_so_once(logger, caplog, monkeypatch, tmp_path):
    monkeypatch.setattr(compiler._settings, "CACHE_DIR", str(tmp_path))
    compiler._report_compiling.cache_clear()
    caplog.set_level(logging.INFO, COMPILER)

    @compiled
    def kernel(one):
        return one

    assert [kernel(1), kernel(True)] == [1, True]
    assert [record.message for record in caplog.records] == [COMPILING]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_at_a_terminal_somebody_is_told_why_it_takes_long(is_terminal, logger, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    assert main(["--version"]) == 0
    logger.info(COMPILING)
    assert capsys.readouterr().err == (f"{COMPILING}\n" if is_terminal else "")


def test_the_bar_of_compile_says_it_alone(logger, compiles, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["compile"]) == 0
    logger.info(COMPILING)
    said = capsys.readouterr().err
    assert "Compiling the simulation" in said
    assert COMPILING not in said


def test_without_a_mark_or_with_another_compiler_it_counts_as_not_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled_files, "compiled_dir", lambda: tmp_path)
    assert not compiled_files.is_complete()
    assert compiled_files.mark_complete()
    assert compiled_files.is_complete()
    monkeypatch.setattr(compiled_files.metadata, "version", lambda _name: "0.0")
    assert not compiled_files.is_complete()


def test_the_digest_follows_every_file_with_a_compiled_function(tmp_path):
    kernel, other = tmp_path / "kernels.py", tmp_path / "other.py"
    kernel.write_text("\n@compiled\ndef add(a, b):\n    return a + b\n")
    other.write_text("VALUE = 1\n")
    before = compiled_files.digest(tmp_path)
    other.write_text("VALUE = 200\n")
    assert compiled_files.digest(tmp_path) == before
    kernel.write_text("\n@compiled\ndef add(a, b):\n    return a + b + 1\n")
    assert compiled_files.digest(tmp_path) != before


def test_a_change_of_the_warm_up_alone_has_it_run_again_and_keeps_what_is_compiled(monkeypatch, tmp_path):
    warm_up = tmp_path / "warm_up.py"
    warm_up.write_text("SCENARIOS = 1\n")
    before, sources = compiled_files.complete_digest(tmp_path), compiled_files.digest(tmp_path)
    warm_up.write_text("SCENARIOS = 2\n")
    assert compiled_files.complete_digest(tmp_path) != before
    assert compiled_files.digest(tmp_path) == sources
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(compiled_files, "compiled_dir", lambda: kept)
    assert compiled_files.mark_complete()
    assert compiled_files.is_complete()
    monkeypatch.setattr(compiled_files, "WARM_UP", "version.py")
    assert not compiled_files.is_complete()


def test_a_folder_that_cannot_be_written_is_no_traceback(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled_files, "compiled_dir", lambda: tmp_path / "missing")
    assert not compiled_files.mark_complete()
    assert not compiled_files.is_complete()
