"""The guide: its pages hold together, its reference pages are those of the program, and its commands run."""

import importlib.util
import re
import shlex
import shutil
import textwrap
from pathlib import Path

import pytest

from designer.cli.main import DONE, run
from designer.storage import document
from designer.topologies.families import BUILT_IN
from designer.validation.engine import RULES
from designer.windows.guide import pages, topics

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TEXTS = sorted([*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
COMMAND = re.compile(r"^ {4}fabric-designer ((?:.*\\\n +)*.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("page", ["rules.md", "fabrics.md", "published.md", "command-line.md"])
def test_the_reference_pages_are_made_of_the_tables_of_the_program(script, page):
    assert (DOCS / page).read_text(encoding="utf-8") == script.PAGES[page](), "run python docs/make_reference.py"


def test_every_page_is_in_the_guide_but_the_gallery():
    assert {path.stem for path in DOCS.glob("*.md")} == {*pages.PAGES, "gallery"}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_somewhere(path):
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        if target.startswith(("http://", "https://")):
            continue
        there = path.parent / file if file else path
        assert there.exists(), target
        if anchor:
            headings = {one.anchor for one in pages.read(there.stem, there.read_text(encoding="utf-8"))}
            assert anchor in headings, target


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_page_holds_both_sides_of_a_merge(path):
    assert not re.search(r"^(<{7}|={7}|>{7})( |$)", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_a_line_of_code_is_no_heading():
    found = pages.read("page", "# Title\ntext\n```\n# comment\n```\n## Part\nmore")
    assert [(one.title, one.level) for one in found] == [("Title", 1), ("Part", 2)]
    assert "# comment" in found[0].text


def test_search_finds_sections_with_all_words_and_no_others():
    found = [one.title for one in pages.sections() if one.holds(["head-of-line", "victim"])]
    assert "See where congestion spreads" in found
    assert "Find the hot link" not in found


def test_every_topic_of_a_widget_or_a_selection_is_a_section():
    for topic in [*topics.OF_WIDGETS.values(), *(topic for _, topic in topics.OF_SELECTED)]:
        assert pages.find(topic) is not None, topic


def test_every_widget_with_a_topic_exists():
    rooms = [ROOT / "designer" / room for room in ("panels", "windows", "canvas")]
    source = "\n".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    for name in topics.OF_WIDGETS:
        assert f"class {name}(" in source, name


def test_every_rule_has_its_section_and_says_what_to_do():
    for rule in RULES:
        section = pages.find(topics.of_rule(rule.code))
        assert section is not None
        assert section.title == f"{rule.code}: {rule.title}"
        assert rule.remedy.endswith(".")
        assert rule.remedy in section.text and rule.how in section.text


def test_a_rule_of_a_plug_in_leads_to_the_page_about_findings():
    assert topics.of_rule("ACME-001") == "check#read-a-finding"


def test_every_family_has_its_section():
    for family in BUILT_IN:
        section = pages.find(topics.of_family(family.name))
        assert section is not None
        assert section.title == family.title
    assert topics.of_family("acme-ring") == "fabrics"


def _commands(page: str) -> list[list[str]]:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [shlex.split(found.replace("\\\n", " ")) for found in COMMAND.findall(text)]


SLOW_CLAIMS = pytest.param("claims", marks=[pytest.mark.slow, pytest.mark.timeout(900)])


@pytest.mark.usefixtures("qapp")  # drawings need an application: that of all tests, not one of their own
@pytest.mark.parametrize(
    "page", ["draw", "check", "models", "hand-over", "growth", "exchange", "import", "merge", SLOW_CLAIMS]
)
def test_the_commands_of_a_guide_run_as_they_are_written(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    listed = re.search(r"(?:^    .*,.*,.*\n){3}", (DOCS / "hand-over.md").read_text(encoding="utf-8"), re.MULTILINE)
    Path("prices.csv").write_text(textwrap.dedent(listed[0]), encoding="utf-8")
    plan = re.search(r"(?:^    .*\n)+", (DOCS / "growth.md").read_text(encoding="utf-8"), re.MULTILINE)
    Path("plan.yaml").write_text(textwrap.dedent(plan[0]), encoding="utf-8")
    assert run(_commands("draw")[0]) == DONE
    shutil.copy("pod.fabric", "pod-later.fabric")
    assert run(["export", "pod.fabric", "--to", "p2p-infiniband", "-o", "found.csv"]) == DONE
    Path("found.csv").rename("found.txt")  # what a discovery of the guide finds: all as planned
    for command in _commands(page):
        again = ["--force"] if "-o" in command else []
        assert run([*command, *again]) == DONE, capsys.readouterr().err
        capsys.readouterr()


def test_a_selection_on_the_canvas_leads_to_its_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = re.search(r"(?:^    .*,.*,.*\n){3}", (DOCS / "hand-over.md").read_text(encoding="utf-8"), re.MULTILINE)
    Path("prices.csv").write_text(textwrap.dedent(listed[0]), encoding="utf-8")
    plan = re.search(r"(?:^    .*\n)+", (DOCS / "growth.md").read_text(encoding="utf-8"), re.MULTILINE)
    Path("plan.yaml").write_text(textwrap.dedent(plan[0]), encoding="utf-8")
    assert run(_commands("draw")[0]) == DONE
    shutil.copy("pod.fabric", "pod-later.fabric")
    design = document.load(Path("pod.fabric"))
    link, rack = next(iter(design.links)), next(iter(design.racks))
    of_selection = topics.of_selection
    assert of_selection(design, frozenset(), is_simulated=False) == "draw"
    assert of_selection(design, frozenset([link]), is_simulated=False) == "draw#connect-devices"
    assert of_selection(design, frozenset([link]), is_simulated=True) == "simulation#find-out-why-a-link-is-hot"
    assert of_selection(design, frozenset([rack]), is_simulated=True) == "hand-over#place-racks-in-the-room"
