"""The types of found nodes: rows of nodes that are alike, each with a type of the catalog or one made of the file."""

import fnmatch
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import UnionType

from designer.catalog import generic
from designer.errors import ParameterError
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundNetwork
from designer.exchange.reading.made_types import Made, made_server, made_switch, signatures
from designer.exchange.reading.node_kinds import kinds_of
from designer.exchange.reading.port_fitting import NAMES, Fit, Wanted, fit_server, fit_switch, names_of
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType, HardwareType
from designer.model.naming import natural
from designer.units import format_counted, shortened

ASSUMED_GBPS = generic.DEFAULT_RATE_GBPS
LEAST_MODEL = 4
"""Characters that a model has in common with a type of the catalog at least, where they are not the same."""
FEW_SIGNATURES = 40
"""Sets of port names that types are compared by."""

BY_CHOICE, BY_MODEL, NEAREST, BY_PORTS, FROM_FILE = (
    "as chosen",
    "by its model",
    "by the nearest model",
    "by its ports",
    "made of the file",
)


@dataclass(frozen=True, slots=True)
class TypeRow:
    """Nodes that are alike, and the type taken for them."""

    key: str
    """What they have in common: the model that the file states, a role, or their names with # for numbers."""
    kind: str
    nodes: tuple[str, ...]
    n_ports: int
    """Ports in use of the node that has most."""
    type_: DeviceType
    how: str
    """BY_CHOICE, BY_MODEL, NEAREST, BY_PORTS or FROM_FILE."""
    reason: str
    model: str = ""
    made: tuple[HardwareType, ...] = ()
    """Types that the catalog does not have."""
    why_kind: str = ""
    """Why they were taken for switches or servers, where the file does not say."""

    @property
    def is_guess(self) -> bool:
        """Whether somebody should look at it."""
        return self.how in (NEAREST, BY_PORTS, FROM_FILE) or bool(self.why_kind)

    @property
    def sentence(self) -> str:
        """What was taken for what, and why."""
        count = format_counted(len(self.nodes), "switch" if self.kind == SWITCH else "server")
        return f"{self.key}: {count} taken for {self.type_.model or self.type_.id}: {self.reason}"


@dataclass(slots=True)
class _Open:
    """A row while its type is looked for."""

    key: str
    kind: str
    model: str
    why_kind: str
    nodes: list[str] = field(default_factory=list)


