"""Sets up a checkout and runs or tests it: `run [FILE]`, `test [--engine] [pytest arguments]`.

Standard library only. Everything goes into .venv beside this folder; only Qt's system libraries on Debian and Ubuntu
are installed outside it, with apt and only as root.
"""

import ctypes.util
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
EXAMPLE = ROOT / "examples" / "superpod-h100-4su.fabric"
# -P: a folder named designer where the user stands must not hide the program.
PROGRAM = [str(PYTHON), "-P", "-m", "designer"]
OLDEST, NEWEST = (3, 11), (3, 13)

# What Qt's xcb and offscreen platforms load, with the Debian package (or its later name) that brings it.
QT_LIBRARIES = {
    "EGL": ("libegl1",),
    "GL": ("libgl1",),
    "xkbcommon": ("libxkbcommon0",),
    "dbus-1": ("libdbus-1-3",),
    "fontconfig": ("libfontconfig1",),
    "glib-2.0": ("libglib2.0-0t64", "libglib2.0-0"),
    "xcb-cursor": ("libxcb-cursor0",),
    "xcb-icccm": ("libxcb-icccm4",),
    "xcb-keysyms": ("libxcb-keysyms1",),
    "xcb-image": ("libxcb-image0",),
    "xcb-shape": ("libxcb-shape0",),
    "xcb-render-util": ("libxcb-render-util0",),
    "xcb-xkb": ("libxcb-xkb1",),
    "xcb-randr": ("libxcb-randr0",),
    "xcb-xinerama": ("libxcb-xinerama0",),
    "xcb-sync": ("libxcb-sync1",),
    "xcb-xfixes": ("libxcb-xfixes0",),
    "xkbcommon-x11": ("libxkbcommon-x11-0",),
}
FONT_PACKAGE = "fonts-dejavu-core"
TEST_COMMANDS = {"Xvfb": "xvfb"}
# Programs that read what is exported; the slow tests that ask them are skipped where they cannot be had.
FOREIGN_READERS = {
    "ibdmchk": "ibutils",
    "ibsim": "ibsim-utils",
    "ibnetdiscover": "infiniband-diags",
    "opensm": "opensm",
    "lldpd": "lldpd",
    "slurmctld": "slurmctld",
    "scontrol": "slurm-client",
    "neato": "graphviz",
    "mpirun": "openmpi-bin",
    "smpicxx": "libsimgrid-dev",
    "g++": "g++",
}
ENGINE = "--engine"
ENGINE_ROOMS = (
    "analysis",
    "catalog",
    "fields",
    "graph",
    "model",
    "placement",
    "regeneration",
    "routing",
    "simulation",
    "storage",
    "tables",
    "topologies",
    "validation",
)
# As many as there are processors, and at most this many: a few tests take more than a gigabyte.
MOST_TEST_PROCESSES = 4


