"""Networks other than compute on the command line: generated, summarized, simulated alone."""


def test_generate_adds_networks_that_info_and_simulate_tell_apart(fabric_designer, tmp_path):
    path = tmp_path / "pod.fabric"
    made = fabric_designer(
        "generate",
        "rail-optimized",
        "--switch",
        "nvidia-qm9700",
        "--server",
        "dgx-h100",
        "--servers",
        "4",
        "--rail-only",
        "--storage-switch",
        "nvidia-qm9700",
        "--oob-switch",
        "generic-switch-48x1g",
        "-o",
        path,
    )
    assert made.code == 0
    assert "added 2 networks: 30 links, 3 leaf switches, 2 groups, 1 rack and 12 NICs;" in made.err
    assert "; 56 to 60 ports left on each 400G leaf; 34 ports left on the 1G leaf." in made.err
    reported = fabric_designer("info", path, "--format", "json").json
    assert reported["counts"]["switches"] == {"leaf": 8}
    assert reported["networks"]["storage"]["links"] == {"server-leaf": 16}
    assert "out-of-band management" in fabric_designer("info", path).out
    run = ("simulate", path, "--collective", "all-gather", "--size", "1GiB", "--format", "json")
    fabric, storage = fabric_designer(*run).json, fabric_designer(*run, "--network", "storage").json
    assert storage["ranks"] == fabric["ranks"] == 32
    names = {one["to"] for one in storage["bottlenecks"]} | {one["from"] for one in storage["bottlenecks"]}
    assert not any(name.startswith("leaf-") for name in names)
    plan = tmp_path / "cables.csv"
    assert fabric_designer("export", path, "--to", "cable-plan", "-o", plan).code == 0
    svg = tmp_path / "pod.svg"
    assert fabric_designer("export", path, "--to", "svg", "--option", "networks=storage,oob", "-o", svg).code == 0
    assert "storage-leaf-01" in svg.read_text()
    assert "leaf-su1-r1" not in svg.read_text()
    bad = fabric_designer("export", path, "--to", "svg", "--option", "networks=disk", "-o", tmp_path / "x.svg")
    assert bad.code == 2
    assert "there is no network 'disk'" in bad.err
    assert {line.split(",")[4] for line in plan.read_text().splitlines()} >= {"network", "compute", "storage", "oob"}


def test_a_network_that_no_source_states_ports_for_is_refused(fabric_designer, tmp_path):
    stated = fabric_designer(
        "generate",
        "rail-optimized",
        "--switch",
        "nvidia-qm9700",
        "--server",
        "hgx-h100-oem",
        "--servers",
        "4",
        "--oob-switch",
        "generic-switch-48x1g",
        "-o",
        tmp_path / "pod.fabric",
    )
    assert stated.code == 2
    assert "no out-of-band management port is stated for HGX H100 8-GPU server" in stated.err
    assert not (tmp_path / "pod.fabric").exists()


def test_a_network_the_design_does_not_have_is_refused_by_its_name(fabric_designer, oversubscribed_file, tmp_path):
    torus = tmp_path / "torus.fabric"
    assert fabric_designer("generate", "torus", "--dims", "4x4", "-o", torus).code == 0
    for path in (oversubscribed_file, torus):
        run = ("simulate", path, "--size", "1M", "--collective", "all-reduce", "--network")
        fabric_designer(*run, "storage").assert_refused("this design has no storage network")
        fabric_designer(*run, "oob").assert_refused("this design has no out-of-band management network")
