"""Inference as asked for: the model, requests, the pools that prefill and decode, and how fast a GPU is.

Needs no numpy. Pools apart as in P. Patel et al., "Splitwise: Efficient Generative LLM Inference Using Phase
Splitting" (ISCA 2024), and Y. Zhong et al., "DistServe" (OSDI 2024).
"""

import math
from dataclasses import dataclass
from typing import Any

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.ranges import Range
from designer.simulation.inference.models import ServedModel
from designer.simulation.run_settings import (
    failed_setting,
    gpu_peak_setting,
    order_setting,
    routing_setting,
    seed_setting,
)
from designer.units import format_count

REQUESTS, PREFILL, DECODE, ASSUMED = "Requests", "Prefill pool", "Decode pool", "Assumed"
"""Parts of the form."""
DIRECT, BY_SERVER = "direct", "by-server"
DISPATCHES = (
    Word(DIRECT, "to each expert's GPU", "each copy of a token goes straight to the GPU of its expert"),
    Word(
        BY_SERVER,
        "once per server",
        "a token goes once to each server, to the GPU at the sender's place, and from there over the scale-up domain",
    ),
)
"""How tokens get to experts."""
ARRANGEMENTS = (
    Word("apart", "one after the other", "all units that prefill, then all that decode"),
    Word("mixed", "in turns", "units that prefill between those that decode"),
)
"""Which ranks the pools take."""
DEGREE = Range(1, 10**6)
TOKENS = Range(1, 10**9)


def _degree(pool: str, default: Any, what: str, title: str, **more: Any) -> Any:
    section = PREFILL if pool == "prefill" else DECODE
    return setting(
        default,
        title=title,
        noun=f"the {what} of the {pool} pool",
        section=section,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
        **more,
    )


def _tensor(pool: str) -> Any:
    return _degree(
        pool,
        None,
        "tensor degree",
        "Tensor",
        help=f"Tensor degree of the {pool} pool; auto stays inside a scale-up domain, 1 with experts apart.",
        tip_text="GPUs that share each layer; empty: a scale-up domain, or 1 where experts are apart",
        word="auto",
        metavar="auto|N",
        empty="auto",
    )


def _expert(pool: str) -> Any:
    return _degree(
        pool,
        1,
        "expert degree",
        "Expert",
        help=f"Expert degree of the {pool} pool: GPUs of a stage that the experts are divided among.",
        tip_text="GPUs of a stage that the experts are divided among; 1: tensor groups divide them",
    )


def _dispatch(pool: str, default: str) -> Any:
    return setting(
        default,
        title="Dispatch",
        help=f"How tokens get to experts in the {pool} pool: to each GPU, or once per server and on from there.",
        section=PREFILL if pool == "prefill" else DECODE,
        kind=kinds.CHOICE,
        choices=DISPATCHES,
    )


def _share(default: float, title: str, help_: str, **more: Any) -> Any:
    return setting(default, title=title, help=help_, section=ASSUMED, kind=kinds.SHARE, metavar="N", **more)


ABOVE_0_TO_1 = Range(0, 1, is_above=True)


