"""The commands whose results are compared between two commits, and the files they read besides the examples.

A row is a name and a command line; lines that begin with a blank go on with the one before. Rows run in this order in
one folder, so that later ones read what earlier ones wrote. `examples/`, `golden/` and `netbox/` lie in that folder.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """`name` is also the folder in which its results are kept."""

    name: str
    arguments: tuple[str, ...]


def log_of(part: str, *measured: tuple[float, float, float]) -> str:
    """A log of nccl-tests for a part of a fabric, with time in us, algbw and busbw at 64 MiB and 1 GiB."""
    rows = (
        f"{size:12d} {size // 4:12d} float sum -1 {time_us:9.2f} {algbw:7.2f} {busbw:7.2f} 0\n"
        for size, (time_us, algbw, busbw) in zip((64 << 20, 1 << 30), measured, strict=True)
    )
    return (
        f"# fabric-designer part: {part}\n# nThread 1 nGpus 1 minBytes 67108864 maxBytes 1073741824 warmup iters: 5\n"
        f"#       size         count      type   redop    root     time   algbw   busbw #wrong\n{''.join(rows)}"
    )


FILES = {
    "jobs.yaml": """\
jobs:
  - {name: train, collective: all-reduce, ranks: 0-31, size: 256MiB}
  - {name: load, traffic: "shift:8", ranks: [32, 33, "34-63"], size: 100M, start: 1ms, loop: yes}
""",
    "jobs.json": '{"jobs": [{"name": "a", "traffic": "shift:2", "ranks": "0-1,4-5", "size": "100M"}, '
    '{"name": "b", "traffic": "shift:2", "ranks": [2, 3, "6-7"], "size": 100000000, "loop": false}]}\n',
    "no-jobs.yaml": "colour: red\n",
    "search.yaml": "gpus: 64\nworkloads: [{collective: all-reduce, size: 256MiB}]\nfamilies:\n"
    "  - {family: rail-optimized, server: dgx-h100, servers_per_su: [4, 8], oversubscription: [1, 2]}\n",
    "prices.csv": "part number,price,currency,date,discount\nDGX H100,300000,USD,2026-11-01,10%\n"
    "QM9700,25000,EUR,2026-10-01,\n",
    "plan.yaml": "family: fat-tree\nphases:\n  - parameters: {server: dgx-h100, servers: 8}\n"
    "  - parameters: {servers: 16}\n",
    "run.log": log_of("whole", (620.1, 108.22, 205.62), (8590.0, 125.0, 237.5)),
    "unit.log": log_of("unit 1", (600.2, 111.81, 211.6), (6500.0, 165.19, 312.6)),
    "pairs.csv": "0,9,1000000\n3,40,2500000\n17,8,1e6\n",
    "bad-pairs.csv": "0,9,many\n",
    "ranks.txt": "0\n4\n8-11\n",
    "broken.fabric": '{"format": "fabric-design", "version": 5,\n"settings": {"name": \n',
    "newer.fabric": '{"format": "fabric-design", "version": 999, "settings": {"name": "from the future"}}\n',
    "other.fabric": '{"format": "recipe", "version": 1}\n',
    "empty.fabric": '{"format": "fabric-design", "version": 5, "settings": {"name": "nothing here"}}\n',
    "bad-type.yaml": "manufacturer: Acme\n",
    "type.yaml": "manufacturer: Acme\nmodel: A-32\nslug: acme-a32\nu_height: 1\nis_full_depth: true\ninterfaces:\n"
    + "".join(f"  - {{name: swp{port}, type: 400gbase-x-osfp}}\n" for port in range(1, 33)),
}

GENERATED = """
fat-tree            generate fat-tree --server dgx-h100 --servers 8 --oversubscription 2 --spines 2 -o ft.fabric
fat-tree-3-tiers    generate fat-tree --server dgx-h100 --servers 32 --tiers 3 --pod-size 4 -o ft3.fabric
fat-tree-1-tier     generate fat-tree --server dgx-h100 --servers 6 --tiers 1 --racks none --cables none -o ft1.fabric
fat-tree-numbers    generate fat-tree --server dgx-h100 --servers 23 --spines 6 --reserve-leaf-ports 4 --name Numbers
                    --cables lengths -o ft-numbers.fabric
fat-tree-planes     generate fat-tree --switch nvidia-sn5600 --server dgx-b300 --servers 16 --planes 2 --nic-mode
                    2x400G -o ft-planes.fabric
fat-tree-types      generate fat-tree --switch nvidia-sn5600 --spine-switch arista-7060x6-64pe --server hgx-h100-oem
                    --servers 20 --oversubscription 3:2 -o ft-types.fabric
fat-tree-generic    generate fat-tree --switch generic-switch --server generic-host --servers 48 --link-rate 200G
                    --nic-rate 200G -o ft-generic.fabric
fat-tree-networks   generate fat-tree --server dgx-h100 --servers 12 --storage-switch nvidia-qm9700
                    --in-band-switch nvidia-sn4600c --oob-switch nvidia-sn2201 --oob-uplinks 2 -o networks.fabric