class TypeTable:
    """Types of all nodes of a network; `rows` for a person to correct, `fits` for the ports of each node.

    `types` are those of the catalog and of the design, `chosen` type ids by node, row, model or pattern of names.
    Raises ParameterError for a choice that names no node or no type.
    """

    def __init__(
        self,
        network: FoundNetwork,
        types: Mapping[str, HardwareType],
        chosen: Mapping[str, str],
        find: Callable[[str], HardwareType | None],
    ) -> None:
        self._network, self._types, self._find = network, types, find
        self._models = _Models(types)
        self._rates: dict[str, dict[str, float | None]] = defaultdict(dict)
        """By node and port that a link ends at, as the following two."""
        self._networks: dict[str, dict[str, str]] = defaultdict(dict)
        self._far: dict[str, dict[str, FoundEnd]] = defaultdict(dict)
        self._note_links()
        known = kinds_of(network, self._models.kind)
        self.kinds = {name: kind for name, (kind, _) in known.items()}
        self._why_kind = {name: why for name, (_, why) in known.items()}
        self.fits: dict[str, Fit] = {}
        self._memo: dict[tuple[str, Wanted], Fit] = {}
        self.is_rate_assumed = False
        waiting = self._grouped()
        done: dict[str, TypeRow] = {}
        of_node = _choices(chosen, network, waiting)
        waiting = _split(waiting, of_node)
        for step in (self._as_chosen(of_node), self._by_model, self._by_nearest, self._by_ports, self._from_file):
            for row in waiting:
                if row.key not in done and (found := step(row)) is not None:
                    done[row.key] = found
                    self._fit(found)
        self.rows = tuple(done[row.key] for row in waiting)

    def _note_links(self) -> None:
        for link in self._network.links:
            for end, far in ((link.a, link.b), (link.b, link.a)):
                known, port = self._far[end.node], end.port
                if port not in known:
                    known[port] = far
                    self._rates[end.node][port], self._networks[end.node][port] = link.rate_gbps, link.network

    def wanted(self, name: str) -> Wanted:
        """The ports of a node that are in use, with the rates that are known so far."""
        return tuple(self._rates[name].items()) if name in self._rates else ()

    def _grouped(self) -> list[_Open]:
        """Nodes that are alike in one row."""
        rows: dict[tuple[str, str, str], _Open] = {}
        for node in self._network.nodes:
            kind = self.kinds[node.name]
            word = node.model or node.role or re.sub(r"\d+", "#", node.name)
            row = rows.setdefault((kind, node.model, word), _Open(word, kind, node.model, self._why_kind[node.name]))
            row.nodes.append(node.name)
        taken: dict[str, int] = defaultdict(int)
        for row in rows.values():  # a role of switches may be a model of servers
            taken[row.key] += 1
            if taken[row.key] > 1:
                row.key = f"{row.key} ({row.kind})"
        return sorted(rows.values(), key=lambda row: (row.kind != SWITCH, natural(row.key)))

    # -- ways to find a type, the surest first ------------------------------------------------------------------------

    def _as_chosen(self, of_node: Mapping[str, str]) -> Callable[[_Open], TypeRow | None]:
        def step(row: _Open) -> TypeRow | None:
            type_id = of_node.get(row.nodes[0])
            if type_id is None:
                return None
            type_ = self._types.get(type_id) or self._find(type_id)
            if not isinstance(type_, SwitchType | ServerType):
                raise ParameterError(
                    f"{row.key} cannot be {shortened(type_id)!r}: name a switch or server of the catalog"
                )
            row.kind, row.why_kind = SWITCH if isinstance(type_, SwitchType) else HOST, ""
            self.kinds.update(dict.fromkeys(row.nodes, row.kind))
            return self._row(row, type_, BY_CHOICE, "as chosen", self._missing(type_))

        return step

    def _by_model(self, row: _Open) -> TypeRow | None:
        type_ = self._models.exact(row.model, row.kind)
        if type_ is None:
            return None
        return self._row(row, type_, BY_MODEL, "the model that the file states", self._missing(type_))

    def _by_nearest(self, row: _Open) -> TypeRow | None:
        """A type with nearly that model, where it has room for all ports of the file at their rates."""
        type_ = self._models.find(row.model, row.kind)
        if type_ is None or not all(
            self._carries(type_, wanted) for wanted in signatures([self.wanted(name) for name in row.nodes])
        ):
            return None
        return self._row(row, type_, NEAREST, f"the nearest model to {shortened(row.model)}")

    def _carries(self, type_: DeviceType, wanted: Wanted) -> bool:
        """Whether each port is on it and as fast as its link at least."""
        fit = self._fitted(type_, wanted)
        rates = fit.rates_gbps or {}
        return len(fit.names) == len(wanted) and all(rate is None or rate <= rates[name] for name, rate in wanted)

    def _missing(self, type_: DeviceType) -> Made | None:
        """A type that a generic id spells out, and NICs of it, where neither catalog nor design has them."""
        slots = type_.slots if isinstance(type_, ServerType) else ()
        named = dict.fromkeys(
            filter(None, (one for slot in slots for one in (slot.nic_type_id, slot.network_nic_type_id)))
        )
        nics = [generic.parse(nic_id) for nic_id in named if nic_id not in self._types]
        found = tuple(one for one in nics if isinstance(one, NicType))
        return None if type_.id in self._types and not found else Made(type_, found)

    def _by_ports(self, row: _Open) -> TypeRow | None:
        """The type of the catalog that has all names at all rates; of several switches the one with least to spare."""
        nodes = signatures([self.wanted(name) for name in row.nodes])[:FEW_SIGNATURES]
        names = {name for wanted in nodes for name, _ in wanted}
        if row.model or not names:
            return None
        folded = {name.casefold() for name in names}
        is_sure = any(rate is not None for wanted in nodes for _, rate in wanted)
        if all(re.fullmatch(r"\d+(?:/\d+)?", name) for name in names) and not is_sure:
            return None  # numbers fit anything
        fitting: list[tuple[int, DeviceType]] = []
        for type_ in self._types.values():
            if isinstance(type_, SwitchType if row.kind == SWITCH else ServerType) and not generic.is_generic(type_.id):
                spare = self._spare(type_, nodes) if folded <= names_of(type_, self._types) else None
                if spare is not None:
                    fitting.append((spare, type_))
        if row.kind == HOST:
            fitting = [one for one in fitting if one[0] == 0]
        if not fitting or (row.kind == HOST and len(fitting) > 1):
            return None
        least = min(spare for spare, _ in fitting)
        best = [type_ for spare, type_ in fitting if spare == least]
        others = [type_.model for _, type_ in sorted(fitting, key=lambda one: one[0]) if type_ is not best[0]]
        reason = "has these ports" + (f"; so have {', '.join(others[:4])}" if others else "")
        return self._row(row, best[0], BY_PORTS, reason)

    def _spare(self, type_: DeviceType, nodes: Sequence[Wanted]) -> int | None:
        """How many ports stay free at the node that has most links; None where the type has not all names and rates."""
        spare: int | None = None
        for wanted in nodes:
            fit = self._fitted(type_, wanted)
            rates = fit.rates_gbps or {}
            if fit.how != NAMES or len(fit.names) < len(wanted):
                return None
            if any(rate is not None and rate != rates[name] for name, rate in wanted):
                return None
            n_ports = len(type_.slots) if isinstance(type_, ServerType) else type_.n_cages
            if isinstance(type_, ServerType):
                n_ports = len(fit.nics)
            spare = n_ports - len(wanted) if spare is None else min(spare, n_ports - len(wanted))
        return spare

    def _from_file(self, row: _Open) -> TypeRow | None:
        nodes = signatures([self.wanted(name) for name in row.nodes])
        assumed = self._usual_rate()
        is_assumed = any(rate is None for wanted in nodes for _, rate in wanted) or not any(nodes)
        if row.kind == SWITCH:
            made = made_switch(row.model, nodes, assumed)
        else:
            of_port: dict[str, str] = {}
            for name in row.nodes:
                of_port.update(self._networks.get(name, ()))
            made = made_server(row.model, nodes, of_port, assumed)
        reason = "made of the ports that the file names"
        if row.model:
            reason += f", since the catalog has no {shortened(row.model)}"
        if is_assumed:
            self.is_rate_assumed = True
            reason += f"; {assumed:g} Gb/s are assumed where no rate is stated"
        return self._row(row, made.type_, FROM_FILE, reason, made)

    def _usual_rate(self) -> float:
        known = Counter(rate for rates in self._rates.values() for rate in rates.values() if rate is not None)
        return max(known, key=lambda rate: (known[rate], rate)) if known else ASSUMED_GBPS

    def _row(self, row: _Open, type_: DeviceType, how: str, reason: str, made: Made | None = None) -> TypeRow:
        return TypeRow(
            row.key,
            row.kind,
            tuple(row.nodes),
            max((len(self._rates.get(name, ())) for name in row.nodes), default=0),
            type_,
            how,
            reason,
            row.model,
            made.types if made is not None else (),
            row.why_kind,
        )

    # -- ports --------------------------------------------------------------------------------------------------------

    def _fitted(self, type_: DeviceType, wanted: Wanted, more: Mapping[str, HardwareType] | None = None) -> Fit:
        key = (type_.id, wanted)
        found = self._memo.get(key)
        if found is None:
            if isinstance(type_, SwitchType):
                found = fit_switch(type_, wanted)
            else:
                found = fit_server(type_, wanted, {**self._types, **more} if more else self._types)
            self._memo[key] = found
        return found

    def _fit(self, row: TypeRow) -> None:
        """Find the ports of a row's nodes, and let their rates stand for links whose rate is not stated."""
        more = {one.id: one for one in row.made}
        for name in row.nodes:
            fit = self.fits[name] = self._fitted(row.type_, self.wanted(name), more)
            own, ends = self._rates[name], self._far[name]
            for port, rate in (fit.rates_gbps or {}).items():
                if own[port] is None:
                    own[port] = rate
                far = ends[port]
                if self._rates[far.node].get(far.port) is None and self._leads_to(far, name, port):
                    self._rates[far.node][far.port] = rate

    def _leads_to(self, end: FoundEnd, name: str, port: str) -> bool:
        """Whether the link at an end is that of the node's port."""
        back = self._far[end.node].get(end.port)
        return back is not None and back.node == name and back.port == port


