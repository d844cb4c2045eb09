"""Inference: what a token costs, who sends what to whom, rates and loads, and clear refusals."""

from dataclasses import replace

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.graph.arrays import GPU
from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation.inference.costs import decode_pass, experts_read, prefill_pass
from designer.simulation.inference.models import MODELS, ServedModel
from designer.simulation.inference.request import Degrees, Inference, degrees_of, units_of
from designer.simulation.inference.service import serve
from designer.simulation.inference.setups import SETUPS
from designer.simulation.inference.units import PoolRanks, cache_transfer, once_per_server, pools_of, servers_per_token

DEEPSEEK, LLAMA, LLAMA_70B, MIXTRAL = MODELS
TINY = ServedModel("tiny", 4, 1024, parameters=1e9, kv_heads=4, kv_width=256, attention_width=2048)
EXPERTS = replace(
    TINY, experts=32, top_k=4, expert_parameters=0.8e9, expert_layers=3, dispatch_bytes=1, activation_bytes=2
)
FAST = {"gpu_tflops": 1000.0, "memory_gbytes_per_s": 3000.0, "latency": False}


@pytest.fixture(scope="module")
def pod(generate):
    """8 servers of 8 GPUs on one scalable unit of rails."""
    return build(generate("rail-optimized", servers=8, servers_per_su=8))


@pytest.fixture(scope="module")
def moe(pod):
    """Experts over two servers in prefill, over three in decoding."""
    asked = Inference(
        EXPERTS,
        **FAST,
        input_tokens=1000,
        output_tokens=100,
        prefill_tensor=2,
        prefill_expert=16,
        decode_expert=24,
        decode_batch=32,
    )
    return serve(pod, asked)


def test_published_figures_follow_from_the_presets():
    """37 billion active parameters and 70 KB in the cache for a token (DeepSeek); 13 billion active (Mixtral)."""
    assert DEEPSEEK.active_parameters == pytest.approx(37e9, rel=0.02)
    assert DEEPSEEK.kv_bytes_per_token == 61 * 576 * 2 == 70272
    assert MIXTRAL.active_parameters == pytest.approx(13e9, rel=0.02)
    assert DEEPSEEK.expert_parameters == pytest.approx(58 * 256 * 3 * 7168 * 2048, rel=1e-4)
    assert MIXTRAL.expert_parameters == pytest.approx(32 * 8 * 3 * 4096 * 14336, rel=1e-3)
    assert LLAMA.kv_bytes_per_token == 126 * 2 * 8 * 128 * 2
    assert LLAMA_70B.layers_of_experts == 0 and MIXTRAL.layers_of_experts == 32 and DEEPSEEK.layers_of_experts == 58
    deployed = SETUPS[0].values
    mean_cache = deployed["input_tokens"] + deployed["output_tokens"] / 2
    assert mean_cache == pytest.approx(4989, abs=1), "the mean length that was published"
    assert deployed["input_tokens"] / deployed["output_tokens"] == pytest.approx(608 / 168, rel=1e-3)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_preset_names_source_and_date(model):
    assert "202" in model.source and ("section" in model.source or "table" in model.source)


def test_every_setup_is_one_of_a_known_model_with_source_and_date():
    for setup in SETUPS:
        model = next(model for model in MODELS if model.name == setup.model)
        Inference(model, 1000, 3000, **setup.values)
        assert "202" in setup.source


def test_a_pass_costs_what_its_formulas_say():
    asked = Inference(EXPERTS, **FAST, input_tokens=1000, cached=0.5, output_tokens=200, decode_batch=6)
    degrees = Degrees(2, 3, 8)
    prompt, token = prefill_pass(asked, degrees), decode_pass(asked, degrees)
    assert prompt.tokens == 500 and prompt.context == 750 and token.tokens == 2 and token.context == 1100
    active = 0.2e9 + 0.8e9 * 4 / 32
    assert prompt.flops == pytest.approx(500 * (2 * active + 2 * 4 * 2048 * 750) / 2)
    assert prompt.compute_s == pytest.approx(prompt.flops / 1e15)
    read = 1 - (28 / 32) ** (2 * 4)
    assert token.experts_read == pytest.approx(read)
    assert token.weights_read_bytes == pytest.approx((0.2e9 / 2 + 0.8e9 / 8 * read) * 2)
    assert token.cache_read_bytes == pytest.approx(2 * 1100 * 4 * 4 * 256 * 2 / 2)
    assert token.memory_s == pytest.approx((token.weights_read_bytes + token.cache_read_bytes) / 3e12)
    assert token.weight_bytes == pytest.approx((0.2e9 / 2 + 0.8e9 / 8) * 2 / 3)
    assert token.cache_bytes == pytest.approx(6 * 1100 * TINY.kv_bytes_per_token / 2 / 3)