pod-of-two-leafs    generate fat-tree --switch nvidia-sn5600 --server dgx-b300 --servers 4 --tiers 1 --planes 2
                    --inter-leaf-links 4 -o pod.fabric
rail                generate rail-optimized --server dgx-h100 --servers 8 --spines 2 -o rail.fabric
rail-units          generate rail-optimized --server dgx-h100 --servers 24 --servers-per-su 16 --reserve-leaf-ports 4
                    -o rail-units.fabric
rail-only           generate rail-optimized --server dgx-h100 --servers 8 --rail-only --cables none -o rail-only.fabric
rail-3-tiers        generate rail-optimized --server dgx-h100 --servers 64 --servers-per-su 16 --tiers 3 --pod-size 2
                    -o rail3.fabric
rail-common-spines  generate rail-optimized --server dgx-h100 --servers 64 --servers-per-su 16 --tiers 3
                    --spine-groups common --racks none -o rail-common.fabric
rail-full-units     generate rail-optimized --server dgx-a100 --switch nvidia-qm8790 --servers 10 --full-units --rails 4
                    -o rail-full.fabric
rail-racks          generate rail-optimized --server gb200-nvl72 --servers 2 -o nvl72.fabric
pgft                generate pgft --children 4,4 --parents 1,2 -o pgft.fabric
pgft-3-levels       generate pgft --children 4,4,4 --parents 1,2,2 --parallel 1,2,1 --link-rate 100G -o pgft3.fabric
k-ary               generate k-ary-fat-tree --k 4 -o k4.fabric
k-ary-types         generate k-ary-fat-tree --k 6 --link-rate 800G --racks none --name "k of six" -o k6.fabric
torus               generate torus --dims 8x8 -o torus.fabric
torus-3d            generate torus --dims 4x4x4 --link-rate 200G -o torus3.fabric
mesh                generate torus --dims 4x6 --mesh --cables none -o mesh.fabric
torus-types         generate torus --dims 4x4 --node tpu-v4-chip -o tpu.fabric
dragonfly           generate dragonfly --p 2 --a 4 --h 2 -o df.fabric
dragonfly-groups    generate dragonfly --p 2 --a 4 --h 2 --groups 5 --links-per-pair 2 --arrangement absolute
                    --link-rate 200G -o df5.fabric
dragonfly-servers   generate dragonfly --p 8 --a 4 --h 2 --groups 4 --node dgx-h100 -o df-dgx.fabric
dragonfly-plus      generate dragonfly-plus --leafs 4 --spines 4 --p 4 --h 2 --groups 5 -o dfp.fabric
dragonfly-plus-all  generate dragonfly-plus --leafs 2 --spines 2 --p 2 --h 2 --arrangement absolute -o dfp-all.fabric
new-hyperx          generate hyperx --dims 4x3 --widths 1,2 --p 2 -o hyperx.fabric
new-hyperx-servers  generate hyperx --dims 3x3x2 --p 8 --node dgx-h100 -o hyperx-dgx.fabric
scale-up            generate scale-up --server gb200-compute-tray --trays 18 --switches 9 -o nvl72.fabric
scale-up-levels     generate scale-up --server gb200-compute-tray --trays 9 --switches 9 --groups 4 \
                    --upper-switches 1 -o levels.fabric
new-slim-fly        generate slim-fly --q 5 -o sf.fabric
new-slim-fly-no     generate slim-fly --q 6 -o sf6.fabric
new-jellyfish       generate jellyfish --switches 20 --degree 6 --p 4 --seed 7 -o jellyfish.fabric
new-jellyfish-no    generate jellyfish --switches 8 --degree 1 --p 1 -o jellyfish-no.fabric
new-graph           generate graph --graph circulant --arguments 16,1,5 --p 2 -o graph.fabric
new-graph-no        generate graph --graph petersen --arguments 5 --p 1 -o graph-no.fabric
"""

REPORTED = """
info-text           info examples/superpod-h100-4su.fabric
info-json           info examples/superpod-h100-4su.fabric --format json
info-prices         info examples/superpod-h100-4su.fabric --prices prices.csv
cost-text           cost examples/superpod-h100-4su.fabric --prices prices.csv --energy-price "0.12 USD" --pue 1.3
cost-json           cost examples/superpod-h100-4su.fabric --prices prices.csv --currency USD --rates EUR=1.1
                    --format json
