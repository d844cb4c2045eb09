"""A training step as asked for: the model, how it is laid over the ranks, and how fast its GPUs are. Needs no numpy.

Parallelism as in D. Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM"
(SC 2021), and S. Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models" (SC 2020).
"""

import math
from dataclasses import dataclass, fields

from designer.errors import ParameterError
from designer.simulation import catalogue
from designer.units import format_count, shortened

LAYOUTS = ("tensor-data-pipeline", "tensor-pipeline-data")
"""Which ranks are neighbours: those of a tensor group first; the last named are farthest apart."""

MODEL_RANGES = (
    ("layers", 1, 10**5),
    ("hidden", 1, 10**7),
    ("sequence", 1, 10**9),
    ("vocabulary", 0, 10**9),
    ("global_batch", 1, 10**9),
    ("micro_batch", 1, 10**9),
    ("experts", 0, 10**6),
    ("top_k", 0, 10**6),
)
MODEL_WORDS = {
    "hidden": "hidden size",
    "global_batch": "global batch",
    "micro_batch": "micro-batch",
    "top_k": "experts a token",
}
PARAMETERS_MOST, ELEMENT_BYTES_MOST = 1e18, 64
TFLOPS_MOST, DEGREE_MOST, TOKENS_MOST = 1e6, 10**8, 1e21
# Far above anything built: a figure beyond is a slip of the pen.


def require_between(what: str, value: int, least: int, most: int) -> None:
    """Raises ParameterError naming what is out of its range."""
    if not least <= value <= most:
        raise ParameterError(f"{what} should be {least:,} to {most:,}, not {shortened(f'{value:,}')}")


def require_above_0(what: str, value: float, most: float) -> None:
    """Raises ParameterError naming what is out of its range."""
    if not 0 < value <= most:
        limit = f"{most:,.0f}" if most < 1e9 else f"{most:g}"
        raise ParameterError(f"{what} should be above 0 and at most {limit}, not {value:g}")


@dataclass(frozen=True, slots=True)
class Model:
    """A transformer and its batch. Raises ParameterError for what makes no sense.

    With `experts` every layer has that many, each token goes to `top_k` of them, and `expert_parameters` of all
    parameters are in experts. `global_batch` and `micro_batch` count sequences, the latter those of one replica.
    `bytes_per_element` is that of weights and activations, `gradient_bytes` that of gradients on the wire.
    """

    name: str
    layers: int
    hidden: int
    sequence: int
    vocabulary: int
    global_batch: int
    parameters: float | None = None
    """None takes those of a GPT model of these layers, see `parameter_count`."""
    micro_batch: int = 1
    bytes_per_element: float = 2
    gradient_bytes: float = 2
    experts: int = 0
    top_k: int = 0
    expert_parameters: float = 0
    source: str = ""

    def __post_init__(self) -> None:
        for field, least, most in MODEL_RANGES:
            require_between(f"the {MODEL_WORDS.get(field, field)} of a model", getattr(self, field), least, most)
        for name, value, limit in (
            ("parameters", self.parameter_count, PARAMETERS_MOST),
            ("bytes per element", self.bytes_per_element, ELEMENT_BYTES_MOST),
            ("gradient bytes", self.gradient_bytes, ELEMENT_BYTES_MOST),
        ):
            require_above_0(f"the {name} of a model", value, limit)
        if self.experts and not 1 <= self.top_k <= self.experts:
            raise ParameterError(f"a token should go to 1 to {self.experts} experts, not {self.top_k}")
        if not 0 <= self.expert_parameters < self.parameter_count:
            raise ParameterError("the parameters in experts should be fewer than all parameters")
        if bool(self.experts) != bool(self.expert_parameters):
            raise ParameterError("a mixture of experts needs both the number of experts and the parameters in them")

    @property
    def parameter_count(self) -> float:
        """`parameters`, or those of a GPT model of these dimensions: Narayanan et al. 2021, equation 2."""
        if self.parameters is not None:
            return self.parameters
        layers, hidden = self.layers, self.hidden
        words = (self.vocabulary + self.sequence) / (12 * layers * hidden)
        return 12 * layers * hidden**2 * (1 + 13 / (12 * hidden) + words)

    @property
    def active_parameters(self) -> float:
        """Parameters a token meets: all outside experts, and those of `top_k` experts."""
        if not self.experts:
            return self.parameter_count
        return self.parameter_count - self.expert_parameters * (1 - self.top_k / self.experts)

    @property
    def tokens_per_step(self) -> int:
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
        174.6e9,
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
        70e9,
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
    gpu_tflops: float
    tensor: int | None = None
    pipeline: int = 1
    data: int | None = None
    expert: int = 1
    zero: int = 0
    layout: str = LAYOUTS[0]
    utilization: float = 0.5
    overlap: float = 0.0
    tensor_overlap: float = 0.0
    recompute: bool = False
    tokens: float | None = None
    algorithm: str | None = None
    """Of all-reduces; the usual one where None."""
    routing: str = "spray"
    order: str = "design"
    seed: int = 0
    latency: bool = True
    failed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_above_0("the peak of a GPU in TFLOP/s", self.gpu_tflops, TFLOPS_MOST)
        if not 0 < self.utilization <= 1:
            raise ParameterError(f"the utilization of a GPU should be above 0 and at most 1, not {self.utilization:g}")
        for name, share in (("overlap", self.overlap), ("tensor overlap", self.tensor_overlap)):
            if not 0 <= share <= 1:
                raise ParameterError(f"the {name} should be 0 to 1, not {share:g}")
        for name in ("tensor", "pipeline", "data", "expert"):
            degree = getattr(self, name)
            if degree is not None:
                require_between(f"the {name} degree", degree, 1, DEGREE_MOST)
        if self.zero not in range(4):
            raise ParameterError(f"there are ZeRO stages 0 to 3, not {self.zero}")
        if self.layout not in LAYOUTS:
            raise ParameterError(f"there is no layout {self.layout!r}; there is {', '.join(LAYOUTS)}")
        row = catalogue.collective("all-reduce")
        if row is not None and self.algorithm is not None and self.algorithm not in row.algorithms:
            names = ", ".join(row.algorithms)
            raise ParameterError(f"there is no algorithm of all-reduce {self.algorithm!r}; there is {names}")
        if self.tokens is not None:
            require_above_0("the number of tokens", self.tokens, TOKENS_MOST)


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