def test_tensor_groups_larger_than_the_heads_keep_the_cache_several_times():
    asked = Inference(replace(TINY, kv_heads=1), **FAST, decode_batch=8)
    alone, shared = (decode_pass(asked, Degrees(tensor, 1, 1)) for tensor in (1, 8))
    assert alone.cache_bytes == shared.cache_bytes and alone.weight_bytes == 8 * shared.weight_bytes


def test_the_share_of_experts_in_use_is_that_of_tokens_drawn_at_random():
    rng = np.random.default_rng(1)
    drawn = [len(set(np.concatenate([rng.choice(32, 4, replace=False) for _ in range(8)]))) for _ in range(400)]
    assert experts_read(32, 4, 8) == pytest.approx(np.mean(drawn) / 32, rel=0.02)
    assert experts_read(0, 0, 5) == 1
    assert servers_per_token(4, 8, None) == pytest.approx(4 * (1 - 0.75**8))
    assert servers_per_token(18, 8, 4) == 4 and servers_per_token(1, 8, 4) == 1


def test_all_of_a_cache_arrives_once_for_each_gpu_that_holds_it():
    ranks = np.arange(64)
    for first, second, heads in ((Degrees(4, 2, 1), Degrees(8, 1, 1), 4), (Degrees(2, 3, 1), Degrees(4, 2, 1), 8)):
        pools = (
            PoolRanks(ranks[: 2 * first.unit].reshape(2, first.pipeline, 1, first.tensor)),
            PoolRanks(ranks[40 : 40 + second.unit].reshape(1, second.pipeline, 1, second.tensor)),
        )
        (phase,) = cache_transfer(*pools, (first, second), heads, 1200.0).phases
        arrived = np.bincount(phase.traffic.dst, weights=phase.traffic.size_bytes, minlength=64)[40:]
        held = 2 * 1200.0 / min(second.tensor, heads) / second.pipeline
        assert arrived[: second.unit] == pytest.approx(held), "two prefill replicas send to the one that decodes"
        sent = np.bincount(phase.traffic.src, weights=phase.traffic.size_bytes, minlength=64)[: 2 * first.unit]
        assert (sent > 0).all() and sent.sum() == pytest.approx(held * second.unit)


def test_tokens_cross_the_fabric_once_for_each_server_and_reach_every_expert(pod):
    net, group = network(pod), np.arange(32)[None]
    plan = once_per_server(net, group, 4096.0, 4, 2.5, is_combine=False)
    sent = plan.phases[0].traffic
    server = pod.device[group[0]]
    across = server[sent.src] != server[sent.dst]
    assert (pod.local[sent.src] == pod.local[sent.dst])[across].all(), "on its rail"
    leaving = np.bincount(sent.src[across], weights=sent.size_bytes[across])
    assert leaving == pytest.approx(4096 * 2.5 * 3 / 4)
    forwarded = np.bincount(sent.src[~across], weights=sent.size_bytes[~across])
    assert forwarded == pytest.approx(4096 * 4 * 7 / 8), "each copy but those that have landed on their expert's GPU"
    back = once_per_server(net, group, 4096.0, 4, 2.5, is_combine=True).phases[0].traffic
    assert (back.src == sent.dst).all() and (back.dst == sent.src).all()


def test_a_service_sends_what_its_layers_need(moe):
    kinds = [(one.title, one.n_groups, one.group_size, one.count) for one in moe.communications]
    assert moe.prefill.degrees == Degrees(2, 1, 16) and moe.decode.degrees == Degrees(1, 1, 24)
    prefill, decode = moe.prefill.units, moe.decode.units
    assert kinds == [
        ("Prefill: tensor-parallel all-reduce", 8 * prefill, 2, 2 * 4 - 3),
        ("Prefill: expert-parallel dispatch", prefill, 16, 3),
        ("Prefill: expert-parallel combine", prefill, 16, 3),
        ("Key-value cache to the decode pool", 8 * prefill, 2, 1),
        ("Decode: expert-parallel dispatch", decode, 24, 3),
        ("Decode: expert-parallel combine", decode, 24, 3),
    ]
    dispatch, combine = moe.decode.communications
    assert dispatch.size_bytes == 32 * 1024 * 4 and combine.size_bytes == 2 * dispatch.size_bytes
    # Direct: 16 of 24 ranks are on other servers, and a NIC carries what its GPU sends them.
    assert dispatch.time_s == pytest.approx(dispatch.size_bytes * 16 / 24 / (50e9 * 0.9937), rel=1e-3)
    assert moe.ttft_s == moe.prefill.pass_s >= moe.ttft_bound_s
    assert moe.answer_s == pytest.approx(moe.ttft_s + moe.transfer_s + 99 * moe.tpot_s)