phases-text         phases plan.yaml --prices prices.csv
info-faults         info examples/faults.fabric --format json
info-jobs           info examples/fat-tree-16-2to1.fabric
info-networks       info networks.fabric
info-networks-json  info networks.fabric --format json
new-list            list networks.fabric --select role:leaf --format json
new-list-links      list rail-chosen.fabric --select kind:link
new-rename          rename examples/superpod-h100-4su.fabric --select role:leaf --pattern tor-{n:02} -o tor.fabric
new-diff            diff examples/superpod-h100-4su.fabric examples/fat-tree-16-2to1.fabric --top 40
new-merge           merge examples/superpod-h100-4su.fabric tor.fabric examples/superpod-h100-4su.fabric -o both.fabric
info-torus          info torus3.fabric --format json
info-dragonfly      info df.fabric
info-rack-systems   info nvl72.fabric --format json
info-empty          info empty.fabric
info-golden-1       info golden/every_field_v1.fabric --format json
info-golden-5       info golden/every_field_v5.fabric
validate-superpod   validate examples/superpod-h100-4su.fabric
validate-faults     validate examples/faults.fabric
validate-json       validate examples/faults.fabric --format json
validate-ratio      validate examples/fat-tree-16-2to1.fabric --format json
validate-networks   validate networks.fabric --format json
validate-numbers    validate ft-numbers.fabric
validate-torus      validate torus.fabric
validate-csv        validate examples/faults.fabric --format csv
validate-sarif      validate examples/faults.fabric --format sarif
validate-page       validate examples/faults.fabric --format html
validate-ports      validate examples/faults.fabric --rules PORT --fail-on warning
fix-names           fix examples/faults.fabric --rules NAME -o fixed.fabric
rules               rules
rules-json          rules --format json
rules-one           rules over-001
validate-golden     validate golden/every_field_v5.fabric --format json
validate-empty      validate empty.fabric
prepare             prepare ft1.fabric -o ft1-ready.fabric
prepare-place       prepare mesh.fabric --place -o mesh-placed.fabric
prepare-route       prepare rail-only.fabric --place --route -o rail-routed.fabric
prepare-choose      prepare rail-routed.fabric --choose -o rail-chosen.fabric
prepare-golden      prepare golden/every_field_v4.fabric -o golden-ready.fabric
arrange             arrange ft1.fabric -o ft1-arranged.fabric
arrange-grid        arrange mesh.fabric --layout grid -o mesh-grid.fabric
"""

PICTURES_AND_PLANS = """
acceptance-page     export rail-units.fabric --to acceptance -o acceptance.html
plan                export examples/superpod-h100-4su.fabric --to cable-plan -o superpod.csv
plan-both-ways      export networks.fabric --to cable-plan --option both-ways=yes -o networks.csv
plan-gaps           export rail-routed.fabric --to cable-plan -o gaps.csv
plan-faults         export examples/faults.fabric --to cable-plan -o faults.csv
workbook            export networks.fabric --to cable-plan-xlsx -o networks.xlsx
new-change-order    export networks.fabric --to change-order --option since=networks.fabric -o networks-changes.csv
new-p2p-ethernet    export networks.fabric --to p2p-ethernet -o p2p-ethernet.csv
new-p2p-infiniband  export examples/superpod-h100-4su.fabric --to p2p-infiniband -o p2p-infiniband.csv
new-cvt             export networks.fabric --to cvt -o cvt.xlsx
new-avd             export networks.fabric --to avd -o avd.csv
new-shcd            export networks.fabric --to shcd -o shcd.xlsx
new-opa             export networks.fabric --to opa -o opa.csv
new-ibsim           export examples/superpod-h100-4su.fabric --to ibsim -o superpod.net
new-drawio          export networks.fabric --to drawio -o networks.drawio
new-dxf             export rail-routed.fabric --to dxf -o rail.dxf
new-graphml         export networks.fabric --to graphml -o networks.graphml
new-graphml-yed     export networks.fabric --to graphml-yed -o networks-yed.graphml
new-gexf            export networks.fabric --to gexf -o networks.gexf
new-dot             export networks.fabric --to dot -o networks.dot
new-dot-ptm         export networks.fabric --to dot-ptm -o networks-ptm.dot
new-dot-cvt         export networks.fabric --to dot-cvt --option os=cumulus -o networks-cvt.dot
new-topo            export examples/superpod-h100-4su.fabric --to topo -o superpod-topo.zip
new-slurm           export examples/superpod-h100-4su.fabric --to slurm -o topology.conf
new-hosts           export examples/superpod-h100-4su.fabric --to hostnames -o hosts.txt
new-netbox          export examples/superpod-h100-4su.fabric --to netbox -o netbox.zip
new-simgrid         export examples/superpod-h100-4su.fabric --to simgrid --option ranks=0-31 -o platform.xml
new-nccl-topo       export examples/superpod-h100-4su.fabric --to nccl-topo -o nccl.zip
new-simai           export examples/superpod-h100-4su.fabric --to simai -o simai.topo
new-infragraph      export examples/superpod-h100-4su.fabric --to infragraph -o infragraph.yaml
new-hedgehog        export networks.fabric --to hedgehog --option networks=in-band -o hedgehog.yaml
new-air             export networks.fabric --to air -o air.json
new-containerlab    export networks.fabric --to containerlab -o containerlab.yml
new-astra-sim       export examples/superpod-h100-4su.fabric --to astra-sim --option flatten=yes -o astra.yml
workbook-gaps       export rail-routed.fabric --to cable-plan-xlsx --option both-ways=yes -o gaps.xlsx
bill                export networks.fabric --to bill-of-materials -o bill.csv
bill-json           export rail-chosen.fabric --to bill-of-materials --option prices=prices.csv -o bill.json
bill-xlsx           export examples/superpod-h100-4su.fabric --to bill-of-materials --option prices=prices.csv
                    --option spares=all:2%:1 -o bill.xlsx
