"""A training step as asked for: the model, how it is laid over the ranks, and how fast its GPUs are. Needs no numpy.

Parallelism as in D. Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM"
(SC 2021), and S. Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models" (SC 2020).
"""

import math
from dataclasses import dataclass, fields

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.ranges import Range
from designer.simulation import catalogue
from designer.simulation.run_settings import (
    failed_setting,
    gpu_peak_setting,
    order_setting,
    routing_setting,
    seed_setting,
)
from designer.simulation.transformer import ELEMENT_BYTES, Transformer, of_model
from designer.units import format_count

LAYOUTS = ("tensor-data-pipeline", "tensor-pipeline-data")
"""Which ranks are neighbors: those of a tensor group first; the last named are farthest apart."""
PARALLELISM, ASSUMED = "Parallelism", "Assumed"
"""Parts of the form."""
# Limits far above anything built: a figure beyond is a slip of the pen.
DEGREE = Range(1, 10**8)


def _all_reduces() -> list[catalogue.AlgorithmRow]:
    row = catalogue.collective("all-reduce")
    names = row.algorithms if row is not None else ()
    return [found for name in names if (found := catalogue.ALGORITHMS.named(name)) is not None]


@dataclass(frozen=True, slots=True)
class Model(Transformer):
    """A transformer and its batch. Raises ParameterError for what makes no sense.

    `parameters` None takes those of a GPT model of these layers, see `parameter_count`. `global_batch` and
    `micro_batch` count sequences, the latter those of one replica. `bytes_per_element` is that of weights and
    activations, `gradient_bytes` that of gradients on the wire.
    """

    sequence: int = of_model("sequence", title="Sequence", help="Tokens per sequence.", within=Range(1, 10**9))
    vocabulary: int = of_model(
        "vocabulary",
        title="Vocabulary",
        help="Words in the vocabulary; used only if --parameters is not given.",
        tip_text="Used if the number of parameters is left empty",
        within=Range(0, 10**9),
    )
    global_batch: int = of_model(
        "global batch",
        title="Global batch",
        help="Sequences per step, over all replicas.",
        tip_text="Sequences per step, over all replicas",
        within=Range(1, 10**9),
    )
    micro_batch: int = of_model(
        "micro-batch",
        1,
        title="Micro-batch",
        help="Sequences that a replica processes at a time.",
        tip_text="Sequences per replica and microbatch",
        within=Range(1, 10**9),
    )
    bytes_per_element: float = of_model(
        "bytes per element",
        2,
        title="Bytes per element",
        help="Bytes per element of weights and activations.",
        tip_text="Weights and activations: 2 for BF16",
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )
    gradient_bytes: float = of_model(
        "gradient bytes",
        2,
        title="Gradient bytes",
        help="Bytes per element of the gradients on the wire.",
        tip_text="Bytes per gradient element on the wire: 2 for BF16, 4 for FP32",
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )

    @property
    def parameter_count(self) -> float:
        """`parameters`, or those of a GPT model of these dimensions: Narayanan et al. 2021, equation 2."""
        if self.parameters is not None:
            return self.parameters
        layers, hidden = self.layers, self.hidden
        words = (self.vocabulary + self.sequence) / (12 * layers * hidden)
        return 12 * layers * hidden**2 * (1 + 13 / (12 * hidden) + words)

    @property
    def tokens_per_step(self) -> int:
        """Tokens of a step: sequences of the global batch times the tokens of each."""
        return self.global_batch * self.sequence


MODEL_FIELDS = tuple(field.name for field in fields(Model) if field.name not in ("name", "source"))
"""What a person states of a model."""

PRESETS = (
    Model(
        "gpt3-175b",
        96,
        12288,
        2048,
        51200,
        1536,
        parameters=174.6e9,
        source="Brown et al. 2020, table 2.1 (layers, hidden size, sequence); Narayanan et al. 2021, table 2 "
        "(174.6 billion parameters, batch of 1,536 sequences) and section 5.1 (vocabulary)",
    ),
    Model(
        "llama2-70b",
        80,
        8192,
        4096,
        32000,
        1024,
        parameters=70e9,
        source="Touvron et al. 2023, Llama 2: table 1 and section 2.2 (parameters, sequence, batch of 4 M tokens, "
        "vocabulary); the model's published configuration (80 layers, hidden size 8,192)",
    ),
)


