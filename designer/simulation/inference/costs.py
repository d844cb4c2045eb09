"""What a GPU computes, reads and keeps in a pass of a pool, as the formulas on the screen have it. Needs no numpy."""

from dataclasses import dataclass

from designer.simulation.inference.request import Degrees, Inference

FLOPS_PER_TFLOP = 1e12
BYTES_PER_GBYTE = 1e9
POOL_TITLES = {"prefill": "Prefill", "decode": "Decode"}
"""What tables call the pools."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of a micro-batch through all layers: a prompt's in prefill, one token of each answer in decoding.

    `tokens` and `requests` are those of one replica; `flops`, `weights_read_bytes` and `cache_read_bytes` those of one
    GPU in all its stages together, as the pass goes through one after the other. `weight_bytes` and `cache_bytes` are
    what a GPU keeps.
    """

    pool: str
    degrees: Degrees
    requests: float
    tokens: float
    context: float
    flops_per_token: float
    flops: float
    experts_read: float
    """Share of the experts that some token of the unit goes to."""
    weights_read_bytes: float
    cache_read_bytes: float
    compute_s: float
    memory_s: float
    weight_bytes: float
    cache_bytes: float

    @property
    def busy_s(self) -> float:
        """Computing and reading go on at the same time: the longer of the two."""
        return max(self.compute_s, self.memory_s)


def prefill_pass(inference: Inference, degrees: Degrees) -> Pass:
    """A batch of prompts through a replica of the prefill pool."""
    requests = float(inference.prefill_batch)
    return _pass(
        inference,
        "prefill",
        degrees,
        requests,
        requests * inference.new_tokens,
        inference.prefill_context,
        read_tokens=requests * inference.input_tokens,
        kept_tokens=requests * inference.input_tokens * degrees.pipeline,
    )


def decode_pass(inference: Inference, degrees: Degrees) -> Pass:
    """The next token of a micro-batch of answers: those under way in a replica are divided among its stages."""
    requests = inference.decode_batch / degrees.pipeline
    context = inference.decode_context
    return _pass(
        inference,
        "decode",
        degrees,
        requests,
        requests,
        context,
        read_tokens=requests * context,
        kept_tokens=inference.decode_batch * context,
    )


def _pass(
    inference: Inference,
    pool: str,
    degrees: Degrees,
    requests: float,
    tokens: float,
    context: float,
    *,
    read_tokens: float,
    kept_tokens: float,
) -> Pass:
    model = inference.model
    per_token = model.flops_per_token(context, is_decoding=pool == "decode")
    flops = tokens * per_token / degrees.tensor
    shared = (model.parameter_count - model.expert_parameters) / degrees.tensor
    experts = model.expert_parameters / degrees.experts_over
    read = experts_read(model.experts, model.top_k, tokens * degrees.replicas)
    weights_read_bytes = (shared + experts * read) * model.weight_bytes
    over = min(degrees.tensor, model.kv_heads)
    cache_read_bytes = read_tokens * model.kv_bytes_per_token / over
    return Pass(
        pool,
        degrees,
        requests,
        tokens,
        context,
        per_token,
        flops,
        read,
        weights_read_bytes,
        cache_read_bytes,
        flops / (inference.gpu_tflops * FLOPS_PER_TFLOP * inference.utilization),
        (weights_read_bytes + cache_read_bytes)
        / (inference.memory_gbytes_per_s * BYTES_PER_GBYTE * inference.memory_utilization),
        (shared + experts) * model.weight_bytes / degrees.pipeline,
        kept_tokens * model.kv_bytes_per_token / over / degrees.pipeline,
    )


def experts_read(experts: int, top_k: int, tokens: float) -> float:
    """Mean share of the experts that at least one of the tokens goes to, chosen evenly: 1 - (1 - k / E)^tokens."""
    return 1 - (1 - top_k / experts) ** tokens if experts else 1.0


def prefill_share(inference: Inference, prefill: Pass, decode: Pass) -> float:
    """The part of the GPUs that should prefill so that neither pool waits, by computing and reading alone."""
    per_prompt = gpu_seconds_per_request(prefill, 1)
    per_answer = gpu_seconds_per_request(decode, inference.output_tokens)
    return per_prompt / (per_prompt + per_answer)


def gpu_seconds_per_request(one: Pass, passes: int) -> float:
    """What a request takes of the pool's GPUs: so many passes, each shared with the other requests of it."""
    degrees = one.degrees
    at_once = one.requests * degrees.replicas * degrees.pipeline
    return passes * one.busy_s * degrees.unit / at_once
