"""Commands that measure each part of a fabric with nccl-tests: a script for mpirun and one for srun, with host lists.

Sources: nccl-tests, README (arguments); Open MPI, mpirun(1); Slurm, srun(1). rccl-tests has the same programs and
arguments, and HIP takes CUDA_VISIBLE_DEVICES too.
"""

import shlex
from collections.abc import Iterator

from designer.exchange.acceptance.sheet import AcceptanceSheet, PartRun
from designer.exchange.schedulers.host_lists import hostlist
from designer.measurements.lines import PART_MARK
from designer.model.shown_text import visible_line

PROGRAMS = {
    "all-reduce": "all_reduce_perf",
    "all-gather": "all_gather_perf",
    "reduce-scatter": "reduce_scatter_perf",
    "all-to-all": "alltoall_perf",
    "broadcast": "broadcast_perf",
    "reduce": "reduce_perf",
    "send-recv": "sendrecv_perf",
}
"""The programs of nccl-tests and rccl-tests by collective."""
MPIRUN, SRUN = "mpirun", "srun"
HEAD = """\
#!/bin/bash
# Measures every part of {design} and keeps a log of each in logs/.
# Set TESTS to the folder with the programs of nccl-tests or rccl-tests, and OPTIONS to what your launcher needs.
# To measure some parts only, name them: {script} "rail 1" whole
set -u
TESTS=${{TESTS:-.}}
OPTIONS=${{OPTIONS:-}}
cd "$(dirname "$0")" && mkdir -p logs || exit 1
names=("$@")
wanted() {{
  [ ${{#names[@]}} -eq 0 ] && return 0
  for name in "${{names[@]}}"; do [ "$name" = "$1" ] && return 0; done
  return 1
}}
failed=0
"""
NOT_ALIKE = "its GPUs have different numbers on its hosts: bind the ranks by hand"


def command_of(sheet: AcceptanceSheet, run: PartRun, launcher: str) -> str:
    """The command for a part, in one line; "" where hosts differ in the GPUs that they take part with."""
    if run.gpus is None:
        return ""
    n_ranks, per_host = len(run.part.ranks), len(run.gpus)
    visible = "" if run.is_whole_hosts else ",".join(map(str, run.gpus))
    if launcher == MPIRUN:
        words = ["mpirun", "-np", str(n_ranks), "--hostfile", f"hosts/{run.file_name}.txt", "--map-by", "slot"]
        words += ["-x", f"CUDA_VISIBLE_DEVICES={visible}"] if visible else []
    else:
        names = hostlist(host.name for host in run.hosts)
        words = ["srun", "-N", str(len(run.hosts)), "-n", str(n_ranks), f"--ntasks-per-node={per_host}"]
        words += ["--nodelist", names, "--mpi=pmix"]
        words += [f"--export=ALL,CUDA_VISIBLE_DEVICES={visible}"] if visible and "," not in visible else []
        words = ["env", f"CUDA_VISIBLE_DEVICES={visible}", *words] if "," in visible else words
    return f'{shlex.join(words)} $OPTIONS "$TESTS"/{test_of(sheet)}'


def test_of(sheet: AcceptanceSheet) -> str:
    """ "all_reduce_perf -b 67108864 -e 8589934592 -f 2 -g 1"."""
    low, high = sheet.sizes[0], sheet.sizes[-1]
    factor = max(2, round(sheet.sizes[1] / low)) if len(sheet.sizes) > 1 else 2
    return f"{PROGRAMS[sheet.scenario.collective or '']} -b {low} -e {high} -f {factor} -g 1"


def script(sheet: AcceptanceSheet, launcher: str) -> str:
    """A script that measures the parts one after the other."""
    return "\n".join(_lines(sheet, launcher)) + "\n"


def _lines(sheet: AcceptanceSheet, launcher: str) -> Iterator[str]:
    design = visible_line(sheet.design_name).replace("\\", "/")
    yield HEAD.format(design=design, script=f"./run-{launcher}.sh")
    for run in sheet.parts:
        command, name = command_of(sheet, run, launcher), run.part.name
        if not command:
            yield f"# {run.part.title}: {NOT_ALIKE}\n"
            continue
        log = f"logs/{run.file_name}.log"
        yield f"if wanted {shlex.quote(name)}; then"
        yield f"  echo {shlex.quote(f'{PART_MARK} {name}')} | tee {log}"
        yield f"  {command} 2>&1 | tee -a {log}; [ ${{PIPESTATUS[0]}} -eq 0 ] || failed=1"
        yield "fi\n"
    yield "exit $failed"


def host_file(run: PartRun) -> str:
    """The host file of Open MPI for a part."""
    slots = len(run.gpus or ())
    return "".join(f"{host.name} slots={slots}\n" for host in run.hosts)