def test_the_rate_is_the_least_of_pools_and_fabric_and_loads_grow_with_it(pod, moe):
    assert moe.rate_per_s == moe.most_per_s and moe.is_sustained
    assert max(moe.prefill.busy, moe.decode.busy) == pytest.approx(1) or moe.fabric_per_s == moe.rate_per_s
    half = serve(pod, replace(moe.inference, rate=moe.rate_per_s / 2))
    assert half.prefill.busy == pytest.approx(moe.prefill.busy / 2)
    assert half.load.utilization_mean == pytest.approx(moe.load.utilization_mean / 2)
    assert half.under_way == pytest.approx(moe.inference.decode_batch * half.decode.busy)
    most = moe.load.utilization_mean.max()
    assert most == pytest.approx(moe.rate_per_s / moe.fabric_per_s)
    over = serve(pod, replace(moe.inference, rate=moe.rate_per_s * 2))
    assert not over.is_sustained and "more than is sustained" in over.warnings[0]
    assert over.output_tokens_per_s == pytest.approx(moe.output_tokens_per_s)


def test_bytes_of_a_request_are_those_it_computes(pod):
    """Counted by hand: a dense model in two stages, whose only traffic beyond a server are activations and cache."""
    asked = Inference(
        TINY, **FAST, input_tokens=512, output_tokens=10, prefill_units=1, decode_units=1, prefill_tensor=8,
        decode_tensor=8, prefill_pipeline=2, decode_pipeline=2, decode_batch=16, rate=1.0,
    )  # fmt: skip
    found = serve(pod, asked)
    outward = np.isin(pod.source, np.flatnonzero(pod.kind == 2)) & (pod.link >= 0)
    activations = (512 + 10) * 1024 * 2
    cache = 512 * TINY.kv_bytes_per_token * 2  # eight GPUs hold four heads: twice over
    assert found.load.bytes[outward].sum() == pytest.approx(activations + cache)
    inside = (pod.kind[pod.source] == GPU) & (pod.link < 0) & np.isfinite(pod.capacity_gbps)
    all_reduces = 2 * 4 * (512 + 10) * 1024 * 2 * 2 * 7  # two for each layer, each byte of a buffer 2 x 7/8 times by 8
    assert found.load.bytes[inside].sum() == pytest.approx(all_reduces)


def test_overlap_hides_communication_but_not_more_than_there_is_to_compute(pod, moe):
    hidden = serve(pod, replace(moe.inference, overlap=1.0))
    for pool in (hidden.prefill, hidden.decode):
        assert pool.pass_s == pytest.approx(pool.bound_s)
    assert moe.prefill.pass_s > hidden.prefill.pass_s
    quick = serve(pod, replace(hidden.inference, gpu_tflops=1e6, memory_gbytes_per_s=1e6))
    sent_s = sum(one.total_s for one in quick.decode.communications)
    assert quick.decode.pass_s == pytest.approx(sent_s) and sent_s > 10 * quick.decode.cost.busy_s


def test_pools_take_ranks_one_after_the_other_or_in_turns():
    ranks, first, second = np.arange(24), Degrees(2, 1, 1), Degrees(4, 1, 1)
    asked = Inference(TINY, **FAST)
    apart = pools_of(ranks, asked, first, second, (4, 4))
    assert apart[0].table.ravel().tolist() == list(range(8)) and apart[1].table.ravel().tolist() == list(range(8, 24))
    mixed = pools_of(ranks, replace(asked, arrangement="mixed"), first, second, (4, 4))
    assert mixed[0].table[:, 0, 0].tolist() == [[0, 1], [6, 7], [12, 13], [18, 19]]
    assert sorted(np.concatenate([mixed[0].table.ravel(), mixed[1].table.ravel()]).tolist()) == list(range(24))


def test_what_does_not_fit_is_refused_in_one_sentence(pod):
    asked = Inference(TINY, **FAST)
    for change, words in (
        ({"prefill_tensor": 3}, "does not divide by tensor degree 3"),
        ({"decode_pipeline": 5}, "4 layers do not divide into 5 pipeline stages of the decode pool"),
        ({"decode_expert": 8}, "needs a model with experts"),
        ({"model": EXPERTS, "decode_expert": 9, "decode_tensor": 2}, "does not divide by its tensor degree 2"),
        (
            {"prefill_units": 7, "decode_units": 2},
            "7 x 8 GPUs to prefill and 2 x 8 to decode need 72 GPUs, there are 64",
        ),
    ):
        with pytest.raises(ParameterError, match=words):
            serve(pod, replace(asked, **change))
    with pytest.raises(ParameterError, match="has no 9 layers with experts"):
        replace(EXPERTS, expert_layers=9)
    assert degrees_of(replace(asked, model=EXPERTS, prefill_expert=16), "prefill", 8).tensor == 1
    assert units_of(asked, Degrees(8, 1, 1), Degrees(8, 1, 1), 64, 0.25) == (2, 6)
