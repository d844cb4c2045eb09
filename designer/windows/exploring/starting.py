"""What the window begins with: a search to change, and who does its work."""

from designer.workers.where import Where

EXAMPLE = """\
# A search: change it, then press Search.
name: 256 H100 GPUs
gpus: 256
workloads:
  - name: gradients
    collective: all-reduce
    size: 1GiB
    weight: 2
  - name: experts
    collective: all-to-all
    size: 64MiB
families:
  - family: rail-optimized
    server: dgx-h100
    switch: [nvidia-qm9700, nvidia-sn5600]
    servers_per_su: [8, 16, 32]
    oversubscription: [1, 2, 4]
  - family: fat-tree
    server: dgx-h100
    switch: [nvidia-qm9700, nvidia-sn5600]
    oversubscription: [1, 2, 3, 4]
limits:
  power_kw: 400
  worst_failure: 60%
"""


def where_of() -> Where:
    """All processors of this machine, as far as Dask is installed."""
    return Where()
