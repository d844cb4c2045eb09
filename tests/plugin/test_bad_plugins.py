"""A broken or hostile plug-in costs one sentence, and the program goes on without it."""

import json

from designer.exchange import exporters

BUILT_IN = [one.name for one in exporters.BUILT_IN]

EXPORTER = """
from designer.exchange.exporter import Exporter
from designer.exchange.options import ExportOptions
def render(design, path, options, progress):
    path.write_text("made")
def named(name, suffix=".txt", render=render):
    return Exporter(name, name.title(), suffix, ExportOptions, render)
"""

LONG = "a" * 41

PROBES = """
import json, sys
from designer import plugins
from designer.exchange.exporters import EXPORTERS
names = [one.name for one in EXPORTERS]
assert len(EXPORTERS) == len(names) and [EXPORTERS[n].name for n in range(len(names))] == names
assert EXPORTERS[-1].name == names[-1] and [one.name for one in EXPORTERS[1:]] == names[1:]
print(json.dumps({"names": names, "problems": plugins.problems()}))
"""


def test_each_fault_of_an_exporter_is_one_sentence_and_the_good_one_works(with_package) -> None:
    program = with_package(
        "[fabric_designer.exporters]\n"
        "good = bad:GOOD\n"
        "svg = bad:SVG\n"
        "png = bad:PNG\n"
        "Loud = bad:LOUD\n"
        f"{LONG} = bad:LONG\n"
        "other = bad:GOOD\n"
        "missing = bad:MISSING\n"
        "number = bad:NUMBER\n"
        "suffix = bad:SUFFIX\n"
        "no-module = no_such_module_at_all:X\n"
        "quits = bad_quits:X\n"
        "divides = bad_divides:X\n"
        "uncallable = bad:UNCALLABLE\n"
        "old-options = bad:OLD\n",
        EXPORTER
        + "print('a word on stdout')\n"
        + "GOOD, SVG, PNG, LOUD = named('good'), named('svg'), named('png'), named('Loud')\n"
        + f"LONG = named('{LONG}')\n"
        + "OLD = Exporter('old-options', 'Old', '.txt', (), render)\n"
        + "UNCALLABLE = named('uncallable', render=7)\n"
        + "NUMBER, SUFFIX = 7, named('suffix', '../../etc/passwd')\n",
    )
    (program.site / "bad_quits.py").write_text("import sys\nsys.exit('bye')\n")
    (program.site / "bad_divides.py").write_text("1 / 0\n")
    stated = program.python("-c", PROBES)
    assert stated.code == 0, stated.err
    found = json.loads(stated.out)
    assert found["names"] == [*BUILT_IN, "good"]
    start = "Plug-in bad 0.1: export format"
    assert found["problems"] == [
        f"{start} Loud is left out: names of export formats look like cable-plan",
        f"{start} {LONG} is left out: names of export formats look like cable-plan",
        f"{start} divides is left out: ZeroDivisionError: division by zero",
        f"{start} missing is left out: AttributeError: module 'bad' has no attribute 'MISSING'",
        f"{start} no-module is left out: ModuleNotFoundError: No module named 'no_such_module_at_all'",
        f"{start} number is left out: its entry point should be a designer.exchange.exporter.Exporter, not int",
        f"{start} old-options is left out: its options should be a dataclass of settings with defaults, such as "
        "ExportOptions",
        f"{start} other is left out: it calls itself 'good': entry point and row need the same name",
        f"{start} png is left out: export format png is built in: choose another name",
        f"{start} quits is left out: SystemExit: bye",
        f"{start} suffix is left out: its suffix '../../etc/passwd' should look like .csv",
        f"{start} svg is left out: export format svg is built in: choose another name",
        f"{start} uncallable is left out: a function was expected, not int",
    ]
    assert all(problem in stated.err for problem in found["problems"])


