"""Diagrams from the command line: the same as from the window, where the options say so."""

from pathlib import Path

import pytest

from designer.cli.main import DONE, UNUSABLE, run

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric")


def export(path: Path, *options: str) -> int:
    pairs = [part for option in options for part in ("--option", option)]
    return run(["export", EXAMPLE, "--to", path.suffix[1:], "-o", str(path), *pairs])


def test_broken_things_and_findings_are_drawn_where_asked_for(tmp_path):
    path = tmp_path / "pod.svg"
    assert export(path, "fail=spine-01,leaf-01:1", "findings=yes", "heat=all-reduce") == DONE
    text = path.read_text("utf-8")
    assert 'id="broken"' in text and 'id="findings"' in text and "<title>error</title>" in text
    assert export(tmp_path / "plain.svg") == DONE
    assert 'id="broken"' not in (tmp_path / "plain.svg").read_text("utf-8")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_every_diagram_takes_the_same_options(tmp_path, qapp, suffix):
    path = tmp_path / f"pod.{suffix}"
    assert export(path, "jobs=yes", "fail=spine-01", "findings=yes", "theme=dark", "networks=compute") == DONE
    assert path.stat().st_size > 1000


def test_what_is_not_in_the_design_cannot_fail(tmp_path, capsys):
    assert export(tmp_path / "pod.pdf", "fail=spine-99") == UNUSABLE
    assert "spine-99" in capsys.readouterr().err
    assert not (tmp_path / "pod.pdf").exists()


def test_an_export_does_not_write_over_the_design_it_reads(process, superpod_file, tmp_path):
    path = tmp_path / "own.fabric"
    path.write_bytes(superpod_file.read_bytes())
    process("export", path, "--to", "cable-plan", "-o", path, "--force").assert_refused("is the design itself")
    assert path.read_bytes() == superpod_file.read_bytes()