@dataclass(frozen=True, slots=True)
class Training:
    """A model in training: degrees of parallelism, speed of a GPU, and what overlaps. Raises ParameterError.

    `tensor` None takes the largest that stays inside a scale-up domain, `data` None the most replicas that fit the
    GPUs and the batch. `gpu_tflops` is the peak of one GPU at the precision used, `utilization` the share of it that
    computing alone reaches. `overlap` is the share of the data-parallel collectives hidden behind computing,
    `tensor_overlap` that of the tensor-parallel ones. `recompute`: activations are computed again on the way back.
    """

    model: Model
    gpu_tflops: float = gpu_peak_setting()
    tensor: int | None = setting(
        None,
        title="Tensor",
        noun="the tensor degree",
        help="Tensor degree; auto stays inside a scale-up domain.",
        tip_text="GPUs that share each layer; empty: as many as fit in a scale-up domain",
        section=PARALLELISM,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
        word="auto",
        metavar="auto|N",
        empty="scale-up domain",
    )
    pipeline: int = setting(
        1,
        title="Pipeline",
        noun="the pipeline degree",
        help="Pipeline stages.",
        tip_text="Stages, each with its share of the layers",
        section=PARALLELISM,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
    )
    data: int | None = setting(
        None,
        title="Data",
        noun="the data degree",
        help="Data-parallel replicas; auto takes the most that GPUs and batch allow.",
        tip_text="Replicas; empty: as many as GPUs and batch allow",
        section=PARALLELISM,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
        word="auto",
        metavar="auto|N",
        empty="as many as fit",
    )
    expert: int = setting(
        1,
        title="Expert",
        noun="the expert degree",
        help="Expert degree: data ranks that the experts are divided among.",
        tip_text="Data ranks that the experts are divided among",
        section=PARALLELISM,
        kind=kinds.LARGE_COUNT,
        within=DEGREE,
    )
    zero: int = setting(
        0,
        title="ZeRO stage",
        noun="the ZeRO stage",
        help="ZeRO stage, 0 to 3.",
        tip_text="0 to 3: optimizer, gradients, weights spread over data ranks",
        section=PARALLELISM,
        kind=kinds.LARGE_COUNT,
        within=Range(0, 3),
    )
    layout: str = setting(
        LAYOUTS[0],
        title="Layout",
        help="Which ranks are neighbors, the nearest first: {names}.",
        tip_text="Which ranks are neighbors, the nearest first",
        section=PARALLELISM,
        kind=kinds.NAME,
        choices=tuple(Word(name, name.replace("-", ", ")) for name in LAYOUTS),
        metavar="L",
    )
    utilization: float = setting(
        0.5,
        title="Utilization",
        noun="the utilization of a GPU",
        help="Share of the peak that computation alone reaches.",
        section=ASSUMED,
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        metavar="N",
    )
    overlap: float = setting(
        0.0,
        title="Data overlap",
        noun="the overlap",
        help="Share of the data-parallel collectives hidden behind computing.",
        tip_text="Share of the data-parallel collectives hidden behind computing",
        section=ASSUMED,
        kind=kinds.SHARE,
        metavar="N",
    )
    tensor_overlap: float = setting(
        0.0,
        title="Tensor overlap",
        noun="the tensor overlap",
        help="Share of the tensor-parallel collectives hidden behind computing.",
        section=ASSUMED,
        kind=kinds.SHARE,
        metavar="N",
    )
    recompute: bool = setting(
        False,
        title="Recompute",
        help="Recompute activations in the backward pass.",
        tip_text="Recompute activations in the backward pass: a third more computation",
        section=ASSUMED,
        kind=kinds.FLAG,
    )
    tokens: float | None = setting(
        None,
        title="Tokens to train on",
        noun="the number of tokens",
        help="Tokens to train on: 300e9.",
        tip_text="300B, 2e12: shows the number of days",
        section=ASSUMED,
        kind=kinds.AMOUNT,
        within=Range(0, 1e21, is_above=True),
        empty="not set",
    )
    algorithm: str | None = setting(
        None,
        title="Algorithm",
        noun="algorithm of all-reduce",
        help="Algorithm of the all-reduces: {names}.",
        section=PARALLELISM,
        kind=kinds.NAME,
        choices=_all_reduces,
        metavar="A",
        is_shown=False,
    )
    """Of all-reduces; the usual one where None."""
    routing: str = routing_setting(PARALLELISM)
    order: str = order_setting()
    seed: int = seed_setting()
    failed: tuple[str, ...] = failed_setting()
    latency: bool = True

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Degrees:
    """Degrees that fit: tensor x pipeline x data ranks, of which `expert` data ranks share out the experts."""

    tensor: int
    pipeline: int
    data: int
    expert: int
    micro_batches: int

    @property
    def ranks(self) -> int:
        """Number of GPUs: tensor x pipeline x data."""
        return self.tensor * self.pipeline * self.data