FAILING = """
from dataclasses import dataclass
from designer.errors import ParameterError
from designer.exchange.exporter import Exporter
from designer.exchange.options import ExportOptions
from designer.exchange.importer import Importer
from designer.routing import ecmp
from designer.routing.policies import SPRAYED, Policy
from designer.simulation.catalogue import AlgorithmRow
from designer.topologies.families import Family
from designer.fields import kinds
from designer.fields.field import setting
from designer.validation.findings import Finding, Severity
from designer.validation.rule import Rule, rule

@dataclass(frozen=True)
class Numbers:
    n: int = setting(1, title="N", help="A number.", kind=kinds.COUNT)

@dataclass(frozen=True)
class Bare:
    n: int = 1

def fails(*arguments):
    raise KeyError("lost")
def leaves(*arguments):
    raise SystemExit("enough")
def wrong(*arguments):
    return "nothing of use"

def refuses(*arguments):
    raise ParameterError("it takes two")

PLAIN = Family("plain", "Plain", "No record.", int, fails, wrong)
GOSSIP = AlgorithmRow("gossip", "Gossip", "Of no collective.", {"all-reduce": fails, "gossip": fails})
REFUSING = Family("refusing", "Refusing", "It refuses.", Numbers, refuses, wrong)
FAMILY = Family("failing", "Failing", "It fails.", Numbers, fails, wrong)
BARE = Family("bare", "Bare", "No form.", Bare, fails, wrong)
EXPORTER = Exporter("failing", "Failing", ".txt", ExportOptions, leaves)
IMPORTER = Importer("failing", "Failing", wrong)
ALGORITHM = AlgorithmRow("failing", "Failing", "It fails.", {"all-reduce": fails})
NONE = AlgorithmRow("none", "None", "It has no collective.", {})
POLICY = Policy("failing", wrong)
HASHING = Policy("hashing", ecmp.route, uniform=SPRAYED)

@rule("BAD-001", Severity.ERROR, "Fails", "because")
def failing(seen, this):
    yield this.finding("one", ())
    raise KeyError("lost")

@rule("BAD-002", Severity.ERROR, "Forges", "because")
def forging(seen, this):
    yield Finding("PORT-002", Severity.ERROR, "forged", ())

@rule("BAD-003", Severity.ERROR, "Counts", "because")
def counting(seen, this):
    yield 7

CLASH = Rule("PORT-002", Severity.ERROR, "Clash", fails, "because")
"""
ENTRIES = """
[fabric_designer.families]
failing = bad:FAMILY
refusing = bad:REFUSING
plain = bad:PLAIN
bare = bad:BARE
[fabric_designer.exporters]
failing = bad:EXPORTER
[fabric_designer.importers]
failing = bad:IMPORTER
[fabric_designer.collective_algorithms]
failing = bad:ALGORITHM
none = bad:NONE
gossip = bad:GOSSIP
[fabric_designer.routing_policies]
failing = bad:POLICY
spray = bad:POLICY
hashing = bad:HASHING
[fabric_designer.rules]
BAD-001 = bad:failing
BAD-002 = bad:forging
BAD-003 = bad:counting
PORT-002 = bad:CLASH
"""


COMMANDS = {
    "generate failing -o f.fabric": "topology family failing of plug-in bad 0.1 failed: KeyError: 'lost'",
    "generate refusing -o f.fabric": "fabric-designer: it takes two",
    "generate plain -o f.fabric": "topology family plain is left out: its parameters should be a frozen dataclass",
    "generate bare -o f.fabric": "its parameter n should be made by designer.fields.field.setting",
    "export t.fabric --to failing -o f.txt": "export format failing of plug-in bad 0.1 failed: SystemExit: enough",
    "import failing t.fabric -o f.fabric": (
        "import format failing of plug-in bad 0.1 failed: it returned str, not Import"
    ),
    "simulate t.fabric --collective all-reduce --algorithm failing --size 1MB": (
        "collective algorithm failing of plug-in bad 0.1 failed: KeyError: 'lost'"
    ),
    "simulate t.fabric --collective all-reduce --algorithm none --size 1MB": (
        "collective algorithm none is left out: its plans should be by collective, of all-reduce, all-gather"
    ),
    "simulate t.fabric --collective all-reduce --algorithm gossip --size 1MB": (
        "collective algorithm gossip is left out: its plans should be by collective"
    ),
    "simulate t.fabric --traffic shift:1 --routing failing --size 1MB": (
        "routing policy failing of plug-in bad 0.1 failed: it returned str, not Paths"
    ),
}
RUNS = f"""
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from designer.cli.main import run
run("generate torus --dims 2x2 -o t.fabric".split())
said = {{}}
timed = "simulate t.fabric --traffic all-to-all --size 1GB --seed 1 --format json --routing"
for line in ["validate t.fabric --format json", f"{{timed}} ecmp", f"{{timed}} hashing", *{list(COMMANDS)!r}]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(line.split())
    said[line] = code, out.getvalue(), err.getvalue()
print(json.dumps(said))
"""