pack                pack ft.fabric -o ft.zip --without drawings,labels,plan,bill
pack-redacted       pack networks.fabric -o redacted.zip --redact --without drawings,labels,plan,bill
new-devices         export networks.fabric --to devices -o devices.csv
labels              export networks.fabric --to labels -o labels.csv
labels-sheets       export ft.fabric --to labels --option grid=3x8 --option width=60 --option height=30 -o labels.pdf
drawings            export networks.fabric --to drawings -o networks.pdf
drawings-a3         export rail-routed.fabric --to drawings --option paper=a3 --option sheets=floor,racks -o a3.pdf
drawings-page       export networks.fabric --to drawings --option page=2 -o page.svg
svg                 export ft.fabric --to svg -o ft.svg
svg-floor           export rail-routed.fabric --to svg --option view=floor -o floor.svg
pdf-elevation       export rail-routed.fabric --to pdf --option view=elevation --option side=rear -o elevation.pdf
svg-dark            export rail.fabric --to svg --option theme=dark -o rail.svg
svg-heat            export ft3.fabric --to svg --option heat=all-reduce:ring --option size=64MiB
                    --option routing=ecmp -o ft3.svg
svg-traffic         export df.fabric --to svg --option heat=shift:8 --option routing=valiant -o df.svg
svg-networks        export networks.fabric --to svg --option networks=storage,oob -o networks.svg
svg-jobs            export examples/fat-tree-16-2to1.fabric --to svg --option jobs=yes -o jobs.svg
svg-failed          export rail.fabric --to svg --option heat=all-to-all
                    --option fail=spine-01,leaf-su1-r2:1/1 -o failed.svg
svg-findings        export examples/faults.fabric --to svg --option findings=yes -o faults.svg
svg-torus           export torus3.fabric --to svg -o torus3.svg
svg-rack-systems    export nvl72.fabric --to svg -o nvl72.svg
pdf                 export ft.fabric --to pdf -o ft.pdf
pdf-heat            export rail.fabric --to pdf --option heat=all-reduce --option theme=dark -o rail.pdf
pdf-findings        export examples/faults.fabric --to pdf --option findings=yes --option jobs=yes -o faults.pdf
png                 export ft.fabric --to png --option width=800 -o ft.png
png-heat            export torus.fabric --to png --option width=1000 --option heat=all-reduce:bucket -o torus.png
png-jobs            export examples/fat-tree-16-2to1.fabric --to png --option width=900 --option jobs=yes
                    --option theme=dark --option fail=spine-01 -o jobs.png
"""

SIMULATED = """
simulate-text       simulate examples/superpod-h100-4su.fabric --collective all-reduce --size 1GiB
simulate-json       simulate examples/superpod-h100-4su.fabric --collective all-reduce --size 1GiB --format json
simulate-all-to-all simulate rail-units.fabric --collective all-to-all --size 256MiB --links all
simulate-ecmp       simulate rail-units.fabric --collective all-reduce --size 256MiB --routing ecmp --seed 7
simulate-three      simulate ft3.fabric --collective all-gather --size 64MiB --routing destination --links all
simulate-planes     simulate ft-planes.fabric --collective all-reduce --size 1GiB --format json
simulate-racks      simulate nvl72.fabric --collective all-reduce --algorithm hierarchical --size 1GiB
simulate-storage    simulate networks.fabric --traffic incast:4 --size 1GB --network storage --format json
simulate-in-band    simulate networks.fabric --traffic bisection --size 10M --network in-band --format json
order-rail          simulate ft.fabric --collective all-reduce --size 16MiB --order rail --format json
order-topology      simulate ft.fabric --collective all-reduce --size 16MiB --order topology --format json
order-random        simulate ft.fabric --collective all-reduce --size 16MiB --order random --seed 5 --format json
channels            simulate ft.fabric --collective all-reduce --size 16MiB --channels 1 --format json
chunk               simulate ft.fabric --collective broadcast --size 16MiB --chunk 256KiB --format json
small               simulate ft.fabric --collective all-reduce --size 8 --format json
efficiency          simulate ft.fabric --collective all-reduce --size 16MiB --efficiency 0.9 --latency none
                    --format json
exact               simulate ft.fabric --traffic permutation:2 --routing ecmp --size 16MiB --exact --format json
in-network          simulate rail.fabric --collective all-reduce --size 64MiB --in-network-reduction --format json
in-network-rails    simulate rail.fabric --collective all-reduce --algorithm hierarchical --size 64MiB
                    --in-network-reduction
in-network-trees    simulate rail.fabric --collective all-reduce --algorithm double-binary-tree --size 64MiB
                    --in-network-reduction --format json
ranks-count         simulate ft.fabric --collective all-reduce --size 16MiB --ranks 16 --format json
ranks-list          simulate ft.fabric --collective all-reduce --size 16MiB --ranks 0-7,16,18-20 --format json
ranks-file          simulate ft.fabric --traffic shift:1 --size 1M --ranks ranks.txt --format json
bucket-dimensions   simulate pgft.fabric --collective all-reduce --algorithm bucket:4x4 --size 16MiB --format json
congestion          simulate pgft.fabric --traffic incast:3+shift:1 --size 1M --congestion head-of-line
congestion-json     simulate pgft3.fabric --traffic incast:9+shift:1 --size 1M --congestion head-of-line --format json
through             simulate ft.fabric --collective all-reduce --size 64MiB --through leaf-01:32/2
through-json        simulate ft.fabric --traffic shift:4 --size 64MiB --routing ecmp --through leaf-01:31/1
                    --format json
