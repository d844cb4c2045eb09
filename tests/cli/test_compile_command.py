"""`compile`: the simulation is compiled once, by the set-up rather than by whoever waits for the first answer."""

import subprocess
import sys

from designer.graph import compiled_files


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


def test_a_folder_that_cannot_be_written_is_no_traceback(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled_files, "compiled_dir", lambda: tmp_path / "missing")
    assert not compiled_files.mark_complete()
    assert not compiled_files.is_complete()