class SetUpError(Exception):
    """The set-up cannot go on; the message is one sentence that says what to do."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("run", "test"):
        say("usage: bootstrap.py run [FILE] | test [--engine] [pytest arguments]")
        return 2
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        say(f"Fabric Designer needs Python 3.11, 3.12 or 3.13; this is {sys.version.split()[0]}.")
        return 2
    try:
        if arguments[0] == "run":
            return run(arguments[1:])
        return test(arguments[1:])
    except (SetUpError, OSError) as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130


# -- the two commands ---------------------------------------------------------------------------------------------


def run(arguments: list[str]) -> int:
    set_up("requirements.lock", {})
    if call([*PROGRAM, "compile"]) != 0:
        raise SetUpError("The simulation could not be compiled, for the reason above.")
    if has_display():
        if WINDOWS:
            return call([*PROGRAM, *arguments])
        os.execv(PYTHON, [*PROGRAM, *arguments])
    return run_headless(Path(arguments[0]) if arguments else EXAMPLE)


def run_headless(design: Path) -> int:
    """The main job without a window: simulate the design and write picture, hot links and cable plan to out/."""
    say(f"No display here, so no window: working through {design.name} without one.")
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    name = design.stem
    heat = ["--option", "heat=all-reduce"]
    scenario = ["--collective", "all-reduce", "--size", "1GiB", "--links", "top:20"]
    jobs = [
        (["simulate", str(design), *scenario], out / f"{name}-hot-links.txt"),
        (["simulate", str(design), *scenario, "--format", "json"], out / f"{name}-hot-links.json"),
        (["export", str(design), "--to", "svg", *heat], out / f"{name}.svg"),
        (["export", str(design), "--to", "png", *heat], out / f"{name}.png"),
        (["export", str(design), "--to", "cable-plan"], out / f"{name}-cables.csv"),
    ]
    for command, path in jobs:
        if command[0] == "export":
            status = call([*PROGRAM, *command, "-o", str(path), "--force"])
        else:
            with path.open("wb") as stream:
                status = call([*PROGRAM, *command], stdout=stream)
            if status != 0:
                path.unlink()
        if status != 0:
            return status
        if command[0] != "export":  # which says so itself
            say(f"wrote {path}")
    return 0


def test(arguments: list[str]) -> int:
    set_up("requirements-test.lock", TEST_COMMANDS)
    if os.environ.get("CI"):
        install_foreign_readers()
    environment = dict(os.environ)
    # Every test process, and every program that a test starts, would compile the sources again; in a folder of its own
    # Python would not find the bytecode of the libraries, which is made when they are installed.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.pop("PYTHONPYCACHEPREFIX", None)
    if has_display() and not os.environ.get("CI") and (WINDOWS or sys.platform == "darwin"):
        pass
    elif shutil.which("Xvfb"):
        # Each test process starts its own display (tests/conftest.py): no window takes the keys of another's.
        environment.update(QT_QPA_PLATFORM="xcb", TESTS_START_XVFB="1")
        environment.pop("WAYLAND_DISPLAY", None)
    else:
        say("No virtual X display here: the window tests run offscreen.")
        environment["QT_QPA_PLATFORM"] = "offscreen"
    if ENGINE in arguments:
        rest = [one for one in arguments if one != ENGINE]
        arguments = ["--quick", *(f"tests/{room}" for room in ENGINE_ROOMS), *rest]
        environment.pop("TESTS_START_XVFB", None)
        environment["QT_QPA_PLATFORM"] = "offscreen"
    spread = ["--numprocesses=auto", f"--maxprocesses={MOST_TEST_PROCESSES}", "--dist=worksteal"]
    command = [str(PYTHON), "-m", "pytest", *spread, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


# -- set-up -------------------------------------------------------------------------------------------------------


def set_up(lock_name: str, commands: dict[str, str]) -> None:
    install_system_packages(commands)
    make_environment()
    install_locked(lock_name)
    install_checkout()


def make_environment() -> None:
    if PYTHON.exists():
        sound = f"import sys, pip; sys.exit(not {OLDEST} <= sys.version_info[:2] <= {NEWEST})"
        if subprocess.run([str(PYTHON), "-c", sound], capture_output=True, check=False).returncode == 0:
            return
    if VENV.exists():
        shutil.rmtree(VENV)
    say("Making .venv ...")
    for attempt in (1, 2):
        made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
        if made.returncode == 0:
            return
        shutil.rmtree(VENV, ignore_errors=True)
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if attempt == 1 and shutil.which("apt-get"):
            install_with_apt([(package,)])
        else:
            reason = (made.stdout + made.stderr).strip().splitlines()[-1:] or ["no reason given"]
            raise SetUpError(f"python -m venv failed: {reason[0]}")


def install_locked(lock_name: str) -> None:
    """Install the locked versions, unless the same lock (or the larger test lock) is in place already."""
    stamp = VENV / "installed-locks"
    done = stamp.read_text().split() if stamp.exists() else []
    wanted = digest(lock_name)
    satisfied_by = {wanted, digest("requirements-test.lock")} if lock_name == "requirements.lock" else {wanted}
    if not satisfied_by & set(done):
        say("Installing the locked versions of the libraries (once; a few minutes) ...")
        lock = ROOT / "packaging" / lock_name
        command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        if subprocess.run([*command, "--require-hashes", "-r", str(lock)], check=False).returncode != 0:
            raise SetUpError("The libraries could not be installed, for the reason above; try again once it is fixed.")
        # The test lock holds everything the runtime lock does.
        stamp.write_text("\n".join(sorted({wanted, digest("requirements.lock")})))


def install_checkout() -> None:
    """Put the sources on the path of their own environment, and the command `fabric-designer` beside its Python."""
    site = subprocess.run(
        [str(PYTHON), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(site, "fabric_designer_checkout.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    if WINDOWS:
        command, text = PYTHON.with_name("fabric-designer.cmd"), f"@{subprocess.list2cmdline(PROGRAM)} %*\r\n"
    else:
        command, text = PYTHON.with_name("fabric-designer"), f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n'
    command.write_text(text, encoding="utf-8", newline="")
    command.chmod(0o755)


def digest(lock_name: str) -> str:
    return hashlib.sha256((ROOT / "packaging" / lock_name).read_bytes()).hexdigest()


def install_system_packages(commands: dict[str, str]) -> None:
    """Qt's shared libraries, a font, and the commands given (command name -> package), where apt is there."""
    if not sys.platform.startswith("linux"):
        return
    missing = [names for library, names in QT_LIBRARIES.items() if not library_present(library)]
    if not font_present():
        missing.append((FONT_PACKAGE,))
    missing += [(package,) for command, package in commands.items() if shutil.which(command) is None]
    if not missing:
        return
    if shutil.which("apt-get") is None:
        say(f"Qt may need these system libraries (Debian names): {' '.join(names[0] for names in missing)}")
        return
    install_with_apt(missing)


