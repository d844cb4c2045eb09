"""The formulas of inference, in symbols and with its numbers put in."""

from collections.abc import Iterator

from designer.simulation.communication import Communication, Formula
from designer.simulation.inference.costs import POOL_TITLES
from designer.simulation.inference.records import Pool, Service
from designer.simulation.inference.request import BY_SERVER
from designer.units import format_amount, format_carried, format_memory, format_time

LETTERS = (
    ("P", "parameters a token meets"),
    ("N", "parameters outside experts"),
    ("X", "parameters in experts"),
    ("L", "layers"),
    ("h", "hidden size"),
    ("w", "attention width"),
    ("c", "mean tokens before a token"),
    ("n", "tokens of a replica in a pass"),
    ("t, p, r", "tensor groups, stages, replicas of a unit"),
    ("e", "bytes of an element"),
    ("E, k", "experts, and how many a token goes to"),
    ("kv", "bytes of a token in the cache"),
)


def formulas(service: Service) -> tuple[Formula, ...]:
    """Every figure of the service in the order it is calculated."""
    return (
        *_pool(service, service.prefill),
        *_transfer(service),
        *_pool(service, service.decode),
        *_answer(service),
        *_rates(service),
    )


def _pool(service: Service, pool: Pool) -> Iterator[Formula]:
    inference, cost, title = service.inference, pool.cost, POOL_TITLES[pool.name]
    model, degrees = inference.model, pool.degrees
    yield from _tokens(service, pool)
    width = (model.decode_attention_width if pool.name == "decode" else None) or model.attention_width
    yield Formula(
        f"{title}: FLOPs per token",
        "2 P + 2 L w c",
        f"2 x {format_amount(model.active_parameters)} + 2 x {model.layers} x {width} x {cost.context:g}",
        format_amount(cost.flops_per_token),
    )
    yield Formula(
        f"{title}: compute",
        "n FLOPs / (t x peak x utilization)",
        f"{cost.tokens:g} x {format_amount(cost.flops_per_token)} / ({degrees.tensor} x {inference.gpu_tflops:g}e12 x "
        f"{inference.utilization:g})",
        format_time(cost.compute_s),
    )
    shared = model.parameter_count - model.expert_parameters
    experts = ("", "")
    if model.experts:
        yield Formula(
            f"{title}: share of experts in use",
            "1 - (1 - k / E)^(n r)",
            f"1 - (1 - {model.top_k} / {model.experts})^({cost.tokens:g} x {degrees.replicas})",
            f"{cost.experts_read:.4g}",
        )
        experts = (
            " + X / (t r) x share",
            f" + {format_amount(model.expert_parameters)} / {degrees.experts_over} x {cost.experts_read:.4g}",
        )
    yield Formula(
        f"{title}: weights read",
        f"(N / t{experts[0]}) e",
        f"({format_amount(shared)} / {degrees.tensor}{experts[1]}) x {model.weight_bytes:g}",
        format_memory(cost.weights_read_bytes),
    )
    over = min(degrees.tensor, model.kv_heads)
    read = cost.cache_read_bytes * over / model.kv_bytes_per_token
    yield Formula(
        f"{title}: cache read",
        "tokens x kv / min(t, key-value heads)",
        f"{read:g} x {model.kv_bytes_per_token:g} / {over}",
        format_memory(cost.cache_read_bytes),
    )
    yield Formula(
        f"{title}: read memory",
        "(weights + cache) / (bandwidth x utilization)",
        f"({format_memory(cost.weights_read_bytes)} + {format_memory(cost.cache_read_bytes)}) / "
        f"({inference.memory_gbytes_per_s:g} GB/s x {inference.memory_utilization:g})",
        format_time(cost.memory_s),
    )
    for one in pool.communications:
        yield from _communication(service, pool, one)
    yield from _pass(service, pool, title)


def _tokens(service: Service, pool: Pool) -> Iterator[Formula]:
    inference, cost = service.inference, pool.cost
    if pool.name == "prefill":
        yield Formula(
            "Prefill: tokens n",
            "batch x prompt x (1 - cached)",
            f"{inference.prefill_batch} x {inference.input_tokens} x (1 - {inference.cached:g})",
            f"{cost.tokens:g}",
        )
    else:
        yield Formula(
            "Decode: tokens n", "batch / p", f"{inference.decode_batch} / {pool.degrees.pipeline}", f"{cost.tokens:g}"
        )