def test_a_row_that_fails_is_one_sentence_and_all_other_rules_are_checked(with_package) -> None:
    program = with_package(ENTRIES, FAILING)
    ran = program.python("-c", RUNS)
    assert ran.code == 0, ran.err
    stated = json.loads(ran.out)
    heard = "".join(err for _, _, err in stated.values())
    for command, sentence in COMMANDS.items():
        code, out, err = stated[command]
        assert (code, out) == (2, "")
        assert sentence in heard and "Traceback" not in err, command
    assert heard.count("routing policy spray is left out: routing policy spray is built in") == 1
    times = {line.split()[-1]: json.loads(out)["time_s"] for line, (_, out, _) in stated.items() if "--seed" in line}
    assert times["hashing"] == times["ecmp"], "loads of an all-to-all are those of the plug-in's own paths"
    report = json.loads(stated["validate t.fabric --format json"][1])
    reasons = {entry["code"]: entry["reason"] for entry in report["not_checked"]}
    assert reasons["BAD-001"] == "rule BAD-001 of plug-in bad 0.1 failed: KeyError: 'lost'"
    assert "its check should yield findings of BAD-002" in reasons["BAD-002"]
    assert "its check should yield findings of BAD-003" in reasons["BAD-003"]
    assert not [finding for finding in report["findings"] if finding["message"] in ("one", "forged")]
    assert "rule PORT-002 is left out: rule PORT-002 is built in" in heard


def test_a_plug_in_of_the_working_folder_is_not_loaded(with_package, tmp_path) -> None:
    program = with_package(
        "[fabric_designer.exporters]\nhere = bad:HERE\n", EXPORTER + "HERE = named('here')\n", site=tmp_path / "site"
    )
    assert "here" in json.loads(program.python("-c", PROBES).out)["names"]
    found = json.loads(program.python("-c", PROBES, cwd=program.site).out)
    assert found == {"names": BUILT_IN, "problems": []}


def test_a_module_of_the_working_folder_does_not_stand_in_for_an_installed_one(with_package) -> None:
    program = with_package("[fabric_designer.exporters]\nhere = gone:HERE\n", "")
    (program.folder / "gone.py").write_text(EXPORTER + "HERE = named('here')\n")
    found = json.loads(program.python("-c", "import sys; sys.path.insert(0, '')\n" + PROBES).out)
    assert "here" not in found["names"]
    assert "module gone is in the working folder" in found["problems"][0]


def test_of_two_packages_with_one_name_the_second_is_refused(with_package) -> None:
    entries = "[fabric_designer.exporters]\ntwice = {}:TWICE\n"
    program = with_package(entries.format("one"), EXPORTER + "TWICE = named('twice')\n", name="one")
    with_package(entries.format("two"), EXPORTER + "TWICE = named('twice')\n", name="two", site=program.site)
    found = json.loads(program.python("-c", PROBES).out)
    assert found["names"].count("twice") == 1
    assert found["problems"] == [
        "Plug-in two 0.1: export format twice is left out: one 0.1 adds export format twice too"
    ]


def test_what_a_plug_in_prints_and_says_commands_no_terminal(with_package) -> None:
    text = "raise RuntimeError('red \\x1b[31m\\nsecond line' + 'y' * 1000)"
    program = with_package("[fabric_designer.exporters]\nred = bad:RED\n", f"print('printed')\n{text}\n")
    stated = program("export", "--list")
    assert stated.code == 0 and "printed" not in stated.out and "\x1b" not in stated.err
    assert "RuntimeError: red \\u001b[31m second line" in stated.err and len(stated.err) < 500


def test_damaged_metadata_does_not_hinder_the_program(with_package) -> None:
    program = with_package("[fabric_designer.exporters]\nno equals sign\nx = bad:X\n", "")
    (next(program.site.glob("*.dist-info")) / "METADATA").unlink()
    stated = program("--version")
    assert stated.code == 0 and "None" not in stated.out and "Traceback" not in stated.err


def test_a_package_in_two_places_counts_once(with_package) -> None:
    program = with_package("[fabric_designer.exporters]\nx = a_b:X\n", EXPORTER + "X = named('x')\n", name="a_b")
    other = program.site / "A.B-0.2.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: A.B\nVersion: 0.2\n")
    (other / "entry_points.txt").write_text("[fabric_designer.exporters]\nx = a_b:X\n")
    found = json.loads(program.python("-c", PROBES).out)
    assert found["names"].count("x") == 1 and found["problems"] == []


def test_nothing_is_looked_for_until_a_row_is_not_built_in(with_package) -> None:
    program = with_package("[fabric_designer.families]\nx = bad:X\n", "raise SystemExit")
    code = """
import sys
from designer import plugins
from designer.cli.main import run
from designer.topologies.families import FAMILIES
from designer.simulation.scenario import Scenario
from designer.regeneration.recipes import family_named
run(["--help"])
Scenario(collective="all-reduce", algorithm="ring", routing="ecmp")
assert FAMILIES[0].name == "fat-tree" and FAMILIES.named("torus") is not None
assert family_named("torus").name == "torus"
assert plugins.entries.cache_info().currsize == 0
"""
    stated = program.python("-c", code)
    assert stated.code == 0, stated.err
