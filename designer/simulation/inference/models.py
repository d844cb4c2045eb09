"""Models as inference sees them: what a token costs to compute, to keep in the cache, and to send. Needs no numpy."""

from dataclasses import KW_ONLY, dataclass, fields

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.ranges import Range
from designer.simulation.transformer import ELEMENT_BYTES, EXPERTS, Transformer, of_model

ATTENTION, PRECISION = "Attention and cache", "Precision"
"""Parts of the form."""
WIDTH = Range(1, 10**9)


@dataclass(frozen=True, slots=True)
class ServedModel(Transformer):
    """A transformer that answers. Raises ParameterError for what makes no sense.

    `kv_width` counts the elements that a key-value head keeps of a token in a layer: twice the size of a head, or the
    latent of multi-head latent attention, which has one such head. `attention_width` are the products of a token with
    one before it, in all heads of a layer: query and key, and value. `expert_servers` bounds the servers that the
    experts of one token are on. `dispatch_bytes` is the element that is sent to experts, `activation_bytes` the one
    that comes back and that tensor groups add up.
    """

    _: KW_ONLY
    kv_heads: int = of_model(
        "key-value heads",
        title="Key-value heads",
        help="Key-value heads of a layer; 1 for multi-head latent attention.",
        tip_text="Of a layer; 1 for multi-head latent attention, whose cache tensor groups do not divide",
        section=ATTENTION,
        within=WIDTH,
    )
    kv_width: int = of_model(
        "elements kept by a key-value head",
        title="Elements per head",
        help="Elements that a key-value head keeps of a token: twice the head size, or the latent.",
        tip_text="That a key-value head keeps of a token: twice the size of a head, or the latent and the rotary part",
        section=ATTENTION,
        option="--kv-width",
        within=WIDTH,
    )
    attention_width: int = of_model(
        "attention width",
        title="Attention width",
        help="Products of a token with one before it in all heads of a layer: heads x (query-key size + value size).",
        tip_text="Heads × (size of a query and key + size of a value): what a token and one before it cost in a layer",
        section=ATTENTION,
        within=WIDTH,
    )
    decode_attention_width: int | None = of_model(
        "attention width in decoding",
        None,
        title="Width in decoding",
        help="Attention width in decoding, where another form of it is computed there; that of prefill if left out.",
        tip_text="Where decoding computes another form, as the absorbed one of multi-head latent attention",
        section=ATTENTION,
        within=WIDTH,
        empty="as in prefill",
    )
    expert_layers: int | None = of_model(
        "layers with experts",
        None,
        title="Layers with experts",
        help="Mixture of experts: layers that have experts; all of them if left out.",
        tip_text="The others are dense",
        section=EXPERTS,
        within=WIDTH,
        empty="all",
    )
    expert_servers: int | None = of_model(
        "servers per token",
        None,
        title="Servers per token",
        help="Mixture of experts: most servers that the experts of one token are on; not limited if left out.",
        tip_text="Most servers that the router chooses the experts of one token on (node-limited routing)",
        section=EXPERTS,
        within=WIDTH,
        empty="not limited",
    )
    weight_bytes: float = of_model(
        "weight bytes",
        2,
        title="Bytes per weight",
        help="Bytes per weight: 2 for BF16, 1 for FP8.",
        section=PRECISION,
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )
    kv_bytes: float = of_model(
        "cache bytes",
        2,
        title="Bytes in the cache",
        help="Bytes per element of the key-value cache.",
        section=PRECISION,
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )
    activation_bytes: float = of_model(
        "activation bytes",
        2,
        title="Bytes per activation",
        help="Bytes per element that experts send back and that tensor groups add up.",
        section=PRECISION,
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )
    dispatch_bytes: float = of_model(
        "dispatch bytes",
        2,
        title="Bytes to experts",
        help="Bytes per element that is sent to experts.",
        section=PRECISION,
        kind=kinds.AMOUNT,
        within=ELEMENT_BYTES,
    )

    def __post_init__(self) -> None:
        Transformer.__post_init__(self)
        if self.expert_layers is not None and self.expert_layers > self.layers:
            raise ParameterError(f"a model of {self.layers} layers has no {self.expert_layers} layers with experts")

    @property
    def kv_bytes_per_token(self) -> float:
        """What the cache keeps of a token, in all layers."""
        return self.layers * self.kv_heads * self.kv_width * self.kv_bytes

    @property
    def layers_of_experts(self) -> int:
        """Layers whose tokens go to experts; 0 in a dense model."""
        return (self.layers if self.expert_layers is None else self.expert_layers) if self.experts else 0

    def flops_per_token(self, context: float, *, is_decoding: bool = False) -> float:
        """FLOPs of one token in all layers, with so many tokens before it."""
        width = self.decode_attention_width if is_decoding else None
        return 2 * self.active_parameters + 2 * self.layers * (width or self.attention_width) * context


MODEL_FIELDS = tuple(field.name for field in fields(ServedModel) if field.name not in ("name", "source"))
"""What a person states of a model."""

MODELS = (
    ServedModel(
        "deepseek-v3",
        61,
        7168,
        parameters=671e9,
        experts=256,
        top_k=8,
        expert_parameters=653.9e9,  # 58 layers of 256 experts of 3 x 7168 x 2048
        kv_heads=1,
        kv_width=512 + 64,
        attention_width=128 * (128 + 64 + 128),
        decode_attention_width=128 * (512 + 64 + 512),
        expert_layers=58,
        expert_servers=4,
        weight_bytes=1,
        dispatch_bytes=1,
        source="DeepSeek-AI, DeepSeek-V3 Technical Report, December 2024: section 4.2 (61 layers, hidden size 7,168, "
        "128 heads, latent of 512 and rotary part of 64, 256 experts of width 2,048 in all but the first 3 layers, 8 "
        "per token on at most 4 servers, 671 billion parameters) and section 3.2 (FP8 weights and dispatch, BF16 "
        "combine); layers, widths, heads and experts compared with the model's published configuration",
    ),
    ServedModel(
        "llama3-405b",
        126,
        16384,
        parameters=405e9,
        kv_heads=8,
        kv_width=2 * 128,
        attention_width=128 * (128 + 128),
        source="Llama Team, The Llama 3 Herd of Models, July 2024: table 3 (126 layers, hidden size 16,384, 128 heads, "
        "8 key-value heads) and section 6.1 (BF16 over 16 GPUs); compared with the published "
        "configuration of Llama 3.1",
    ),
    ServedModel(
        "llama3-70b",
        80,
        8192,
        parameters=70e9,
        kv_heads=8,
        kv_width=2 * 128,
        attention_width=64 * (128 + 128),
        source="Llama Team, The Llama 3 Herd of Models, July 2024: table 3 (80 layers, hidden size 8,192, 64 heads, 8 "
        "key-value heads); compared with the published configuration",
    ),
    ServedModel(
        "mixtral-8x7b",
        32,
        4096,
        parameters=47e9,
        experts=8,
        top_k=2,
        expert_parameters=45.1e9,  # 32 layers of 8 experts of 3 x 4096 x 14336
        kv_heads=8,
        kv_width=2 * 128,
        attention_width=32 * (128 + 128),
        source="Jiang et al., Mixtral of Experts, January 2024: table 1 (32 layers, hidden size 4,096, 32 heads of "
        "128, 8 key-value heads, 8 experts of width 14,336, 2 per token) and section 1 (47 billion parameters); "
        "compared with the published configuration",
    ),
)