def _choices(chosen: Mapping[str, str], network: FoundNetwork, rows: Sequence[_Open]) -> dict[str, str]:
    """The type id of each node that a choice names: by row, by model, by its own name or a pattern of names."""
    found: dict[str, str] = {}
    by_key = {row.key.casefold(): row.nodes for row in rows} | {row.key: row.nodes for row in rows}
    names = [node.name for node in network.nodes]
    models: dict[str, list[str]] = defaultdict(list)
    for node in network.nodes:
        for word in {node.model, node.role} - {""}:
            models[word.casefold()].append(node.name)
    for what, type_id in sorted(chosen.items(), key=lambda one: one[0] in names):  # a node's own choice comes last
        low = what.casefold()
        matching = [what] if what in names else by_key.get(what) or by_key.get(low) or models.get(low) or []
        if not matching:
            pattern = re.compile(fnmatch.translate(low))
            matching = [name for name in names if pattern.match(name.casefold())]
        if not matching:
            keys = ", ".join(shortened(row.key) for row in rows[:6])
            raise ParameterError(f"no node is called {shortened(what)!r}; the file has {keys}")
        found.update(dict.fromkeys(matching, type_id))
    return found


def _split(rows: Sequence[_Open], of_node: Mapping[str, str]) -> list[_Open]:
    """The rows; a row is in parts where only some of its nodes were chosen for."""
    made: list[_Open] = []
    for row in rows:
        parts: dict[str | None, list[str]] = defaultdict(list)
        for name in row.nodes:
            parts[of_node.get(name)].append(name)
        if len(parts) == 1:
            made.append(row)
            continue
        for type_id, nodes in parts.items():
            key = row.key if type_id is None else (nodes[0] if len(nodes) == 1 else f"{row.key} as {type_id}")
            made.append(_Open(key, row.kind, row.model, row.why_kind, nodes))
    return made