@dataclass(frozen=True, slots=True)
class Inference:
    """A model that serves requests of one shape. Raises ParameterError.

    A unit is the smallest set of GPUs that holds the model once: tensor x pipeline, or expert x pipeline GPUs. A
    replica is one tensor group of each stage; a unit has expert / tensor of them. `prefill_batch` prompts go through a
    replica at a time, and `decode_batch` answers are under way in one. `cached` is the share of the prompt that the
    cache holds already. `rate` None asks for the most. Degrees None are calculated.
    """

    model: ServedModel
    gpu_tflops: float = gpu_peak_setting()
    memory_gbytes_per_s: float = setting(
        title="GPU memory, GB/s",
        noun="the memory bandwidth of a GPU in GB/s",
        help="Memory bandwidth of a GPU in GB/s, from its data sheet.",
        tip_text="Bandwidth of one GPU's memory in GB/s, from its data sheet",
        kind=kinds.AMOUNT,
        within=Range(0, 1e6, is_above=True),
        empty="from the data sheet",
    )
    input_tokens: int = setting(
        2048,
        title="Prompt",
        noun="the prompt",
        help="Tokens of a prompt.",
        unit="tokens",
        section=REQUESTS,
        kind=kinds.LARGE_COUNT,
        within=TOKENS,
    )
    cached: float = setting(
        0.0,
        title="Share cached",
        noun="the share in the cache",
        help="Share of the prompt whose keys and values are in a cache already.",
        section=REQUESTS,
        kind=kinds.SHARE,
        within=Range(0, 1, is_below=True),
        metavar="N",
    )
    output_tokens: int = setting(
        256,
        title="Answer",
        noun="the answer",
        help="Tokens of an answer.",
        unit="tokens",
        section=REQUESTS,
        kind=kinds.LARGE_COUNT,
        within=TOKENS,
    )
    rate: float | None = setting(
        None,
        title="Rate",
        noun="the rate of requests",
        help="Requests per second; if left out, the most that pools and fabric sustain.",
        tip_text="Requests per second; empty: the most that pools and fabric sustain",
        unit="requests/s",
        section=REQUESTS,
        kind=kinds.AMOUNT,
        within=Range(0, 1e12, is_above=True),
        empty="the most",
    )
    prefill_units: int | None = setting(
        None,
        title="Units",
        noun="the number of prefill units",
        help="Units that prefill; auto divides the GPUs so that neither pool waits for the other while computing.",
        tip_text="Sets of GPUs that hold the model once; empty: so many that neither pool waits for the other",
        section=PREFILL,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
        word="auto",
        metavar="auto|N",
        empty="balanced",
    )
    prefill_tensor: int | None = _tensor("prefill")
    prefill_pipeline: int = _degree(
        "prefill",
        1,
        "pipeline degree",
        "Pipeline",
        help="Pipeline stages of the prefill pool.",
        tip_text="Stages, each with its share of the layers",
    )
    prefill_expert: int = _expert("prefill")
    prefill_batch: int = _degree(
        "prefill", 1, "batch", "Batch", help="Prompts that a prefill replica computes at a time."
    )
    prefill_dispatch: str = _dispatch("prefill", BY_SERVER)
    decode_units: int | None = setting(
        None,
        title="Units",
        noun="the number of decode units",
        help="Units that decode; auto takes the GPUs that are left.",
        tip_text="Sets of GPUs that hold the model once; empty: all that are left",
        section=DECODE,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
        word="auto",
        metavar="auto|N",
        empty="as many as fit",
    )
    decode_tensor: int | None = _tensor("decode")
    decode_pipeline: int = _degree(
        "decode",
        1,
        "pipeline degree",
        "Pipeline",
        help="Pipeline stages of the decode pool.",
        tip_text="Stages, each with its share of the layers; the answers under way are divided among them",
    )
    decode_expert: int = _expert("decode")
    decode_batch: int = _degree("decode", 64, "batch", "Batch", help="Answers that are under way in a decode replica.")
    decode_dispatch: str = _dispatch("decode", DIRECT)
    utilization: float = _share(
        1.0,
        "Utilization",
        "Share of the peak that computing alone reaches.",
        noun="the utilization",
        within=ABOVE_0_TO_1,
    )
    memory_utilization: float = _share(
        1.0,
        "Memory utilization",
        "Share of the memory bandwidth that reading weights and cache reaches.",
        noun="the utilization of memory",
        within=ABOVE_0_TO_1,
    )
    overlap: float = _share(
        0.0,
        "Overlap",
        "Share of the communication in a pool hidden behind computing, as by two batches in turns.",
        noun="the overlap",
    )
    arrangement: str = setting(
        "apart",
        title="Pools",
        help="Which ranks the pools take: one pool after the other, or units of both in turns.",
        section=ASSUMED,
        kind=kinds.CHOICE,
        choices=ARRANGEMENTS,
    )
    routing: str = routing_setting(ASSUMED)
    order: str = order_setting()
    seed: int = seed_setting()
    failed: tuple[str, ...] = failed_setting()
    latency: bool = True

    def __post_init__(self) -> None:
        check(self)

    @property
    def new_tokens(self) -> float:
        """Tokens of a prompt that are computed, those in the cache left out."""
        return self.input_tokens * (1 - self.cached)

    @property
    def prefill_context(self) -> float:
        """Mean number of tokens before a token that is computed in prefill."""
        return self.input_tokens - self.new_tokens / 2

    @property
    def decode_context(self) -> float:
        """Mean number of tokens before a token of the answer."""
        return self.input_tokens + self.output_tokens / 2


@dataclass(frozen=True, slots=True)
class Degrees:
    """Degrees of a pool that fit. A unit has `replicas` tensor groups in each of `pipeline` stages."""

    tensor: int
    pipeline: int
    expert: int

    @property
    def replicas(self) -> int:
        """Tensor groups of a stage of one unit, each with requests of its own."""
        return self.expert // self.tensor if self.expert > 1 else 1

    @property
    def unit(self) -> int:
        """GPUs that hold the model once."""
        return self.tensor * self.replicas * self.pipeline

    @property
    def experts_over(self) -> int:
        """GPUs of a stage that the experts are divided among."""
        return self.tensor * self.replicas


def degrees_of(inference: Inference, pool: str, domain_size: int) -> Degrees:
    """The degrees of a pool with what was left open filled in. Raises ParameterError with what does not fit."""
    model = inference.model
    asked: int | None = getattr(inference, f"{pool}_tensor")
    pipeline, expert = getattr(inference, f"{pool}_pipeline"), getattr(inference, f"{pool}_expert")
    tensor = asked or (1 if expert > 1 else math.gcd(max(1, domain_size), model.hidden))
    if model.hidden % tensor:
        raise ParameterError(f"a hidden size of {format_count(model.hidden)} does not divide by tensor degree {tensor}")
    if pipeline > model.layers:
        raise ParameterError(f"{model.layers} layers do not divide into {pipeline} pipeline stages of the {pool} pool")
    if expert > 1:
        if not model.experts:
            raise ParameterError(f"an expert degree of {expert} needs a model with experts")
        if expert % tensor:
            raise ParameterError(
                f"the expert degree {expert} of the {pool} pool does not divide by its tensor degree {tensor}"
            )
    return Degrees(tensor, pipeline, expert)


def units_of(inference: Inference, prefill: Degrees, decode: Degrees, n_gpus: int, share: float) -> tuple[int, int]:
    """How many units prefill and decode. `share` is the part of all GPUs that should prefill where that is left open.

    Raises ParameterError where they do not fit.
    """
    first, second = inference.prefill_units, inference.decode_units
    if first is None:
        left = n_gpus - decode.unit * (second or 1)
        wanted = max(1, round(share * n_gpus / prefill.unit)) if second is None else left // prefill.unit
        first = max(1, min(wanted, left // prefill.unit))
    if second is None:
        second = max(1, (n_gpus - first * prefill.unit) // decode.unit)
    needed = first * prefill.unit + second * decode.unit
    if needed > n_gpus:
        raise ParameterError(
            f"{first} x {prefill.unit} GPUs to prefill and {second} x {decode.unit} to decode need "
            f"{format_count(needed)} GPUs, there are {format_count(n_gpus)}"
        )
    return first, second
