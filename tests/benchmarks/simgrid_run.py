"""One run of SimGrid: `python simgrid_run.py PLATFORM.xml N_HOSTS PATTERN BYTES`; prints JSON.

Run by against_simgrid.py in a process of its own, with whichever Python has SimGrid. Flows are communications
between hosts, all started at once by one actor that waits for all: the least the peer can be asked to do.
"""

import json
import resource
import sys
import time

import simgrid

PURE_MAX_MIN = ("network/model:raw",)
PURE_MAX_MIN_BEFORE_4 = (
    "network/model:CM02",
    "network/TCP-gamma:0",
    "network/latency-factor:0",
    "network/bandwidth-factor:1",
    "network/weight-S:0",
    "network/crosstraffic:0",
)


def destinations(pattern, n, source):
    if pattern == "all-to-all":
        return [rank for rank in range(n) if rank != source]
    name, _, value = pattern.partition(":")
    if name == "shift":
        return [(source + int(value)) % n]
    raise SystemExit(f"no pattern {pattern}")


def main():
    platform, n, pattern, size_bytes = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(float(sys.argv[4]))
    model = PURE_MAX_MIN if int(simgrid.simgrid_version.split(".")[0]) >= 4 else PURE_MAX_MIN_BEFORE_4
    engine = simgrid.Engine([sys.argv[0], *(f"--cfg={row}" for row in model), "--log=root.thres:error"])
    engine.load_platform(platform)
    hosts = [simgrid.Host.by_name(f"host-{number}") for number in range(n)]
    reported = {}

    def driver():
        started = []
        for source in range(n):
            for target in destinations(pattern, n, source):
                started.append(simgrid.Comm.sendto_async(hosts[source], hosts[target], size_bytes))
        reported["flows"] = len(started)
        if hasattr(simgrid, "ActivitySet"):
            simgrid.ActivitySet(started).wait_all()
        else:
            simgrid.Comm.wait_all(started)

    simgrid.Actor.create("driver", hosts[0], driver)
    began = time.perf_counter()
    engine.run()
    reported["makespan_s"] = simgrid.Engine.clock
    reported["wall_s"] = time.perf_counter() - began
    reported["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(reported))


main()
