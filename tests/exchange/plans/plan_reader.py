"""Reads cable plans and change orders as an installer would: from their text alone, with no code of the program."""

import csv
import io
from itertools import groupby

SIDE = {
    "rack": "rack",
    "u": "u",
    "device": "device",
    "port": "port",
    "optic_model": "optic_model",
    "optic_pn": "optic_pn",
}
FACTS = ("medium", "cable_model", "cable_pn", "stock_length_m", "color")


def read_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def plan_by_cable(text):
    """Each cable of a plan with one row per link: its facts as a change order names them, by its number."""
    rows = sorted(read_rows(text), key=lambda row: int(row["cable_id"][1:]))
    cables = {}
    for number, lanes in groupby(rows, key=lambda row: row["cable_id"]):
        links = list(lanes)
        cable = {fact: links[0][fact] for fact in (*FACTS, "length_m")}
        for end, label in (("a", "label_a"), ("z", "label_b")):
            for fact, column in SIDE.items():
                values = dict.fromkeys(link[f"{end}_{column}"] for link in links)
                cable[f"{end}_{fact}"] = ", ".join(value for value in values if value)
            cable[f"{end}_label"] = links[0][label]
        cables[number] = cable
    return cables


def facts_of(change, which):
    facts = {key.removeprefix(f"{which}_"): value for key, value in change.items() if key.startswith(f"{which}_")}
    return {key: value for key, value in facts.items() if key != "cable_id"}


def turned(cable):
    """The same cable with its ends named the other way round."""
    swap = {"a": "z", "z": "a"}
    return {f"{swap[k[0]]}{k[1:]}" if k[:2] in ("a_", "z_") else k: value for k, value in cable.items()}


class Installer:
    """Does what a change order says, step by step, and nothing else."""

    def __init__(self, plan):
        self.cables = {number: dict(cable) for number, cable in plan.items()}

    def do(self, changes):
        names = [change for change in changes if change["ends"] in ("device", "rack")]
        assert changes[: len(names)] == names, "names come first"
        for what in ("device", "rack"):
            self._rename(
                what, {one[f"before_a_{what}"]: one[f"after_a_{what}"] for one in names if one["ends"] == what}
            )
        for number, change in enumerate(changes, start=1):
            assert int(change["step"]) == number
            if change["ends"] in ("device", "rack"):
                continue
            getattr(self, f"_{change['action']}")(change["cable_id"], change)
            after = change["after_cable_id"]
            if change["action"] != "remove" and after != change["cable_id"]:
                assert after not in self.cables, f"{after} is there already"
                self.cables[after] = self.cables.pop(change["cable_id"])
        return self.cables

    def _rename(self, what, names):
        for cable in self.cables.values():
            for end in "az":
                stated = cable[f"{end}_{what}"].split(", ")
                cable[f"{end}_{what}"] = ", ".join(names.get(name, name) for name in stated)

    def _remove(self, number, change):
        self._find(number, facts_of(change, "before"))
        del self.cables[number]

    def _pull(self, number, change):
        assert number not in self.cables, f"{number} is there already"
        self.cables[number] = facts_of(change, "after")

    def _move(self, number, change):
        self._alter(number, change, tuple(change["ends"].lower().split(" and ")), ())

    def _swap(self, number, change):
        self._alter(number, change, tuple(change["ends"].lower().split(" and ")), (*FACTS, "length_m"))

    def _relabel(self, number, change):
        before, after = facts_of(change, "before"), facts_of(change, "after")
        cable = self._find(number, before)
        for end in change["ends"].lower().split(" and "):
            assert before[f"{end}_optic_pn"] == after[f"{end}_optic_pn"]
            assert all(before[f"{end}_{fact}"] == after[f"{end}_{fact}"] for fact in ("rack", "u", "device", "port"))
            cable[f"{end}_label"] = after[f"{end}_label"]

    def _alter(self, number, change, ends, facts):
        cable = self._find(number, facts_of(change, "before"))
        after = facts_of(change, "after")
        for end in ends:
            cable.update({key: value for key, value in after.items() if key.startswith(f"{end}_")})
        for end in {"a", "z"} - set(ends):
            # The other end stays plugged in where it is; its label names the end that does not.
            for fact in ("rack", "u", "device", "port", "optic_model", "optic_pn"):
                assert cable[f"{end}_{fact}"] == after[f"{end}_{fact}"], f"{number}: {fact} of {end} changed unsaid"
            cable[f"{end}_label"] = after[f"{end}_label"]
        cable.update({fact: after[fact] for fact in facts})

    def _find(self, number, before):
        cable = self.cables[number]
        if any(cable[key] != before[key] for key in before) and all(
            turned(cable)[key] == before[key] for key in before
        ):
            cable = self.cables[number] = turned(cable)
        assert {key: cable[key] for key in before} == before, f"{number} is not as the change order says"
        return cable


def same(installed, planned):
    """Whether what was installed is what the plan shows: a cable that is ordered by length may be longer."""
    if installed.keys() != planned.keys():
        return False
    for number, have in installed.items():
        want = planned[number]
        options = (have, turned(have))
        if not any(all(one[key] == want[key] for key in want if key != "length_m") for one in options):
            return False
        if want["stock_length_m"] or not want["length_m"]:
            continue
        if not have["length_m"] or float(have["length_m"]) < float(want["length_m"]):
            return False
    return True