through-torus       simulate torus.fabric --traffic shift:3 --size 1M --routing dimension-order --through router-1-1:2
paths               paths examples/fat-tree-16-2to1.fabric gpu-01 gpu-16 --traffic all-to-all --size 1M --routing ecmp
paths-json          paths df.fabric host-01 host-09 --routing valiant --paths top:5 --format json
matrix              matrix examples/superpod-h100-4su.fabric --heat permutation:1 --routing ecmp --size 1M --top 5
matrix-json         matrix examples/fat-tree-16-2to1.fabric --rows server --columns leaf --fail spine-01 --format json
advise              advise ft.fabric --traffic all-to-all --size 1M --routing ecmp --format json
traffic-all-to-all  simulate ft.fabric --traffic all-to-all --size 1M --format json
traffic-shift       simulate ft3.fabric --traffic shift:8 --size 1M --routing ecmp --format json
traffic-permutation simulate ft3.fabric --traffic permutation:3 --size 1M --routing destination --format json
traffic-incast      simulate ft3.fabric --traffic incast:12 --size 1M
traffic-server      simulate rail-units.fabric --traffic server-incast:12 --size 1M
traffic-bisection   simulate rail-units.fabric --traffic bisection --size 1M --format json
traffic-broadcast   simulate ft.fabric --traffic broadcast --size 1M --order random --seed 3 --format json
traffic-pairs       simulate ft.fabric --traffic pairs:pairs.csv --size 1M --links all --format json
traffic-two         simulate ft.fabric --traffic shift:1+incast:5 --size 1M --format json
mesh-order          simulate mesh.fabric --traffic all-to-all --size 1M --routing dimension-order --format json
mesh-bucket         simulate mesh.fabric --collective all-reduce --algorithm bucket --size 1M --format json
torus-3d-bucket     simulate torus3.fabric --collective all-reduce --algorithm bucket --size 64MiB
dragonfly-spray     simulate df.fabric --traffic shift:8 --size 1M --routing spray --format json
dragonfly-valiant   simulate df.fabric --traffic shift:8 --size 1M --routing valiant --format json
dragonfly-adaptive  simulate df.fabric --traffic shift:8 --size 1M --routing adaptive --format json
dragonfly-all       simulate df5.fabric --traffic all-to-all --size 1M --routing adaptive --format json
dragonfly-hashed    simulate df-dgx.fabric --collective all-reduce --size 64MiB --routing ecmp --format json
dragonfly-plus-a2a  simulate dfp.fabric --traffic all-to-all --size 1M --routing valiant --format json
dragonfly-plus-ugal simulate dfp.fabric --traffic permutation:1 --size 1M --routing adaptive
k-ary-hashed        simulate k4.fabric --traffic permutation:1 --size 1M --routing ecmp
k-ary-destination   simulate k6.fabric --traffic bisection --size 1M --routing destination --format json
tpu                 simulate tpu.fabric --collective all-gather --algorithm bucket --size 64MiB --format json
sizes               simulate ft.fabric --collective all-reduce --sizes 8:1GiB:16
sizes-json          simulate ft.fabric --collective all-reduce --sizes 1KiB:64MiB:8 --algorithm
                    ring,double-binary-tree,hierarchical --routing spray,ecmp --format json
"""

FAILED = """
fail-spine          simulate ft.fabric --collective all-reduce --size 64MiB --fail spine-01 --format json
fail-port           simulate ft.fabric --collective all-reduce --size 64MiB --fail leaf-01:32/2 --fail gpu-02
                    --ranks 0-7,16-31
fail-ecmp           simulate rail-units.fabric --traffic permutation:1 --size 1M --routing ecmp --fail spine-02
                    --format json
fail-torus          simulate torus.fabric --traffic all-to-all --size 1M --fail router-4-4:2 --format json
compare             simulate ft.fabric --collective all-reduce --size 64MiB --fail spine-01 --compare
compare-json        simulate ft.fabric --collective all-reduce --size 64MiB --fail gpu-01 --compare --format json
                    --links top:3
compare-optic       simulate rail.fabric --collective all-to-all --size 64MiB --fail leaf-su1-r3:2/1 --compare
                    --format json
sweep-links         simulate rail.fabric --collective all-reduce --size 64MiB --sweep single-link --links top:5
sweep-switches      simulate ft.fabric --collective all-reduce --size 64MiB --sweep single-switch --links all
                    --format json
sweep-optics        simulate ft.fabric --traffic shift:8 --size 1M --sweep single-optic --format json
sweep-nics          simulate ft.fabric --collective all-reduce --size 64MiB --sweep single-nic --format json
sweep-servers       simulate ft.fabric --collective all-reduce --size 64MiB --sweep single-server
sweep-racks         simulate ft3.fabric --collective all-reduce --size 64MiB --sweep single-rack --format json
sweep-planes        simulate ft-planes.fabric --collective all-reduce --size 64MiB --sweep single-plane --format json
sweep-pairs         simulate pgft.fabric --traffic shift:4 --size 1M --sweep pairs-link
sweep-pairs-switch  simulate k4.fabric --traffic all-to-all --size 1M --sweep pairs-switch --format json
sweep-random        simulate ft.fabric --collective all-reduce --size 64MiB --sweep monte-carlo:12
                    --failure-rate link=0.02 --failure-rate switch=0.05 --seed 3 --format json