class _Models:
    """Types by what people call them."""

    def __init__(self, types: Mapping[str, HardwareType]) -> None:
        self._types, self._known = types, dict[str, DeviceType]()
        for type_ in types.values():
            if isinstance(type_, SwitchType | ServerType):
                part = type_.part_number
                for text in (type_.id, type_.model, f"{type_.vendor} {type_.model}", part):
                    if _plain(text):
                        self._known.setdefault(_plain(text), type_)
        self._found: dict[str, DeviceType | None] = {}

    def exact(self, model: str, kind: str = "") -> DeviceType | None:
        """The type of that id or model, of a generic one the type that its id spells out; None where there is none."""
        found = self._types.get(model) or _spelled(model) or self._known.get(_plain(model))
        return found if isinstance(found, _CLASSES[kind]) else None

    def find(self, model: str, kind: str = "") -> DeviceType | None:
        """The type of that model, or the one whose model it holds or is held by; None where there is none."""
        if model not in self._found:
            self._found[model] = self.exact(model) or self._nearest(_plain(model))
        type_ = self._found[model]
        return type_ if isinstance(type_, _CLASSES[kind]) else None

    def kind(self, model: str) -> str:
        """SWITCH or HOST; "" where the model is not known."""
        type_ = self.find(model)
        return "" if type_ is None else SWITCH if isinstance(type_, SwitchType) else HOST

    def _nearest(self, text: str) -> DeviceType | None:
        """No generic one, whose model and id are figures: another figure is another type."""
        if len(text) < LEAST_MODEL:
            return None
        named = [known for known, type_ in self._known.items() if not generic.is_generic(type_.id)]
        inside = [known for known in named if len(known) >= LEAST_MODEL and known in text]
        if inside:
            return self._known[max(inside, key=len)]
        around = [known for known in named if text in known]
        return self._known[min(around, key=len)] if around else None


def _spelled(type_id: str) -> HardwareType | None:
    """The generic type that an id spells out; None where it spells none, or more ports than there can be."""
    try:
        return generic.parse(type_id)
    except ParameterError:
        return None


_CLASSES: Mapping[str, type[SwitchType] | type[ServerType] | UnionType] = {
    SWITCH: SwitchType,
    HOST: ServerType,
    "": SwitchType | ServerType,
}
"""What the types of a kind of node are."""


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.casefold())
