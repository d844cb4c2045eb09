"""A transformer as estimates take it: its layers, its parameters and its experts. Needs no numpy."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeVar

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, fields_of, setting
from designer.fields.kinds import Kind
from designer.fields.ranges import Range
from designer.units import shortened

MODEL, EXPERTS = "Model", "Mixture of experts"
"""Parts of the form."""
# Limits far above anything built: a figure beyond is a slip of the pen.
ELEMENT_BYTES = Range(0, 64, is_above=True)


def of_model(
    noun: str, default: Any = ..., *, kind: Kind = kinds.LARGE_COUNT, section: str = MODEL, **more: Any
) -> Any:
    """A figure of a model; the command line has those of a preset where it is not given."""
    return setting(default, noun=f"the {noun} of a model", kind=kind, section=section, is_asked=True, **more)


@dataclass(frozen=True, slots=True)
class Transformer:
    """A transformer. Raises ParameterError for what makes no sense.

    With `experts` every layer of experts has that many, each token goes to `top_k` of them, and `expert_parameters` of
    all parameters are in experts. `source` says where the figures of a preset are from.
    """

    name: str
    layers: int = of_model(
        "layers", title="Layers", help="Layers.", tip_text="Transformer layers", within=Range(1, 10**5)
    )
    hidden: int = of_model(
        "hidden size", title="Hidden size", help="Hidden size.", tip_text="Width of a layer", within=Range(1, 10**7)
    )
    _: KW_ONLY
    parameters: float | None = of_model(
        "parameters",
        None,
        title="Parameters",
        help="Number of parameters: 70B, 174.6e9; if left out, that of a GPT model with these dimensions.",
        tip_text="70B, 174.6e9; empty: calculated for a GPT model of these dimensions",
        kind=kinds.AMOUNT,
        within=Range(0, 1e18, is_above=True),
        empty="from the dimensions",
        first=True,
    )
    experts: int = of_model(
        "experts",
        0,
        title="Experts",
        help="Mixture of experts: number of experts in each layer.",
        tip_text="Experts in each layer; empty: a dense model",
        section=EXPERTS,
        within=Range(0, 10**6),
        empty="none",
    )
    top_k: int = of_model(
        "experts per token",
        0,
        title="Experts per token",
        help="Mixture of experts: number of experts that each token is sent to.",
        tip_text="Experts that each token is sent to",
        section=EXPERTS,
        within=Range(0, 10**6),
        empty="none",
    )
    expert_parameters: float = of_model(
        "parameters in experts",
        0,
        title="Parameters in them",
        help="Mixture of experts: number of parameters that are in experts.",
        tip_text="Parameters that are in experts",
        section=EXPERTS,
        kind=kinds.AMOUNT,
        within=Range(0),
        empty="none",
    )
    source: str = ""

    def __post_init__(self) -> None:
        check(self)
        fields_of(Transformer)["parameters"].require(self.parameter_count)
        if self.experts and not 1 <= self.top_k <= self.experts:
            raise ParameterError(f"a token should go to 1 to {self.experts} experts, not {self.top_k}")
        if not 0 <= self.expert_parameters < self.parameter_count:
            raise ParameterError("the parameters in experts should be fewer than all parameters")
        if bool(self.experts) != bool(self.expert_parameters):
            raise ParameterError("a mixture of experts needs both the number of experts and the parameters in them")

    @property
    def parameter_count(self) -> float:
        """All parameters."""
        return self.parameters or 0.0

    @property
    def active_parameters(self) -> float:
        """Parameters a token meets: all outside experts, and those of `top_k` experts."""
        if not self.experts:
            return self.parameter_count
        return self.parameter_count - self.expert_parameters * (1 - self.top_k / self.experts)


M = TypeVar("M", bound=Transformer)


def model_named(models: Sequence[M], name: str) -> M:
    """The model of that name. Raises ParameterError with the names there are."""
    for model in models:
        if model.name == name:
            return model
    raise ParameterError(f"there is no model {shortened(name)!r}; there is {', '.join(one.name for one in models)}")