"""

JOBS = """
jobs-text           simulate pgft.fabric --job name=a,traffic=shift:2,ranks=0-1,4-5,size=100M
                    --job name=b,traffic=shift:2,ranks=2-3,6-7,size=64MiB --latency none
jobs-json           simulate pgft.fabric --job name=a,traffic=shift:2,ranks=0-1,4-5,size=100M
                    --job name=b,traffic=shift:2,ranks=2-3,6-7,size=100M,start=1ms,loop=no --links all --format json
jobs-common         simulate pgft.fabric --collective all-reduce --size 1M --order random --job ranks=0-7
                    --job name=x,ranks=8-15,size=2M --job name=y,traffic=incast:3,ranks=5 --format json
jobs-routing        simulate ft.fabric --routing ecmp --seed 4 --job name=a,collective=all-to-all,ranks=0-31,size=64MiB
                    --job name=b,collective=all-reduce,algorithm=double-binary-tree,ranks=32-63,size=64MiB --format json
jobs-congestion     simulate pgft3.fabric --congestion head-of-line --job name=a,traffic=incast:6,ranks=0-31,size=1M
                    --job name=b,traffic=shift:4,ranks=32-63,size=4M
jobs-yaml           simulate ft.fabric --jobs jobs.yaml
jobs-yaml-json      simulate ft.fabric --jobs jobs.yaml --format json
jobs-json-file      simulate ft.fabric --jobs jobs.json --latency none --format json
jobs-of-design      simulate examples/fat-tree-16-2to1.fabric --design-jobs
jobs-of-design-json simulate examples/fat-tree-16-2to1.fabric --design-jobs --routing ecmp --format json
jobs-and-design     simulate examples/fat-tree-16-2to1.fabric --design-jobs --fail spine-01
                    --job name=c,traffic=shift:1,ranks=8-11,size=1M --format json
"""

TRAINED = """
train               train examples/superpod-h100-4su.fabric --model gpt3-175b --gpu-tflops 989 --tensor 8 --pipeline 8
                    --overlap 0.5 --tokens 300e9
train-json          train examples/superpod-h100-4su.fabric --model gpt3-175b --gpu-tflops 989 --zero 1 --tokens 300B
                    --format json
train-llama         train rail-units.fabric --model llama2-70b --gpu-tflops 989 --tensor 8 --pipeline 2 --data 4
                    --algorithm double-binary-tree --layout tensor-pipeline-data --recompute --format json
train-zero-3        train rail-units.fabric --model llama2-70b --gpu-tflops 989 --data 8 --zero 3 --routing ecmp
                    --seed 2
                    --tensor-overlap 0.3 --format json
train-own           train ft.fabric --gpu-tflops 400 --layers 24 --hidden 2048 --sequence 2048 --global-batch 1024
                    --micro-batch 4 --utilization 0.4
train-experts       train rail-units.fabric --gpu-tflops 989 --layers 32 --hidden 4096 --sequence 4096
                    --global-batch 512 --parameters 46.7e9 --experts 8 --top-k 2 --expert-parameters 45e9 --expert 8
                    --tensor 8 --format json
train-failed        train rail.fabric --model llama2-70b --gpu-tflops 989 --tensor 8 --pipeline 8 --fail spine-01
                    --order topology
place               place rail-units.fabric --collective all-reduce --size 64MiB --ranks 32 --routing ecmp --runs 20
place-after         place rail-units.fabric --traffic shift:3 --size 1MiB --ranks 16 --earlier 3 --sizes 8,16 --leave 1
                    --runs 10 --format json
queues              queues ft-generic.fabric --traffic incast:12 --size 4MB
queues-json         queues ft-generic.fabric --traffic incast:12 --size 4MB --parameters simulators --duration 2ms
                    --format json
queues-csv          queues ft-generic.fabric --traffic shift:24 --size 4MB --xoff 200kB --format csv
infer               infer rail-units.fabric --setup llama3-405b-bf16 --gpu-tflops 989 --memory-gbytes-per-s 3350
infer-experts       infer rail-units.fabric --model mixtral-8x7b --gpu-tflops 989 --memory-gbytes-per-s 3350
                    --prefill-expert 16 --decode-expert 8 --overlap 0.5 --arrangement mixed --format json
accept              accept rail-units.fabric --sizes 8:1g:16 -o accepted
accept-nccl         accept rail-units.fabric --collective all-to-all --sizes 1m:1g:32 --model nccl --format json
accept-measured     accept rail-units.fabric --sizes 64m:1g:4 --measured run.log --measured unit.log
                    --format json
