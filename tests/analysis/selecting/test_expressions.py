"""Selecting by expression: what it says, what it fits, what is wrong with it and where."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.selecting.expression import (
    DEPTH_MOST,
    LONGEST,
    TERMS_MOST,
    AllOf,
    ExpressionError,
    Not,
    OneOf,
    Term,
    parse,
    quoted,
)
from designer.analysis.selecting.finder import Finder
from designer.analysis.selecting.listing import listing
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.storage import document

CATALOG = load()

SUPERPOD = Path(__file__).parents[3] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def design():
    """The example, some of it tagged, with an oob switch, lengths and colors."""
    design = document.load(SUPERPOD)
    spine, leaf = design.find("spine-01"), design.find("leaf-su2-r3")
    design.apply(operations.set_network(design, [spine.id], "oob"))
    link = design.links_of(leaf.id)[0]
    rack = next(iter(design.racks))
    nic = next(iter(design.modules))
    design.apply(operations.add_tags(design, [leaf.id, link.id, rack, nic], ("spare",)))
    design.apply(operations.set_field(design, [leaf.id, spine.id], "Asset no", "A (1)"))
    link = design.links[link.id]
    after = replace(link, length_m=40.0, length_source="typed", colour="blue", label="trunk", notes="Pulled twice")
    design.apply(Edit("", (Change(link, after),)))
    return design


@pytest.fixture(scope="module")
def finder(design):
    return Finder(design)


def names(design, found):
    return sorted(getattr(design.entity(one), "name", one) for one in found.ids)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("role:leaf", "32 devices"),
        ("ROLE:Leaf", "32 devices"),
        ("role:leaf su:2", "8 devices"),
        ("role:leaf and su:2", "8 devices"),
        ("role:leaf or role:spine", "48 devices"),
        ("role:leaf,spine", "48 devices"),
        ("su:2 role:leaf or role:spine", "24 devices"),
        ("su:2 (role:leaf or role:spine)", "8 devices"),
        ("not role:server", "48 devices"),
        ("-role:server -su:none", "32 devices"),
        ("!(role:server or role:spine)", "32 devices"),
        ("role!=server", "48 devices"),
        ("rail:3", "4 devices"),
        ("rail=3,4", "8 devices"),
        ("rail:3-5", "12 devices"),
        ("rail>=7", "8 devices"),
        ("rail<2 or rail>7", "8 devices"),
        ("rail<=1 kind:switch", "4 devices"),
        ("unit:none", "16 devices"),
        ("unit:* role:leaf", "32 devices"),
        ("pod:1 kind:server", "32 devices"),
        ("kind:server free>0", "nothing"),
        ("kind:switch free>0", "4 devices"),
        ("used=64 role:leaf", "24 devices"),
        ("ports>60", "48 devices"),
        ("gpus:8", "127 devices"),
        ("type:qm9700", "48 devices"),
        ("type:nvidia-qm*", "48 devices"),
        ("vendor:nvid", "175 devices"),
        ("network:oob", "1 device"),
        ("rack:net-01", "8 devices"),
        ("rack:net-0[12]", "16 devices"),
        ("rack:none", "nothing"),
        ("rack:net-01 u>38", "4 devices"),
        ("kind:rack", "37 racks"),
        ("group:SU*2", "40 devices, 9 racks"),
        ("leaf-su2", "8 devices"),
        ('"leaf-su2"', "8 devices"),
        ("name:leaf-su2", "nothing"),
        ("name:leaf-su?-r1", "4 devices"),
        ("spine -spine-01", "15 devices"),
        ("kind:link", "2,040 links"),
        ("kind:link su:2", "512 links"),
        ("kind:link network:oob", "64 links"),
        ("kind:link -network:oob", "1,976 links"),
        ("speed>=400", "2,040 links"),
        ("speed:400G", "2,040 links"),
        ("speed>0.4T", "nothing"),
        ("length>30", "1 link"),
        ("length>30m", "1 link"),
        ("length:none", "nothing"),
        ("end:leaf-su1-r1", "64 links"),
        ("end:leaf-su1-r1 end:spine-02", "2 links"),
        ("cable:C000*", "9 links"),
        ("C0421", "1 link"),
        ("c0421", "1 link"),
        ("medium:sr4", "2,040 links"),
        ("color:blue", "1 link"),
        ("color:blue label:tru*", "1 link"),
        ("notes:pulled", "1 link"),
        ("trunk", "1 link"),
        ("tag:spare", "1 device, 1 rack, 1 link, 1 NIC"),
        ("tag:SPARE role:leaf", "1 device"),
        ("role:leaf -tag:spare", "31 devices"),
        ("tag:none kind:rack", "36 racks"),
        ("tag:* kind:link", "1 link"),
        ('"asset no":"A (1)"', "2 devices"),
        ('"Asset no":none role:leaf', "31 devices"),
        ("kind:nic", "1,016 NICs"),
        ("slot:rail1", "127 NICs"),
        ("id:d1", "1 device"),
    ],
)
def test_an_expression_fits(finder, expression, text):
    assert finder.find(expression).text == text


def test_what_is_found_stands_in_design_order(finder, design):
    assert names(design, finder.find("role:leaf su:2 rail<=2")) == ["leaf-su2-r1", "leaf-su2-r2"]
    assert list(finder.find("kind:switch").ids) == [one.id for one in design.switches()]


@pytest.mark.parametrize(
    ("expression", "place", "message"),
    [
        ("", 0, "write what to select"),
        ("rol:leaf", 0, "nothing is called 'rol'; did you mean role?"),
        ("su:2 rol:leaf", 5, "did you mean role?"),
        ("zzzz:1", 0, "there is name, kind, role"),
        ("su:x", 3, "unit: 'x' is not a number"),
        ("speed>fast", 6, "speed: 'fast' is not a rate"),
        ("role>leaf", 0, "role is no number: write role:VALUE"),
        ("role:", 5, "write a value behind role:, or none"),
        ("(role:leaf", 0, "this parenthesis is not closed"),
        ("role:leaf)", 9, "this parenthesis closes none"),
        ("role:leaf or", 12, "something is missing at the end"),
        ("or role:leaf", 0, "something is missing before 'or'"),
        ("a () b", 3, "something is missing before ')'"),
        ("not", 3, "something is missing at the end"),
        ('name:"x', 5, "this quotation mark is not closed"),
        ("x" * (LONGEST + 1), LONGEST, "4,000 characters at most"),
        ("a " * (TERMS_MOST + 1), 2 * TERMS_MOST, "500 words at most"),
        ("(" * (DEPTH_MOST + 2) + "a" + ")" * (DEPTH_MOST + 2), DEPTH_MOST + 1, "50 deep at most"),
    ],
)
def test_a_faulty_expression_is_refused_with_its_place(finder, expression, place, message):
    with pytest.raises(ExpressionError) as refused:
        finder.find(expression)
    assert refused.value.place == place
    assert str(refused.value).startswith(f"character {place + 1}: ")
    assert message in str(refused.value)


def test_or_binds_less_than_what_stands_next_to_each_other():
    parsed = parse("a b or -c")
    assert isinstance(parsed, OneOf)
    both, last = parsed.parts
    assert isinstance(both, AllOf) and isinstance(last, Not)
    assert last.part == Term("", ":", ("c",), 8, 8)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_an_answer_or_a_sentence(finder, text):
    try:
        finder.find(text)
    except ExpressionError as error:
        assert 0 <= error.place <= len(text)
    finder.completions(text)


@given(st.text(alphabet=st.characters(blacklist_characters='"'), min_size=1, max_size=20))
def test_a_quoted_value_is_read_as_it_is(text):
    if text.strip():
        assert parse(f"name:{quoted(text)}").values == (text,)


@given(st.lists(st.sampled_from(["role:leaf", "su:2", "-tag:spare", "rail>3", "spine"]), min_size=1, max_size=4))
def test_more_terms_never_fit_more(finder, terms):
    found = set(finder.find(" ".join(terms)).ids)
    for one in terms:
        assert found <= set(finder.find(f"({one}) or ({one})").ids) | (
            set(finder.index.ids) if one == "-tag:spare" else set()
        )


def test_a_pattern_of_many_stars_takes_no_time(finder):
    assert finder.find("name:" + "*a" * 200 + "*b").text == "nothing"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("ro", ["role:"]),
        ("role:leaf -r", ["role:", "rail:", "rack:"]),
        ("role:", ["server", "leaf", "spine"]),
        ("role:leaf,s", ["server", "spine"]),
        ("(su:", ["1", "2", "3", "4"]),
        ("tag:s", ["spare"]),
        ("ass", ["Asset no"]),
        ("nothing:", []),
    ],
)
def test_what_is_being_typed_is_completed(finder, text, first):
    words = [one.word.strip(':"') for one in finder.completions(text)]
    assert words[: len(first)] == [one.strip(":") for one in first]
    for one in finder.completions(text):
        assert one.text.startswith(text[: text.rfind(" ") + 1])
        if not one.text.endswith(":"):
            assert finder.find(one.text.replace("(", "")).ids


@pytest.mark.parametrize("term", ["su<", "su>=", "su!=", "role!=", "role:leaf su<="])
def test_a_completion_counts_what_its_term_finds(finder, term):
    """What is below a value, not what has it."""
    found = finder.completions(term)
    assert len(found) > 1
    for one in found:
        assert one.about == finder.find(one.text.removeprefix("role:leaf ")).text


def test_a_listing_has_a_table_for_each_kind_and_a_column_for_each_field(design, finder):
    made = listing(design, finder.find("tag:spare").ids)
    assert list(made.tables) == ["devices", "racks", "links", "modules"]
    rows = made.as_json()
    assert rows["devices"][0]["name"] == "leaf-su2-r3"
    assert rows["devices"][0]["fields"] == {"Asset no": "A (1)"}
    assert rows["links"][0]["length_m"] == 40.0 and rows["links"][0]["tags"] == ["spare"]
    assert made.tables["devices"].headings[-2:] == ["tags", "Asset no"]
    assert made.tables["devices"].values[0][-2:] == ["spare", "A (1)"]
    assert listing(design, ()).tables == {}


def test_roles_of_devices_drawn_by_hand_are_those_of_their_tier(catalog):
    design = Design()
    for type_id in ("nvidia-qm9700", "nvidia-qm9700", "dgx-h100"):
        edit = operations.add_device(design, catalog.get(type_id), 0, 0, catalog_types=catalog.types)
        design.apply(edit)
    a, b, server = design.devices
    design.apply(operations.connect_devices(design, server, a))
    design.apply(operations.connect_devices(design, a, b))
    found = Finder(design)
    assert [list(found.find(f"role:{role}").ids) for role in ("leaf", "spine", "server")] == [[a], [b], [server]]


def test_links_and_leaf_switches_are_found_by_each_rail_that_they_are_on():
    design, made = Design(), []
    for type_id, count, y in (("nvidia-qm9700", 5, 0.0), ("dgx-h100", 4, 300.0), ("nvidia-sn2201", 1, 600.0)):
        for number in range(count):
            type_ = CATALOG.get(type_id)
            edit = operations.add_device(design, type_, 300.0 * number, y, catalog_types=CATALOG.types)
            design.apply(edit)
            made.append(next(one.after.id for one in edit.changes if one.after.id in design.devices))
    leafs, spine, servers, managing = made[:4], made[4], made[5:9], made[9]
    design.apply(operations.make_rails(design, servers, leafs))
    design.apply(operations.connect_evenly(design, leafs, [spine], 2))
    design.apply(operations.connect(design, End(leafs[3], "mgmt0"), End(managing, "swp1")))
    finder = Finder(design)
    assert finder.find("rail:8").ids == finder.find("rail:4").ids == (leafs[3],)

    def ends_of(rail):
        links = [design.links[one] for one in Finder(design).find(f"kind:link rail:{rail}").ids]
        ends = [end for one in links for end in (one.a, one.b)]
        of_servers = sorted(one.port for one in ends if one.device_id in servers)
        return of_servers, [one.device_id for one in ends if one.device_id in (spine, managing)]

    assert ends_of(8) == (["rail8"] * 4, []), "rails 4 and 8 share a leaf switch: its uplinks are of neither"
    for leaf in leafs:
        upper = {f"rail{number}" for number in range(5, 9)}
        both = [one for one in design.links_of(leaf) if upper & {one.a.port, one.b.port}]
        design.apply(operations.delete(design, [one.id for one in both]))
    assert ends_of(4) == (["rail4"] * 4, [spine] * 2), "of its leaf switch alone"


def test_free_ports_are_those_of_all_purposes_as_ports_and_used_ports_are():
    design, type_ = Design(), CATALOG.get("generic-storage")
    for number in range(2):
        design.apply(operations.add_device(design, type_, 300.0 * number, 0.0, catalog_types=CATALOG.types))
    first, second = design.devices
    assert {one.purpose for one in design.ports(first)} - {"fabric"}
    other = [one.name for one in design.ports(first) if one.purpose != "fabric"]
    design.apply(operations.connect(design, End(first, other[0]), End(second, other[0])))
    reserved = replace(design.devices[second], reserved_ports=(other[1],))
    design.apply(Edit("Reserve", (Change(design.devices[second], reserved),)))
    finder, n_ports = Finder(design), len(design.ports(first))
    assert finder.find(f"used=1 free={n_ports - 1}").ids == (first,)
    assert finder.find(f"used=1 free={n_ports - 2}").ids == (second,)
    (table,) = listing(design, [first, second]).tables.values()
    assert [(row["used"], row["free"]) for row in table.rows] == [(1, n_ports - 1), (1, n_ports - 2)]