def _communication(service: Service, pool: Pool, one: Communication) -> Iterator[Formula]:
    model, degrees = service.inference.model, pool.degrees
    tokens = f"{pool.cost.tokens:g} x {model.hidden}"
    symbols, numbers, count = "n h e", f"{tokens} x {model.activation_bytes:g}", "2 L"
    if one.kind == "tensor":
        count = "2 L" if one.count == 2 * model.layers else "2 L - layers of experts"
    elif one.kind == "pipeline":
        symbols, numbers, count = "n h e / t", f"{numbers} / {degrees.tensor}", "p - 1"
    else:
        element = model.dispatch_bytes if "dispatch" in one.title else model.activation_bytes
        symbols, count = "n h e k / t", "layers of experts"
        numbers = f"{tokens} x {element:g} x {model.top_k} / {degrees.tensor}"
    yield Formula(f"{one.title}, size", symbols, numbers, format_carried(one.size_bytes))
    way = getattr(service.inference, f"{pool.name}_dispatch")
    how = "simulated, once per server" if one.kind == "expert" and way == BY_SERVER else "simulated"
    yield Formula(
        f"{one.title}, time", f"{count} x {how}", f"{one.count} x {format_time(one.time_s)}", format_time(one.total_s)
    )


def _pass(service: Service, pool: Pool, title: str) -> Iterator[Formula]:
    cost, overlap = pool.cost, service.inference.overlap
    sent_s = sum(one.total_s for one in pool.communications)
    busy = f"max({format_time(cost.compute_s)}, {format_time(cost.memory_s)})"
    if overlap and sent_s:
        yield Formula(
            f"{title}: exposed communication",
            "total - min(overlap x total, max(compute, read))",
            f"{format_time(sent_s)} - min({overlap:g} x {format_time(sent_s)}, {format_time(cost.busy_s)})",
            format_time(sum(one.exposed_s for one in pool.communications)),
        )
    exposed = f" + {format_time(sum(one.exposed_s for one in pool.communications))}" if sent_s else ""
    yield Formula(
        "Time to first token" if pool.name == "prefill" else "Time per output token",
        "max(compute, read) + exposed" if sent_s else "max(compute, read)",
        f"{busy}{exposed}",
        format_time(pool.pass_s),
    )
    yield Formula(
        f"{title}: at best",
        "max(compute, read, communication)",
        f"max({format_time(cost.compute_s)}, {format_time(cost.memory_s)}, {format_time(sent_s)})",
        format_time(pool.bound_s),
    )


def _transfer(service: Service) -> Iterator[Formula]:
    inference, one = service.inference, service.transfer
    model = inference.model
    yield Formula(
        "Cache of a token kv",
        "L x key-value heads x elements x e",
        f"{model.layers} x {model.kv_heads} x {model.kv_width} x {model.kv_bytes:g}",
        f"{model.kv_bytes_per_token:g} bytes",
    )
    yield Formula(
        "Cache of a prefill replica",
        "batch x prompt x kv",
        f"{inference.prefill_batch} x {inference.input_tokens} x {model.kv_bytes_per_token:g}",
        format_carried(one.size_bytes),
    )
    yield Formula(
        "Cache transfer", "simulated, all replicas at once", format_time(one.time_s), format_time(one.total_s)
    )


def _answer(service: Service) -> Iterator[Formula]:
    times = (service.ttft_s, service.transfer_s, service.tpot_s)
    first, transfer, each = (format_time(one) for one in times)
    yield Formula(
        "Whole answer",
        "first token + transfer + (tokens - 1) x time per token",
        f"{first} + {transfer} + {service.inference.output_tokens - 1} x {each}",
        format_time(service.answer_s),
    )


def _rates(service: Service) -> Iterator[Formula]:
    for pool in (service.prefill, service.decode):
        degrees, cost = pool.degrees, pool.cost
        answer = ("", "") if pool.name == "prefill" else (" x answer", f" x {service.inference.output_tokens}")
        yield Formula(
            f"{POOL_TITLES[pool.name]}: requests per second at most",
            f"units x r x requests x p / (pass{answer[0]})",
            f"{pool.units} x {degrees.replicas} x {cost.requests:g} x {degrees.pipeline} / "
            f"({format_time(pool.pass_s)}{answer[1]})",
            f"{pool.capacity_per_s:,.4g}",
        )
    yield Formula(
        "Fabric: requests per second at most",
        "1 / (bytes of a request / rate of the link) of the busiest link",
        f"1 / {format_time(1 / service.fabric_per_s)}",
        f"{service.fabric_per_s:,.4g}",
    )
    decode = service.decode
    yield Formula(
        "Answers under way in a replica",
        "requests per second x answer x time per token / (units x r)",
        f"{min(service.rate_per_s, service.most_per_s):,.4g} x {service.inference.output_tokens} x "
        f"{format_time(service.tpot_s)} / ({decode.units} x {decode.degrees.replicas})",
        f"{service.under_way:,.4g}",
    )
    yield Formula(
        "Output tokens per second per GPU",
        "requests per second x answer / GPUs",
        f"{min(service.rate_per_s, service.most_per_s):,.4g} x {service.inference.output_tokens} / {service.gpus}",
        f"{service.output_tokens_per_s_per_gpu:,.4g}",
    )
