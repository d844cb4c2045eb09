"""The page about the file format says what the schema reads."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from designer.errors import FileFormatError
from designer.storage import document, migrations, schema

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_file_format", ROOT / "docs" / "make_file_format.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_tables_of_the_page_are_those_of_the_schema(script) -> None:
    assert script.page(PAGE) == PAGE, "run python docs/make_file_format.py"


def test_a_table_that_the_page_lacks_is_named(script) -> None:
    with pytest.raises(KeyError, match="the page lacks links"):
        script.page(PAGE.replace("<!-- links: made of the schema -->", ""))


def test_the_example_of_the_page_is_a_design_as_it_is_written() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    data = example[1].encode()
    assert document.encode(document.decode(data)) == data


def test_every_field_of_every_row_is_on_the_page() -> None:
    for name, row in {**schema.ROWS, "settings": schema.SETTINGS_ROW}.items():
        block = PAGE.partition(f"<!-- {name}: made of the schema -->")[2].partition("<!-- end -->")[0]
        assert re.findall(r"^\| `(\w+)` \|", block, re.MULTILINE) == list(row.__struct_fields__), name


def test_every_step_between_versions_is_on_the_page() -> None:
    steps = PAGE.partition("| from | what the next version brought |")[2].partition("\n\n")[0]
    assert [int(step) for step in re.findall(r"^\| (\d+) \|", steps, re.MULTILINE)] == sorted(migrations.MIGRATIONS)


def test_what_the_page_says_is_refused_is_refused() -> None:
    newer = {"format": "fabric-design", "version": migrations.VERSION + 1}
    unknown = {"format": "fabric-design", "version": migrations.VERSION, "racks": [{"id": "r1", "colour": "red"}]}
    for document_row in (newer, unknown):
        with pytest.raises(FileFormatError):
            document.decode(json.dumps(document_row).encode())
