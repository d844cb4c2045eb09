"""The program as a process: without PySide6, with pipes that break and disks that are full, and how fast it answers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import interrupt_drill
import pytest

from designer.cli import main as cli
from designer.model import operations
from designer.storage import document

WITHOUT_QT = ("PySide6", "shiboken6", "pyqtgraph")


def test_every_command_runs_where_pyside6_cannot_be_imported(process, tmp_path):
    path = tmp_path / "p.fabric"
    generated = process("generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", path, blocked=WITHOUT_QT)
    assert generated.code == 0, generated.err
    for arguments in (
        ("info", path),
        ("validate", path),
        ("export", "--list"),
        ("--help",),
        ("--version",),
        ("export", path, "--to", "cable-plan", "-o", tmp_path / "plan.csv"),
    ):
        stated = process(*arguments, blocked=WITHOUT_QT)
        assert stated.code == 0, stated.err
    assert (tmp_path / "plan.csv").exists()


def test_png_and_the_window_say_in_one_sentence_that_they_need_pyside6(process, oversubscribed_file, tmp_path):
    picture = tmp_path / "d.png"
    stated = process("export", oversubscribed_file, "--to", "png", "-o", picture, blocked=WITHOUT_QT)
    stated.assert_refused("PySide6", "svg")
    assert not picture.exists()
    process(blocked=WITHOUT_QT).assert_refused("PySide6")
    process(oversubscribed_file, blocked=WITHOUT_QT).assert_refused("PySide6")


@pytest.mark.parametrize("package", ["click", "msgspec", "yaml", "platformdirs"])
def test_a_package_that_is_not_installed_is_named_in_one_sentence(process, package):
    process("catalog", "list", blocked=(package,)).assert_refused(package, "packaging/run")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_the_window_is_refused_in_one_sentence(process, oversubscribed_file, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    process().assert_refused("no display", "fabric-designer --help")
    process(oversubscribed_file).assert_refused("no display")


TERMINAL = "\x1b]0;owned\x07\x9b31m\x7f\u202e"
UNSEEN = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"


@pytest.mark.skipif(os.name != "posix", reason="file names hold no such characters elsewhere")
def test_no_output_carries_what_commands_a_terminal(process, fabric_designer, oversubscribed_file, tmp_path):
    design = document.load(oversubscribed_file)
    server = next(one for one in design.devices.values() if "gpu" in one.name)
    design.apply(operations.rename(design, server.id, "gpu\u202e-\u200fx"))
    path = tmp_path / f"a{TERMINAL}\nb.fabric"
    document.save(design, path)
    jobs = tmp_path / f"j{TERMINAL}.yaml"
    jobs.write_text('- {name: "a\\e[31m\\x9b\\u202e", collective: all-reduce, size: 1M, ranks: 0-7}\n')
    copy = tmp_path / f"c{TERMINAL}\n.csv"
    load = ("--collective", "all-reduce", "--size", "1M", "--links", "all")
    for run, arguments, code in (
        (process, ("info", path), 0),
        (fabric_designer, ("validate", path), 0),
        (fabric_designer, ("simulate", path, *load), 0),
        (fabric_designer, ("simulate", path, *load, "--format", "json"), 0),
        (fabric_designer, ("simulate", path, "--jobs", jobs), 0),
        (fabric_designer, ("simulate", path, "--jobs", jobs, "--format", "json"), 0),
        (fabric_designer, ("info", str(path) + TERMINAL), 2),
        (fabric_designer, ("export", path, "--to", "cable-plan", "-o", copy), 0),
        (fabric_designer, ("export", path, "--to", TERMINAL, "-o", "x"), 2),
        (fabric_designer, ("simulate", path, "--collective", TERMINAL, "--size", "1M"), 2),
        (process, (TERMINAL,), 2),
    ):
        stated = run(*arguments)
        assert stated.code in (code, 1), stated
        unseen = set(re.findall(UNSEEN, stated.out + stated.err))
        assert not unseen, (arguments, unseen)
        if code == 2:
            stated.assert_refused()
        if "json" in arguments:
            assert stated.json


def test_a_word_that_is_neither_file_nor_command_does_not_open_a_window(process):
    process("validte").assert_refused("'validte'", "did you mean validate?")
    process("no-such.fabric").assert_refused("no-such.fabric")


def test_help_loads_neither_qt_nor_the_numeric_libraries(process):
    code = (
        "import sys\nfrom designer.__main__ import main\nmain(['--help'])\n"
        "heavy = {'numpy', 'scipy', 'numba', 'networkx', 'PySide6', 'openpyxl', 'yaml', 'msgspec'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    for row in cli.COMMANDS:
        assert row.name in done.stdout


def test_info_and_validate_load_neither_numba_nor_scipy(process, oversubscribed_file):
    code = (
        "import sys\nfrom designer.__main__ import main\n"
        f"main(['info', {str(oversubscribed_file)!r}])\nmain(['validate', {str(oversubscribed_file)!r}])\n"
        "heavy = {'scipy', 'numba', 'PySide6'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_reader_that_goes_away_is_no_error(superpod_file, format_):
    arguments = f"validate {superpod_file} --format {format_}"
    command = f"{sys.executable} -m designer {arguments} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.strip() == "0"
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        ("--help", ">&-", 0),
        ("info {}", ">&-", 0),
        ("validate {}", "<&- >&- 2>&-", 0),
        ("nonsense", "2>&-", 2),
        ("--help", "2>&1 | true", 0),
        ("info {} --format json", "2>&1 | true", 0),
        ("info", "2>&1 | true", 2),
        ("generate pgft --children 4 --parents 1 -o {}.made", "2>&1 >&- | true", 0),
    ],
)
def test_closed_streams_change_no_exit_code_and_give_no_traceback(oversubscribed_file, words, closed, code):
    arguments = words.replace("{}", str(oversubscribed_file))
    command = f"{sys.executable} -m designer {arguments} {closed}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


FULL = """
import resource, signal, sys
from designer.__main__ import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize("format_", ["cable-plan", "cable-plan-xlsx", "svg", "png", "pdf"])
def test_a_disk_that_fills_up_is_told_of_the_file_that_was_asked_for_and_nothing_stays(
    superpod_file, tmp_path, format_
):
    scratch, out = tmp_path / "scratch", tmp_path / "out"
    scratch.mkdir()
    out.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch), "QT_QPA_PLATFORM": "offscreen"}
    words = ["export", str(superpod_file), "--to", format_, "-o", str(out / "made")]
    command = [sys.executable, "-c", FULL, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, "fabric-designer: made could not be saved: file too large\n")
    assert set(tmp_path.rglob("*")) == {scratch, out}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_one_sentence(process, superpod_file):
    with Path("/dev/full").open("w") as full:
        stated = process("info", superpod_file, stdout=full)
    assert stated.code == 2
    assert stated.err == "fabric-designer: the output could not be written: No space left on device\n"
    stated = process("export", superpod_file, "--to", "cable-plan", "-o", "/dev/full", "--force")
    stated.assert_refused("/dev/full", "No space left on device")


