"""Mutants that no test can notice, since the program does the same with them, and why."""

_TOLERANCE = "between noise of rounding and whatever differs in truth there is room: a tenth more of it parts nothing"

SURVIVORS: dict[tuple[str, str, str, str], str] = {
    (
        "designer/simulation/traffic/collectives.py",
        'return Plan(hierarchical.in_turn(table, float(scenario.size_bytes), scenario.collective or ""))',
        ' or ""',
        "",
    ): "what plans a collective is asked only where there is one",
    (
        "designer/simulation/jobs/job_text.py",
        'refuse_file(shortened(str(fields.get("name") or f"job {number}")), str(fields.get("traffic") or ""))',
        ' or ""',
        "",
    ): "no traffic is then the word None, which names no file either",
    (
        "designer/simulation/explain/flows_on_link.py",
        "self._pair_flows = sums(where, np.concatenate([self._pair_flows, count]) * 1.0, n).astype(np.int64)",
        " * 1.0",
        "",
    ): "sums takes whole numbers as weights too, and adds them as floats",
    (
        "designer/simulation/flows/uniform.py",
        "third = (high - low) / 3",
        "3",
        "4",
    ): "sixty steps that keep three quarters find the share to 3e-8 instead of 3e-11",
    (
        "designer/analysis/parts.py",
        "if medium is None or is_optical(medium) or medium.links < 2:",
        " or medium.links < 2",
        "",
    ): "a cable of one link has room for none after its first, so that it is a piece of its own in either case",
    (
        "designer/exchange/plans/change_order.py",
        "if not found:",
        "not found",
        "False",
    ): "the plan is rebuilt with the names it has, which gives an equal one",
    (
        "designer/placement/floor.py",
        "near = [at[0] for one in design.racks.values() if (at := place_of(one)) "
        "and abs(at[1] - here[1]) < depth - TOUCH_M]",
        "<",
        "<=",
    ): "places are kept to a tenth of a millimeter, so that no two are apart by a depth less one micrometre",
    (
        "designer/simulation/failures/sweep.py",
        "if not candidate.ids:",
        "not candidate.ids",
        "False",
    ): "the whole fabric is simulated again where nothing failed, and is found to be what it was",
    ("designer/simulation/flows/spreading.py", "HELD_BACK = 1 - 1e-6", "1e-6", "1.1e-06"): _TOLERANCE,
    ("designer/simulation/flows/uniform.py", "SAME = 1e-9", "1e-9", "1.1000000000000001e-09"): _TOLERANCE,
    (
        "designer/simulation/flows/spreading.py",
        "while way[-1] != self.hot[arc] and self.onward[way[-1]] >= 0 and len(way) <= len(self.onward):",
        ">=",
        ">",
    ): "arc 0 leaves a GPU, and no port waits for an arc from a GPU",
    (
        "designer/simulation/flows/uniform.py",
        "if use_a <= use_b * (1 + 1e-12):",
        "1e-12",
        "1.1000000000000002e-12",
    ): _TOLERANCE,
    (
        "designer/simulation/flows/flow_classes.py",
        "if now[0] > len(mark) / 2:",
        "2",
        "3",
    ): "flows of very many kinds are each taken as a kind of its own: more to solve, the same rates",
    (
        "designer/simulation/explain/pressure.py",
        "least_flows = np.ceil(np.round(flows_on, 6)).astype(np.int64)",
        "6",
        "7",
    ): "loads are off by less than either by rounding, and by far more in truth",
    (
        "designer/simulation/failures/sweep.py",
        "step = max(1, min(16, len(numbers) // (4 * workers)))",
        "4",
        "5",
    ): "processes are given fewer failures at once: time, not outcomes",
    (
        "designer/simulation/flows/hashed_kernels.py",
        "if n_here == 0:",
        "n_here == 0",
        "False",
    ): "to a leaf without members no flow goes, and its way is no longer than others: to look there takes time alone",
    (
        "designer/simulation/training/groups.py",
        "has_nic = np.hstack([place >= 0 for place in places])",
        ">=",
        ">",
    ): "vertex 0 is a GPU and no NIC; groups on device 0 are planned by themselves, with the same flows",
    (
        "designer/simulation/jobs/concurrent_jobs.py",
        "if self._wake.min() <= self._now * (1 + fluid.EXACT):",
        "<=",
        "<",
    ): "what is due is due now, not later by exactly the share that rounding is allowed",
    (
        "designer/simulation/flows/flow_kinds_kernels.py",
        "ARRIVED = np.uint64(0xD1342543DE82EF95)",
        "0xD1342543DE82EF95",
        "15074714826142052246",
    ): "any number will do where all paths end",
    (
        "designer/simulation/flows/uniform_kernels.py",
        "ahead[switch], by_arc[switch] = head[bundle], arcs[arc_start[bundle] + (lane % size if size > 1 else 0)]",
        ">",
        ">=",
    ): "the remainder of a division by 1 is 0 without dividing, which takes longer",
    (
        "designer/simulation/flows/spreading_kernels.py",
        "longest = max(longest, start[flow + 1] - start[flow])",
        " - start[flow]",
        "",
    ): "arrays to work in are longer than they need be",
    (
        "designer/simulation/explain/tiers.py",
        "if kind in BETWEEN_ALIKE or low == high:",
        " or low == high",
        "",
    ): "between devices of one role both directions have one title, so that both arcs come into one tier in one order",
    (
        "designer/simulation/jobs/concurrent_jobs.py",
        "if len(self._solved) * len(key) > MOST_NUMBERS_KEPT:",
        "*",
        "/",
    ): "rates that were solved are kept longer instead of solved again: memory and time, not results",
}
"""By file, line as written (without indentation), what was changed and what it became."""
