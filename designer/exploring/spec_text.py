"""A search as people write it: a YAML or JSON file. It is data: it opens no file but the price list next to it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from designer.analysis.billing.prices import NO_PRICES, PriceList, merged
from designer.analysis.billing.spares import SparesPolicy
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.catalog import yaml_text
from designer.errors import DesignerError, FileFormatError, ParameterError
from designer.exchange.bills.options import BillOptions
from designer.exchange.bills.price_list import read_price_list
from designer.exploring.figures import objectives_of
from designer.exploring.request import (
    ANSWER,
    MEASURES,
    OPTICS,
    SIMPLEST,
    Choice,
    Exploration,
    Limits,
    Workload,
)
from designer.fields.field import Field, fields_of
from designer.regeneration.recipes import family_named
from designer.simulation.inference.models import MODELS
from designer.simulation.inference.request import Inference
from designer.simulation.inference.setups import setup_named
from designer.simulation.jobs.job_text import refuse_file
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims
from designer.simulation.training.request import PRESETS, Training
from designer.simulation.transformer import model_named
from designer.units import parse_amount, parse_whole, shortened

TRAINING, INFERENCE, SETUP, MEASURE = "training", "inference", "setup", "measure"
WEIGHT, NAME, FAMILY, OPTICS_KEY = "weight", "name", "family", "optics"
TOP = (
    "name",
    "gpus",
    "workloads",
    "families",
    "limits",
    "growth",
    "tolerance",
    "compare",
    "currency",
    "prices",
    "terms",
)
OF_RUN = {field.key: field for field in fields_of(Scenario).values() if field.name not in ("failed",)}
OF_TRAINING = {field.name: field for field in fields_of(Training).values() if field.name != "failed"}
OF_INFERENCE = {field.name: field for field in fields_of(Inference).values() if field.name != "failed"}
OF_LIMITS = fields_of(Limits)
CURRENCY, SPARES = "currency", "spares"
OF_TERMS = {name: fields_of(BillOptions)[name] for name in (*fields_of(CostTerms), SPARES)}
OF_SEARCH = fields_of(Exploration)
MOST_WORKLOADS, MOST_VALUES = 20, 200


@dataclass(frozen=True, slots=True)
class Basis:
    """Prices and terms of a search that states none of its own."""

    prices: PriceList = NO_PRICES
    terms: CostTerms = NO_TERMS


NO_BASIS = Basis()


@dataclass(frozen=True, slots=True)
class _Reader:
    """The file's name and the lines of its places, for sentences."""

    name: str
    lines: Mapping[str, int]

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Whatever is wrong in here is said with file, line and place."""
        try:
            yield
        except FileFormatError:
            raise
        except DesignerError as error:
            line = self.lines.get(place)
            where = f", line {line}" if line is not None else ""
            raise FileFormatError(f"{self.name}{where}, {place}: {error}") from None


def read_search(path: Path) -> Exploration:
    """The search in a file. Raises DesignerError: one sentence that names file, line and place."""
    found = yaml_text.read(path)
    return search_from(found.value, _Reader(path.name, found.lines), path.parent)


def search_in(text: str, name: str, folder: Path, basis: Basis = NO_BASIS) -> Exploration:
    """The same from a text; price lists are looked for in a folder. `basis` holds what the text does not state."""
    found = yaml_text.parse(text, name)
    return search_from(found.value, _Reader(name, found.lines), folder, basis)


def search_from(value: Any, reader: _Reader, folder: Path, basis: Basis = NO_BASIS) -> Exploration:
    """The search that a mapping states."""
    if not isinstance(value, dict):
        raise FileFormatError(f"{reader.name} holds no search: write gpus, workloads and families")
    for key in value:
        with reader.at(str(key)):
            _require_known(key, TOP)
    for key in ("gpus", "workloads", "families"):
        if value.get(key) in (None, []):
            raise FileFormatError(f"{reader.name} lacks {key}: a search needs gpus, workloads and families")
    plain = {}
    for key in ("name", "growth", "tolerance"):
        if value.get(key) is not None:
            with reader.at(key):
                plain[key] = _read(OF_SEARCH[key], value[key])
    with reader.at("gpus"):
        gpus = _gpus(str(value["gpus"]))
    compare = tuple(str(one) for one in _listed(value["compare"])) if value.get("compare") else ()
    with reader.at("prices"):
        named = _listed(value["prices"]) if value.get("prices") else ()
        prices = merged([_prices(name, folder) for name in named]) if named else basis.prices
    terms, spares = _terms(reader, value, basis.terms)
    listed = {price.currency for price in prices.prices.values()}
    if not terms.currency and len(listed) == 1:
        terms = replace(terms, currency=listed.pop())
    made = {
        "gpus": gpus,
        "workloads": tuple(_workloads(reader, value["workloads"])),
        "choices": tuple(_choices(reader, value["families"])),
        "limits": _limits(reader, value.get("limits") or {}),
        "compare": compare,
        "prices": prices,
        "terms": terms,
        "spares": spares,
    }
    try:
        found = Exploration(**plain, **made)  # type: ignore[arg-type]
    except DesignerError as error:
        raise FileFormatError(f"{reader.name}: {error}") from None
    with reader.at("compare"):
        objectives_of(found)
    return found


def _require_known(key: Any, known: Any) -> None:
    if key not in known:
        raise ParameterError(f"there is no {shortened(str(key))!r}; there is {', '.join(known)}")


def _gpus(text: str) -> tuple[int, int]:
    least, dash, most = text.partition("-")
    first = parse_whole(least, 1)
    return first, parse_whole(most, 1) if dash else first


def _prices(name: Any, folder: Path) -> PriceList:
    """A price list that stands next to the search."""
    if PurePath(str(name)).name != str(name):
        raise ParameterError("a price list stands next to the search: give the name of the file alone")
    try:
        return read_price_list(folder / str(name))
    except OSError as error:
        raise ParameterError(f"the price list {shortened(str(name))} cannot be read: {error.strerror}") from None


def _terms(reader: _Reader, value: Mapping[str, Any], basis: CostTerms) -> tuple[CostTerms, SparesPolicy]:
    """The terms of a cost, in the currency of the search, and which spares are ordered."""
    given = value.get("terms") or {}
    with reader.at("terms"):
        if not isinstance(given, dict):
            raise ParameterError(f"write terms with their names: {', '.join(OF_TERMS)}")
    stated = {}
    for place, key, one in (
        (CURRENCY, CURRENCY, value.get(CURRENCY)),
        *((f"terms.{key}", key, one) for key, one in given.items()),
    ):
        if one is not None:
            with reader.at(place):
                _require_known(key, OF_TERMS)
                stated[key] = _read(OF_TERMS[key], one)
    spares: SparesPolicy = stated.pop(SPARES, ())
    with reader.at("terms"):
        return CostTerms(**stated) if stated else basis, spares


def _limits(reader: _Reader, value: Any) -> Limits:
    with reader.at("limits"):
        if not isinstance(value, dict):
            raise ParameterError(f"write limits with their names: {', '.join(OF_LIMITS)}")
    stated = {}
    for key, limit in value.items():
        with reader.at(f"limits.{key}"):
            _require_known(key, OF_LIMITS)
            stated[key] = _read(OF_LIMITS[key], limit)
    with reader.at("limits"):
        return Limits(**stated)


def _workloads(reader: _Reader, value: Any) -> Iterator[Workload]:
    with reader.at("workloads"):
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_WORKLOADS:
            raise ParameterError(f"write a list of 1 to {MOST_WORKLOADS} workloads")
    for number, fields in enumerate(value):
        place = f"workloads[{number}]"
        with reader.at(place):
            if not isinstance(fields, dict):
                raise ParameterError("a workload has fields: write collective and size, training or inference")
            yield _workload(reader, place, fields, number + 1)


def _workload(reader: _Reader, place: str, fields: Mapping[str, Any], number: int) -> Workload:
    with reader.at(f"{place}.{WEIGHT}"):
        weight = parse_amount(str(fields.get(WEIGHT, 1)))
        if weight <= 0:
            raise ParameterError("a weight should be above 0")
    reads = _reads(fields)
    values = {}
    for key, one in fields.items():
        if key not in (NAME, WEIGHT, *reads.heads):
            with reader.at(f"{place}.{key}"):
                _require_known(key, (NAME, WEIGHT, *reads.heads, *reads.known))
                values[reads.known[key].name] = _read(reads.known[key], one)
    if reads.made is _scenario:
        refuse_file(str(fields.get(NAME, number)), str(values.get("traffic") or ""))
    run = reads.made(fields, values)
    title = run.summary if isinstance(run, Scenario) else f"{reads.noun} of {run.model.name}"
    measure = str(fields.get(MEASURE, ANSWER)) if isinstance(run, Inference) else ANSWER
    with reader.at(f"{place}.{MEASURE}"):
        _require_known(measure, [word.name for word in MEASURES])
    return Workload(str(fields.get(NAME) or title), weight, run, measure)


Run = Scenario | Training | Inference


@dataclass(frozen=True, slots=True)
class _Reads:
    """How a sort of workload is read: what it is of, its keys that are no settings, its settings."""

    made: Callable[[Mapping[str, Any], dict[str, Any]], Run]
    known: Mapping[str, Field]
    heads: tuple[str, ...] = ()
    noun: str = ""


def _reads(fields: Mapping[str, Any]) -> _Reads:
    if TRAINING in fields:
        return _Reads(_training, OF_TRAINING, (TRAINING,), "training step")
    if INFERENCE in fields or SETUP in fields:
        return _Reads(_inference, OF_INFERENCE, (INFERENCE, SETUP, MEASURE), "inference")
    return _Reads(_scenario, OF_RUN)


def _scenario(_fields: Mapping[str, Any], values: dict[str, Any]) -> Scenario:
    values["algorithm"], values["dims"] = algorithm_and_dims(values.get("algorithm"))
    if not isinstance(values.get("collective") or values.get("traffic"), str):
        raise ParameterError("a workload needs a collective, traffic, training or inference")
    return Scenario(**values)


def _training(fields: Mapping[str, Any], values: dict[str, Any]) -> Training:
    model = model_named(PRESETS, str(fields[TRAINING]))
    _require_stated(values, "a training step", gpu_tflops="the peak of a GPU from its data sheet")
    return Training(model=model, **values)


def _inference(fields: Mapping[str, Any], values: dict[str, Any]) -> Inference:
    """With the values of a published setup, where one is named, under those that the search states."""
    setup = setup_named(str(fields[SETUP])) if fields.get(SETUP) else None
    model = model_named(MODELS, str(fields.get(INFERENCE) or (setup.model if setup is not None else "")))
    _require_stated(
        values,
        "inference",
        gpu_tflops="the peak of a GPU from its data sheet",
        memory_gbytes_per_s="the memory bandwidth of a GPU from its data sheet",
    )
    return Inference(model=model, **({**setup.values, **values} if setup is not None else values))


def _require_stated(values: Mapping[str, Any], noun: str, **needed: str) -> None:
    for name, what in needed.items():
        if name not in values:
            raise ParameterError(f"{noun} needs {name}: {what}")


def _choices(reader: _Reader, value: Any) -> Iterator[Choice]:
    with reader.at("families"):
        if not isinstance(value, list):
            raise ParameterError("write a list of families, each with the values to try")
    for number, fields in enumerate(value):
        place = f"families[{number}]"
        with reader.at(place):
            if not isinstance(fields, dict) or FAMILY not in fields:
                raise ParameterError("a family needs its name: write family: rail-optimized")
            known = fields_of(family_named(str(fields[FAMILY])).parameters)
        rows = []
        for key, one in fields.items():
            if key not in (FAMILY, OPTICS_KEY):
                with reader.at(f"{place}.{key}"):
                    _require_known(key, (FAMILY, OPTICS_KEY, *known))
                    rows.append((key, _texts(known[key], one)))
        with reader.at(f"{place}.{OPTICS_KEY}"):
            optics = tuple(map(str, _listed(fields.get(OPTICS_KEY, SIMPLEST))))
            for name in optics:
                _require_known(name, [word.name for word in OPTICS])
        yield Choice(str(fields[FAMILY]), tuple(rows), optics)


def _texts(field: Field, value: Any) -> tuple[str, ...]:
    """The values to try for a parameter, each as the field writes it."""
    found = [field.write(_read(field, one)) for one in _listed(value)]
    return tuple(dict.fromkeys(found))


def _listed(value: Any) -> list[Any]:
    listed = value if isinstance(value, list) else [value]
    if not 1 <= len(listed) <= MOST_VALUES:
        raise ParameterError(f"list 1 to {MOST_VALUES} values")
    return listed


def _read(field: Field, value: Any) -> Any:
    """The value that a text or a figure of the file stands for, checked."""
    if isinstance(value, dict | list):
        raise ParameterError(f"{field.noun} should be one value")
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    found = field.read(text)
    field.require(found)
    return found