def test_names_print_on_a_terminal_that_knows_only_ascii(process, tmp_path):
    path = tmp_path / "p.fabric"
    name = "Ω-机架"
    made = process("generate", "pgft", "--children", "4", "--parents", "1", "--name", name, "-o", path)
    assert made.code == 0, made.err
    code = f"import sys\nfrom designer.__main__ import main\nsys.exit(main(['info', {str(path)!r}]))"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_a_defect_of_the_program_is_one_sentence_and_kept_for_its_makers(
    fabric_designer, oversubscribed_file, monkeypatch
):
    from designer.cli import info
    from designer.paths import user_state_dir

    def broken(_design):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(info, "summarize", broken)
    fabric_designer("info", oversubscribed_file).assert_refused("ZeroDivisionError", "last-error.txt")
    assert "planted" in (user_state_dir() / "last-error.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bogus",), ("--bogus",)),
        (("info",), ("FILE", "info --help")),
        (("info", "a", "b"), ("b",)),
        (("info", "a", "--format", "xml"), ("xml", "json")),
        (("export",), ("FILE",)),
    ],
)
def test_wrong_arguments_are_refused_in_one_sentence(fabric_designer, arguments, words):
    fabric_designer(*arguments).assert_refused(*words)


def test_version_prints_name_and_number(fabric_designer):
    stated = fabric_designer("--version")
    assert stated.code == 0 and stated.out.startswith("fabric-designer ")


def test_export_draws_the_heat_as_png_without_a_display(process, oversubscribed_file, tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    path = tmp_path / "d.png"
    stated = process(
        "export",
        oversubscribed_file,
        "--to",
        "png",
        "-o",
        path,
        "--option",
        "heat=all-reduce:ring",
        "--option",
        "theme=dark",
        "--option",
        "width=640",
    )
    assert (stated.code, stated.out) == (0, ""), stated.err
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(data[16:20], "big") == 640
    cold = tmp_path / "cold.png"
    assert process("export", oversubscribed_file, "--to", "png", "-o", cold, "--option", "width=640").code == 0
    assert cold.read_bytes() != data


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["info", "workbook"])
def test_an_interrupt_at_any_moment_ends_with_130_says_no_traceback_and_leaves_nothing(name):
    faults, codes = interrupt_drill.drill_one(name, moments=4, seed=1)
    assert faults == []
    assert 130 in codes