def install_foreign_readers() -> None:
    """Those that are not there yet, each by itself: a release of Debian or Ubuntu may lack one."""
    system = f"{os.environ.get('PATH', '')}:/usr/sbin"
    for command, package in FOREIGN_READERS.items():
        if shutil.which(command, path=system) is None and shutil.which("apt-get") is not None:
            try:
                install_with_apt([(package,)])
            except SetUpError as error:
                say(f"{error} Tests that need {command} are skipped.")


def install_with_apt(packages: list[tuple[str, ...]]) -> None:
    """Install one of each tuple's names; without root, raise with the line to type."""
    root = os.geteuid() == 0
    if root:
        apt("apt-get", "update", "-qq")
    chosen = [known_package(names) for names in packages]
    line = f"apt-get install -y --no-install-recommends {' '.join(chosen)}"
    if not root:
        raise SetUpError(f"Some system packages are missing. Type this, then try again:\n  sudo {line}")
    say(f"Installing system packages: {' '.join(chosen)}")
    done = apt(*line.split())
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise SetUpError(f"apt-get could not install them ({reason[0]}). Type: sudo {line}")


def apt(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, stdin=subprocess.DEVNULL
    )


def known_package(names: tuple[str, ...]) -> str:
    """The first of a package's names that this release of Debian or Ubuntu has."""
    for name in names[:-1]:
        if subprocess.run(["apt-cache", "show", name], capture_output=True, check=False).returncode == 0:
            return name
    return names[-1]


def library_present(library: str) -> bool:
    if ctypes.util.find_library(library):
        return True
    if Path("/sbin/ldconfig").exists():  # its list is complete; a copy inside some program's folder is of no use
        return False
    folders = ("/usr/lib", "/lib", "/usr/lib64", "/lib64")
    return any(next(Path(folder).glob(f"**/lib{library}.so.*"), None) for folder in folders if Path(folder).is_dir())


def font_present() -> bool:
    folders = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")
    return any(next(folder.glob("**/*.[to]tf"), None) for folder in folders if folder.is_dir())


def has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def call(command: list[str], **options: object) -> int:
    return subprocess.run(command, check=False, **options).returncode  # type: ignore[call-overload,no-any-return]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
