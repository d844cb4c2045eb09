"""`generate preset`: published designs by name, with the options of their family and their own numbers as defaults."""

from designer.storage import document


def test_a_published_design_is_generated_by_name(fabric_designer, tmp_path):
    made = fabric_designer("generate", "preset", "dgx-superpod-h100-1su", "--cables", "none", "-o", tmp_path / "a")
    assert made.code == 0
    assert "31 servers; 8 leaf switches, 4 spines; links: 248 server-leaf, 256 leaf-spine" in made.err
    design = document.load(tmp_path / "a")
    assert sum(len(device.reserved_ports) for device in design.devices.values()) == 4


def test_what_was_assumed_and_what_the_source_leaves_open_is_said(fabric_designer, tmp_path):
    made = fabric_designer("generate", "preset", "era-2-4-3-200-32", "--cables", "none", "-o", tmp_path / "a")
    assert made.code == 0
    assert "Assumed: Rates of NICs and switches are not published" in made.err
    made = fabric_designer("generate", "preset", "era-289-1su", "--cables", "none", "-o", tmp_path / "b")
    assert "Open in the source: simulation file: some links may be sub-ports of one cage." in made.err


def test_a_design_made_from_a_preset_says_where_it_comes_from(fabric_designer, tmp_path):
    preset = ("generate", "preset", "era-289-1su", "--cables", "none", "--force", "-o", tmp_path / "a")
    fabric_designer(*preset)
    settings = document.load(tmp_path / "a").settings
    assert settings.name == "NVIDIA Enterprise RA 2-8-9-400, 1 SU (4 nodes), all links"
    assert settings.notes.splitlines() == [
        "Started from a published design: NVIDIA Enterprise RA 2-8-9-400, 1 SU (4 nodes), all links "
        "(preset era-289-1su).",
        "Source: NVIDIA/enterprise-ras (public repository): spectrum-era topology files, ERA-243, ERA-285, ERA-289 "
        "topology JSON (every link listed), 2026-04-17 (official).",
        "Address: github.com/NVIDIA/enterprise-ras",
        "Open in the source: simulation file: some links may be sub-ports of one cage.",
    ]
    fabric_designer(*preset, "--servers", "5", "--name", "Lab")
    changed = document.load(tmp_path / "a").settings
    assert changed.name == "Lab"
    assert changed.notes.splitlines()[-1] == "Other than published: Servers."
    assert "Other than published: Servers." in fabric_designer("info", tmp_path / "a").out.splitlines()
    fabric_designer("generate", "torus", "--dims", "4x4", "-o", tmp_path / "b")
    plain = document.load(tmp_path / "b").settings
    assert (plain.name, plain.notes) == ("4x4 torus, 16 hosts", "")


def test_options_and_units_bend_a_published_design(fabric_designer, tmp_path):
    preset = ("generate", "preset", "dgx-superpod-h100-4su", "--cables", "none", "--force", "-o", tmp_path / "a")
    assert "63 servers; 16 leaf switches, 8 spines" in fabric_designer(*preset, "--scale", "2").err
    assert "40 servers; 16 leaf switches" in fabric_designer(*preset, "--scale", "2", "--servers", "40").err
    assert "127 servers; 32 leaf switches, 8 spines" in fabric_designer(*preset, "--oversubscription", "2:1").err
    refused = fabric_designer(*preset, "--scale", "0")
    assert refused.code == 2 and "Invalid value for '--scale': 0" in refused.err


def test_a_flag_that_a_preset_sets_can_be_taken_back(fabric_designer, tmp_path):
    preset = ("generate", "preset", "rail-only-128", "--cables", "none", "--force", "-o", tmp_path / "a")
    assert "8 leaf switches; links: 1,024 server-leaf" in fabric_designer(*preset).err
    assert "1,024 leaf-spine" in fabric_designer(*preset, "--no-rail-only").err


def test_a_preset_that_is_not_there_is_refused_with_those_near_it(fabric_designer, tmp_path):
    refused = fabric_designer("generate", "preset", "dgx-superpod-h100", "-o", tmp_path / "a")
    assert refused.code == 2
    assert "there is no preset 'dgx-superpod-h100'; near it: dgx-superpod-h100-4su" in refused.err
    refused = fabric_designer("generate", "preset", "groqrack", "-o", tmp_path / "a")
    assert refused.code == 2 and "Groq GroqRack (ALCF) cannot be generated: It has no switches" in refused.err
    assert ".;" not in refused.err
    assert not (tmp_path / "a").exists()


def test_a_preset_says_its_source_in_its_help(fabric_designer):
    stated = fabric_designer("generate", "preset", "deepseek-mpft-16384", "--help")
    assert stated.code == 0
    assert "Source: " in stated.out and "DeepSeek" in stated.out
    assert "[default: 2048]" in stated.out


def test_a_group_of_commands_without_one_lists_them_line_by_line(fabric_designer):
    for words in (("generate",), ("generate", "preset"), ("catalog",)):
        stated = fabric_designer(*words)
        assert stated.code == 2
        assert "Commands:" in stated.err.splitlines()


def test_counts_are_printed_and_nothing_is_written(fabric_designer, tmp_path):
    stated = fabric_designer("generate", "preset", "openai-mrc-131072", "--counts")
    assert stated.code == 0
    assert "    6,144  switches in all" in stated.out.splitlines()
    assert "1,048,576  links between switches, without those of hosts" in stated.out.splitlines()
    assert "2,097,152  links in all, with those of hosts" in stated.out.splitlines()
    assert "build one plane alone (only plane)." in stated.err
    refused = fabric_designer("generate", "preset", "openai-mrc-131072", "-o", tmp_path / "a")
    assert refused.code == 2 and "more than a design holds" in refused.err
    assert not list(tmp_path.iterdir())


def test_a_fabric_without_a_file_to_write_is_refused(fabric_designer):
    refused = fabric_designer("generate", "torus", "--dims", "4x4")
    assert refused.code == 2 and "Missing option '-o' / '--output'" in refused.err


def test_ports_reserved_for_appliances_are_counted_apart(fabric_designer):
    stated = fabric_designer("generate", "preset", "dgx-superpod-h100-1su", "--counts").out.splitlines()
    assert "  248  links between servers and leafs" in [f"  {line.strip()}" for line in stated]
    assert "  252  links of leafs to servers and reserved ports" in [f"  {line.strip()}" for line in stated]
    plain = fabric_designer("generate", "preset", "dgx-superpod-b200-2su", "--counts").out
    assert "reserved" not in plain
