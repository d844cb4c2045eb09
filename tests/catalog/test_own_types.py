"""The user's own types: saved, read again, skipped with a sentence where they cannot be."""

import os
import re
import stat
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog import own_types
from designer.catalog.catalog import load
from designer.errors import CatalogError

CATALOG = load()


@pytest.mark.parametrize("type_id", sorted(CATALOG.types))
def test_a_copy_of_any_type_of_the_catalog_comes_back_as_it_was(type_id, tmp_path):
    copy = replace(CATALOG.types[type_id], id="my-own", vendor="Me")
    own_types.save(copy, tmp_path / "types")
    found, skipped = own_types.load(tmp_path / "types", CATALOG.types)
    assert skipped == ()
    assert found == {"my-own": copy}


def test_what_comes_with_the_program_is_read_once_and_own_types_stay_out_of_it(tmp_path):
    own_types.save(replace(CATALOG.types["rack-42u"], id="my-rack"), tmp_path)
    with_own, without = load(own_folder=tmp_path), load(own_folder=tmp_path / "none")
    assert with_own.own == {"my-rack"}
    assert set(with_own.types) - set(without.types) == {"my-rack"}
    assert without.own == frozenset()
    assert without.types["rack-42u"] is with_own.types["rack-42u"] is CATALOG.types["rack-42u"]


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
def test_a_new_type_s_file_has_the_mode_every_new_file_has_and_keeps_what_it_is_given(tmp_path):
    before = os.umask(0o027)
    try:
        path = own_types.save(replace(CATALOG.types["rack-42u"], id="my-rack"), tmp_path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o664)
        own_types.save(replace(CATALOG.types["rack-42u"], id="my-rack"), tmp_path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o664
    finally:
        os.umask(before)
    assert [one.name for one in tmp_path.iterdir()] == ["my-rack.yaml"]


def test_own_types_are_in_the_catalog_and_can_be_deleted(tmp_path):
    own_types.save(replace(CATALOG.types["nvidia-qm9700"], id="qm9700-quiet", power_max_w=900.0), tmp_path)
    catalog = load(own_folder=tmp_path)
    assert catalog.own == {"qm9700-quiet"}
    assert catalog.get("qm9700-quiet").power_max_w == 900.0
    own_types.delete("qm9700-quiet", tmp_path)
    assert load(own_folder=tmp_path).own == frozenset()
    with pytest.raises(CatalogError, match="not one of your own types"):
        own_types.delete("qm9700-quiet", tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind: switch\n", "one.yaml, field id: is missing"),
        ("kind: router\nid: a\n", "one.yaml, field kind: it should be .* switch, server, nic, line-card, rack, cable"),
        ("[", "one.yaml, line .*not YAML"),
        ("kind: nic\nid: a\nvendor: V\nmodel: M\nprotocols: []\nports: 0\nrate_gbps: 100\n", "field ports: 0 is not"),
        ("kind: nic\nid: a\nvendor: V\nmodel: M\nprotocols: []\nports: 1\nrate_gbps: fast\n", "field rate_gbps"),
        ("kind: rack\nid: rack-42u\nvendor: V\nmodel: M\nunits: 42\n", "the catalog has a rack-42u already"),
        (
            "kind: server\nid: s\nvendor: V\nmodel: M\ngpus: 1\nslots: [{name: n, nic_type_id: none-such}]\n",
            "'none-such' is not a NIC of the catalog",
        ),
    ],
)
def test_a_faulty_file_is_skipped_and_told(tmp_path, text, sentence):
    (tmp_path / "one.yaml").write_text(text)
    own_types.save(replace(CATALOG.types["connectx-7-ndr"], id="my-nic"), tmp_path)
    catalog = load(own_folder=tmp_path)
    assert catalog.own == {"my-nic"}
    assert len(catalog.skipped) == 1
    assert re.search(sentence, catalog.skipped[0]), catalog.skipped


def test_impossible_figures_are_not_saved(tmp_path):
    with pytest.raises(CatalogError, match="field units"):
        own_types.save(replace(CATALOG.types["rack-42u"], id="flat", units=0), tmp_path)
    with pytest.raises(CatalogError, match="not small letters"):
        own_types.save(replace(CATALOG.types["rack-42u"], id="Big Rack"), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ({"rack_units": 99_999.0}, "a height of 99,999 U is more than any hardware has: 100 U at most"),
        ({"power_typical_w": 5000.0}, "a typical power of 5,000 W is above the 1,720 W it draws at most"),
        ({"capacity_tbps": 0.001}, "a capacity of 0.001 Tb/s does not go with its ports, 25.6 Tb/s together"),
    ],
)
def test_figures_that_no_hardware_has_are_not_saved(tmp_path, figures, sentence):
    with pytest.raises(CatalogError, match=sentence):
        own_types.save(replace(CATALOG.types["nvidia-qm9700"], id="mine", **figures), tmp_path)


@given(st.binary(max_size=300))
def test_no_file_keeps_the_catalog_from_loading(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("own")
    (folder / "any.yaml").write_bytes(content)
    found, skipped = own_types.load(folder, CATALOG.types)
    assert len(found) + len(skipped) == 1


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert own_types.load(tmp_path / "nowhere", CATALOG.types) == ({}, ())


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "types"):
        with pytest.raises(CatalogError, match="cannot be written"):
            own_types.save(replace(CATALOG.types["rack-42u"], id="mine"), folder)