calibrate           calibrate run.log unit.log --design rail-units.fabric -o own.yaml
calibrate-json      calibrate run.log unit.log --design rail-units.fabric -o own-too.yaml --format json
explore             explore search.yaml --workers 1
explore-json        explore search.yaml --workers 1 --format json
explore-csv         explore search.yaml --workers 1 -o found.sqlite --format csv
"""

CATALOG = """
catalog-list        catalog list
catalog-list-json   catalog list --format json
catalog-list-search catalog list --kind switch --search "nvidia qm"
catalog-show        catalog show nvidia-qm9700
catalog-show-json   catalog show dgx-h100 --format json
catalog-show-rack   catalog show gb200-nvl72
catalog-show-cable  catalog show dac-ndr-split2 --format json
import-list         import --list
new-import-drawio   import networks.drawio -o from-drawio.fabric
new-import-graphml  import graphml networks.graphml --dry-run
new-import-gexf     import gexf networks.gexf --dry-run
new-import-dot      import dot networks-ptm.dot --dry-run
import-netbox       import netbox-devicetypes netbox -o imported.fabric
import-netbox-file  import netbox-devicetypes netbox/SN5600.yaml -o imported-one.fabric
import-netbox-info  info imported.fabric --format json
catalog-import-some catalog import netbox
catalog-import-none catalog import bad-type.yaml
catalog-import      catalog import type.yaml
catalog-again       catalog import type.yaml
catalog-force       catalog import type.yaml --force
catalog-own         catalog list --search acme
generate-own        generate fat-tree --switch acme-a32 --server dgx-h100 --servers 8 -o own.fabric
"""

HELP = """
version             --version
help                --help
help-generate       generate --help
help-fat-tree       generate fat-tree --help
help-rail           generate rail-optimized --help
help-pgft           generate pgft --help
help-k-ary          generate k-ary-fat-tree --help
help-torus          generate torus --help
help-dragonfly      generate dragonfly --help
help-dragonfly-plus generate dragonfly-plus --help
new-help            generate graph --help
help-simulate       simulate --help
help-train          train --help
help-info           info --help
help-validate       validate --help
help-prepare        prepare --help
help-export         export --help
help-import         import --help
help-catalog        catalog --help
export-list         export --list
"""

MISTAKES = """
no-command          simluate ft.fabric
no-option           info ft.fabric --colour red
no-file             info nowhere.fabric
no-design           info broken.fabric
no-version          info newer.fabric
no-format           validate other.fabric
no-folder           generate pgft --children 4 --parents 1 -o nowhere/x.fabric
no-force            generate pgft --children 4 --parents 1 -o ft.fabric
no-family           generate hypercube --dims 4x4 -o x.fabric
no-type             generate fat-tree --switch nvidia-qm970 --server dgx-h100 --servers 4 -o x.fabric
no-switch           generate fat-tree --switch dgx-h100 --server dgx-h100 --servers 4 -o x.fabric
no-servers          generate fat-tree --server dgx-h100 -o x.fabric
many-servers        generate fat-tree --server dgx-h100 --servers 999999 -o x.fabric
word-for-servers    generate fat-tree --server dgx-h100 --servers many -o x.fabric
no-ratio            generate fat-tree --server dgx-h100 --servers 4 --oversubscription x -o x.fabric
odd-k               generate k-ary-fat-tree --k 5 -o x.fabric
no-dimensions       generate torus --dims 4by4 -o x.fabric
too-many-groups     generate dragonfly --p 2 --a 4 --h 2 --groups 50 -o x.fabric
no-rate             generate pgft --children 8,8 --parents 1,4 --link-rate fast -o x.fabric
levels-disagree     generate pgft --children 8,8 --parents 1,4,4 -o x.fabric
no-rails            generate rail-optimized --server dgx-h100 --servers 8 --rails 3 -o x.fabric
no-mode             generate fat-tree --switch generic-switch --server dgx-b300 --servers 4
                    --nic-mode 1x400G -o x.fabric
