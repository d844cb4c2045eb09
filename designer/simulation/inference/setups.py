"""Deployments that were published: how they laid out their pools, and what they measured. Needs no numpy."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from designer.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Setup:
    """A deployment: fields of Inference that its source states, and what it measured, to compare with.

    `derived` says which of the values follow from figures of the source rather than stand there.
    """

    name: str
    model: str
    values: Mapping[str, int | float | str]
    source: str
    measured: str = ""
    derived: str = ""


def _values(**values: int | float | str) -> Mapping[str, int | float | str]:
    return MappingProxyType(values)


SETUPS = (
    Setup(
        "deepseek-2025",
        "deepseek-v3",
        _values(
            input_tokens=4383,
            cached=0.563,
            output_tokens=1211,
            prefill_tensor=1,
            prefill_expert=32,
            decode_tensor=1,
            decode_expert=144,
        ),
        "DeepSeek-AI, DeepSeek-V3/R1 Inference System Overview, 1 March 2025 (prefill over 32 GPUs, decode over 144, "
        "56.3 % of the input cached, 608 billion tokens in and 168 billion out)",
        "per H800 server of 8 GPUs about 73,700 input tokens/s, cached ones included, and 14,800 output tokens/s; 20 "
        "to 22 tokens/s for a user",
        "the lengths of prompt and answer follow from the ratio of input and output and from the mean of 4,989 tokens "
        "in the cache, for requests that are all alike; batches are not published",
    ),
    Setup(
        "deepseek-v3-report",
        "deepseek-v3",
        _values(
            prefill_tensor=4,
            prefill_expert=32,
            decode_tensor=4,
            decode_expert=320,
        ),
        "DeepSeek-AI, DeepSeek-V3 Technical Report, December 2024, sections 3.4.1 and 3.4.2 (units of 4 servers and "
        "32 GPUs to prefill and of 40 servers and 320 GPUs to decode, tensor groups of 4 in both, experts over all)",
        derived="lengths and batches are not published; shared and redundant experts, on 64 of the 320 GPUs, are not "
        "modelled: the report sends a token to the shared expert as to a ninth",
    ),
    Setup(
        "sglang-96-h100",
        "deepseek-v3",
        _values(
            input_tokens=2000,
            prefill_tensor=1,
            prefill_expert=32,
            decode_tensor=1,
            decode_expert=72,
        ),
        "The SGLang Team, Deploying DeepSeek with PD Disaggregation and Large-scale Expert Parallelism on 96 H100 "
        "GPUs, 5 May 2025 (12 servers of 8 GPUs, prompts of 2,000 tokens, prefill on 4 servers, decode on 9)",
        "per H100 server of 8 GPUs 52,300 input tokens/s and 22,300 output tokens/s",
        "pools were measured one at a time; batches are set here",
    ),
    Setup(
        "llama3-405b-bf16",
        "llama3-405b",
        _values(
            input_tokens=4096,
            output_tokens=256,
            prefill_tensor=8,
            prefill_pipeline=2,
            decode_tensor=8,
            decode_pipeline=2,
        ),
        "Llama Team, The Llama 3 Herd of Models, July 2024, section 6.1 (16 GPUs of two servers, tensor groups of 8 "
        "and 2 stages, prompts of 4,096 tokens, answers of 256)",
    ),
)


def setup_named(name: str) -> Setup:
    """The deployment of that name. Raises ParameterError."""
    for setup in SETUPS:
        if setup.name == name:
            return setup
    raise ParameterError(f"there is no setup {name!r}; there is {', '.join(setup.name for setup in SETUPS)}")