def fitted(training: Training, n_gpus: int, domain_size: int) -> Degrees:
    """The degrees with what was left open filled in. Raises ParameterError with one sentence on what does not fit."""
    model = training.model
    tensor = training.tensor or math.gcd(max(1, domain_size), model.hidden)
    pipeline = training.pipeline
    if model.hidden % tensor:
        raise ParameterError(f"a hidden size of {format_count(model.hidden)} does not divide by tensor degree {tensor}")
    if model.layers % pipeline:
        raise ParameterError(f"{model.layers} layers do not divide into {pipeline} pipeline stages")
    data = training.data if training.data is not None else _most_replicas(model, n_gpus // (tensor * pipeline))
    product = f"tensor {tensor} x pipeline {pipeline} x data {data}"
    needed = tensor * pipeline * max(1, data)
    if data < 1 or needed > n_gpus:
        raise ParameterError(
            f"{product if data else product.rpartition(' x ')[0]} needs {format_count(needed)} GPUs, "
            f"there are {format_count(n_gpus)}"
        )
    if model.global_batch % (data * model.micro_batch):
        raise ParameterError(
            f"a batch of {format_count(model.global_batch)} sequences does not divide into micro-batches of "
            f"{model.micro_batch} on {data} data-parallel replicas"
        )
    _check_experts(training, data)
    return Degrees(tensor, pipeline, data, training.expert, model.global_batch // (data * model.micro_batch))


def idle_why(training: Training, degrees: Degrees, n_gpus: int) -> str:
    """Why not all GPUs take part; "" where they do."""
    replica = degrees.tensor * degrees.pipeline
    most, data, model = n_gpus // replica, degrees.data, training.model
    if degrees.ranks == n_gpus:
        return ""
    if data == most:
        return f"a replica takes {format_count(replica)}, and {format_count(n_gpus)} do not divide by that"
    if training.data is not None:
        return f"{data} replicas were asked for, there is room for {most}"
    more = f"{data + 1} to {most}" if most > data + 1 else f"{most}"
    of = f" in micro-batches of {model.micro_batch}" if model.micro_batch > 1 else ""
    return f"a batch of {format_count(model.global_batch)}{of} does not divide over {more} replicas"


def _most_replicas(model: Model, at_most: int) -> int:
    """The most replicas that the batch divides over; 0 where not even one fits."""
    each = range(min(at_most, model.global_batch), 0, -1)
    return next((data for data in each if model.global_batch % (data * model.micro_batch) == 0), min(at_most, 1))


def _check_experts(training: Training, data: int) -> None:
    expert, experts = training.expert, training.model.experts
    if expert == 1:
        return
    if not experts:
        raise ParameterError(f"an expert degree of {expert} needs a model with experts")
    if experts % expert:
        raise ParameterError(f"{experts} experts do not divide over an expert degree of {expert}")
    if data % expert:
        raise ParameterError(f"{data} data-parallel replicas do not divide by an expert degree of {expert}")