no-traffic          simulate ft.fabric --size 1M
two-traffics        simulate ft.fabric --collective all-reduce --traffic shift:1 --size 1M
no-size             simulate ft.fabric --collective all-reduce
word-for-size       simulate ft.fabric --collective all-reduce --size banana
no-collective       simulate ft.fabric --collective all-shrink --size 1M
no-algorithm        simulate ft.fabric --collective all-reduce --algorithm magic --size 1M
no-such-algorithm   simulate ft.fabric --collective broadcast --algorithm ring --size 1M
no-pattern          simulate ft.fabric --traffic drizzle --size 1M
no-routing          simulate ft.fabric --traffic shift:1 --size 1M --routing magic
not-a-torus         simulate ft.fabric --traffic shift:1 --size 1M --routing dimension-order
no-bucket           simulate ft.fabric --collective all-reduce --algorithm bucket --size 1M
no-power-of-two     simulate ft.fabric --collective all-reduce --algorithm halving-doubling --size 1M --ranks 12
uneven-servers      simulate ft.fabric --collective all-reduce --algorithm hierarchical --size 1M --ranks 12
no-order            simulate ft.fabric --traffic shift:1 --size 1M --order magic
no-efficiency       simulate ft.fabric --traffic shift:1 --size 1M --efficiency 7
no-rank             simulate ft.fabric --traffic shift:1 --size 1M --ranks 99999
no-range            simulate ft.fabric --traffic shift:1 --size 1M --ranks 5-1
no-device           simulate ft.fabric --traffic shift:1 --size 1M --fail leaf-99
no-port             simulate ft.fabric --traffic shift:1 --size 1M --fail leaf-01:999
no-link             simulate ft.fabric --traffic shift:1 --size 1M --through leaf-9:1
no-way-left         simulate pgft.fabric --traffic shift:4 --size 1M --fail spine-01 --fail spine-02
no-memory           simulate ft.fabric --traffic permutation:1 --size 1MB --memory-limit 1kB
no-network          simulate ft.fabric --traffic shift:1 --size 1M --network storage
no-pairs            simulate ft.fabric --traffic pairs:bad-pairs.csv --size 1M
no-sweep            simulate ft.fabric --traffic shift:1 --size 1M --sweep twice-link
no-samples          simulate ft.fabric --traffic shift:1 --size 1M --sweep monte-carlo:5
no-planes           simulate ft.fabric --traffic shift:1 --size 1M --sweep single-plane
compare-nothing     simulate ft.fabric --traffic shift:1 --size 1M --compare
in-network-where    simulate ft.fabric --collective all-gather --size 1M --in-network-reduction
no-job              simulate ft.fabric --job train
no-job-field        simulate ft.fabric --job name=a,colour=red,size=1M,traffic=shift:1
no-job-size         simulate ft.fabric --job name=a,traffic=shift:1
job-twice           simulate ft.fabric --job name=a,traffic=shift:1,size=1M --job name=a,traffic=shift:2,size=1M
no-jobs             simulate ft.fabric --jobs no-jobs.yaml
no-design-jobs      simulate ft.fabric --design-jobs
no-model            train ft.fabric --model gpt5 --gpu-tflops 989
no-peak             train ft.fabric --model gpt3-175b
no-layers           train rail-units.fabric --model gpt3-175b --gpu-tflops 989 --pipeline 7
too-few-gpus        train ft.fabric --model gpt3-175b --gpu-tflops 989 --tensor 8 --data 500
no-exporter         export ft.fabric --to visio -o x.vsd
no-export-option    export ft.fabric --to svg --option colour=red -o x.svg
no-theme            export ft.fabric --to svg --option theme=pink -o x.svg
no-width            export ft.fabric --to png --option width=9 -o x.png
no-heat             export ft.fabric --to svg --option heat=drizzle -o x.svg
no-export-network   export networks.fabric --to svg --option networks=disk -o x.svg
nothing-to-draw     export empty.fabric --to svg -o x.svg
no-importer         import visio netbox -o x.fabric
no-import-output    import netbox-devicetypes netbox
no-catalog-type     catalog show qm9700x
prepare-over        prepare ft1.fabric -o ft1.fabric
"""

ALGORITHMS = {
    "all-reduce": (
        "ring",
        "hierarchical",
        "hierarchical-pipelined",
        "double-binary-tree",
        "halving-doubling",
        "direct",
        "bucket",
    ),
    "all-gather": ("ring", "hierarchical", "hierarchical-pipelined", "recursive", "direct", "bucket"),
    "reduce-scatter": ("ring", "hierarchical", "hierarchical-pipelined", "recursive", "direct", "bucket"),
    "all-to-all": ("direct", "hierarchical"),
    "broadcast": ("chain", "binomial-tree"),
    "reduce": ("chain", "binomial-tree"),
    "send-recv": ("neighbours",),
}
"""Not read from the program: a pair that is lost must be noticed."""

DESIGN_FOR = {
    "spray": "ft.fabric",
    "weighted-spray": "ft.fabric",
    "destination": "ft.fabric",
    "ecmp": "rail.fabric",
    "flowlet": "rail.fabric",
    "packet-spray": "ft.fabric",
    "dimension-order": "torus.fabric",
    "valiant": "rail.fabric",
    "adaptive": "ft.fabric",
}
"""Of 64 GPUs each."""


def commands() -> list[Command]:
    """All rows in the order in which they run: what others read first, own types of the catalog last."""
    tables = (GENERATED, REPORTED, PICTURES_AND_PLANS, SIMULATED, FAILED, JOBS, TRAINED)
    rows = [row for table in tables for row in read(table)]
    return [*rows, *every_collective(), *read(HELP), *read(MISTAKES), *read(CATALOG)]


def read(table: str) -> Iterator[Command]:
    """The rows of a table."""
    for row in table.replace("\n ", " ").strip().splitlines():
        name, *arguments = shlex.split(row)
        yield Command(name, tuple(arguments))


def every_collective() -> Iterator[Command]:
    """Each collective with each of its algorithms under each routing, with the loads of all links."""
    for collective, algorithms in ALGORITHMS.items():
        for algorithm in algorithms:
            for routing, design in DESIGN_FOR.items():
                choice = f"{algorithm}:8x8" if algorithm == "bucket" else algorithm
                line = (
                    f"simulate {design} --collective {collective} --algorithm {choice} --routing {routing} "
                    "--size 4MiB --seed 1 --links all --format json"
                )
                yield Command(f"{collective}--{algorithm}--{routing}", tuple(line.split()))
