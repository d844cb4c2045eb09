"""Training steps: published formulas and figures, collectives simulated with all groups at once, clear refusals."""

from dataclasses import replace

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.phase_results import written_out
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import collective_plan
from designer.simulation.traffic.phases import AllPairs
from designer.simulation.training.groups import at_once
from designer.simulation.training.records import SECONDS_PER_DAY
from designer.simulation.training.request import PRESETS, Model, Training, fitted, idle_why
from designer.simulation.training.step import train_step

GPT3, LLAMA = PRESETS
TINY = Model("tiny", 4, 1024, 512, 0, 64)


@pytest.fixture(scope="module")
def pod(generate):
    """16 servers of 8 GPUs on one scalable unit of rails."""
    return build(generate("rail-optimized", servers=16, servers_per_su=16))


def test_the_parameters_of_a_gpt_model_follow_from_its_dimensions():
    """Narayanan et al. 2021, table 1: 145.6 billion at 80 layers, 1 trillion at 128 layers of hidden size 25,600."""
    assert replace(GPT3, parameters=None).parameter_count == pytest.approx(174.6e9, rel=1e-3)
    assert replace(GPT3, parameters=None, layers=80).parameter_count == pytest.approx(145.6e9, rel=1e-3)
    exact = 96 * (12 * 12288**2 + 13 * 12288) + (GPT3.vocabulary + GPT3.sequence) * 12288
    assert replace(GPT3, parameters=None).parameter_count == pytest.approx(exact, rel=1e-12), "with biases and norms"
    largest = replace(GPT3, parameters=None, layers=128, hidden=25600)
    assert largest.parameter_count == pytest.approx(1008e9, rel=1e-3)


def test_days_are_those_of_the_published_formula_where_nothing_is_waited_for(pod):
    """Narayanan et al. 2021, section 5.1: 8 T P / (n X): 34 days for 300 G tokens on 1,024 GPUs at 140 TFLOP/s."""
    training = Training(
        replace(GPT3, parameters=175e9),
        280,
        tensor=8,
        pipeline=1,
        data=16,
        utilization=0.5,
        overlap=1.0,
        tensor_overlap=1.0,
        recompute=True,
        tokens=300e9,
    )
    step = train_step(pod, training)
    formula_days = 8 * 300e9 * 175e9 / (128 * 140e12) / SECONDS_PER_DAY
    attention = 1 + 12 * 96 * 12288 * 2048 / (6 * 175e9)
    assert step.exposed_s == 0 and step.bubble_s == 0
    assert step.days == pytest.approx(formula_days * attention)
    assert formula_days * 128 / 1024 == pytest.approx(34, abs=0.5)


def test_model_flops_are_those_of_the_published_formula():
    """Narayanan et al. 2021, section 5.1, less recomputing: 72 B s l h^2 (1 + s / 6h) and the logits."""
    model = replace(GPT3, parameters=None, vocabulary=0)
    published = 72 * 1536 * 2048 * 96 * 12288**2 * (1 + 2048 / (6 * 12288))
    ours = model.tokens_per_step * (6 * model.parameter_count + 12 * 96 * 12288 * 2048)
    assert ours == pytest.approx(published, rel=1e-3)  # ours counts biases and positions among the parameters


def test_tensor_groups_in_a_server_run_at_the_speed_of_its_crossbar(pod):
    step = train_step(pod, Training(TINY, 100, tensor=8, latency=False))
    tensor = step.communications[0]
    assert (tensor.n_groups, tensor.group_size) == (16, 8)
    assert tensor.size_bytes == 512 * 1024 * 2
    assert tensor.count == 4 * 4 * step.degrees.micro_batches
    assert tensor.time_s == pytest.approx(2 * 7 / 8 * tensor.size_bytes / 450e9)
    assert tensor.exposed_s == tensor.total_s == tensor.count * tensor.time_s


def test_data_groups_run_at_the_speed_of_a_nic_each_on_its_own_rail(pod):
    step = train_step(pod, Training(TINY, 100, tensor=8, pipeline=2, data=8, overlap=0.25, latency=False))
    data = step.communications[-1]
    assert (data.n_groups, data.group_size) == (16, 8)
    assert data.size_bytes == pytest.approx(TINY.parameter_count / 16 * 2)
    assert data.time_s == pytest.approx(2 * 7 / 8 * data.size_bytes / (50e9 * 0.9937))
    assert data.exposed_s == pytest.approx(0.75 * data.total_s)


def test_all_gathers_between_stages_take_their_rings_latency_each_time(pod):
    """Two all-gathers one after the other: twice the sum of a tensor group's eight hops over NVLink."""
    step = train_step(pod, Training(replace(TINY, micro_batch=1), 100, tensor=8, pipeline=2, data=8))
    (pipeline,) = (one for one in step.communications if one.kind == "pipeline")
    gathers = pipeline.result.phases[-1]
    assert gathers.name == "all-gather in the tensor groups"
    sending_s = 2 * 7 / 8 * TINY.sequence * TINY.hidden * TINY.bytes_per_element / 450e9
    assert gathers.repeat * gathers.time_s == pytest.approx(sending_s + 2 * 8 * 822e-9)


def test_groups_that_share_links_slow_each_other_down(generate):
    """Two hosts a leaf, one uplink: groups across leafs have half of it each when all run at once."""
    graph = build(generate("pgft", children=(2, 4), parents=(1, 1)))
    step = train_step(graph, Training(TINY, 100, tensor=1, data=8, layout="tensor-pipeline-data"))
    alone = simulate(graph, Scenario(collective="all-reduce", size_bytes=step.communications[0].size_bytes))
    assert step.communications[0].time_s == pytest.approx(alone.time_s)
    halves = train_step(graph, Training(TINY, 100, tensor=2, data=4)).communications[-1]
    one = simulate(graph, Scenario(collective="all-reduce", size_bytes=halves.size_bytes, ranks=(0, 2, 4, 6)))
    # Bytes take twice as long; each group's ring has the latency that it has alone.
    sending_s = one.time_s - one.latency_s
    assert halves.n_groups == 2 and halves.time_s == pytest.approx(2 * sending_s + one.latency_s, rel=1e-6)
    assert one.latency_s > 0.001 * one.time_s


@pytest.mark.parametrize("collective", ["all-reduce", "all-gather", "all-to-all"])
@pytest.mark.parametrize("size", [4, 12, 16])
def test_groups_in_the_same_pattern_are_planned_together_as_one_by_one(pod, collective, size):
    net, ranks = network(pod), np.arange(pod.n_endpoints)
    scenario = Scenario(collective=collective, size_bytes=1e6)
    for groups in (ranks[: len(ranks) // size * size].reshape(-1, size), ranks[:96].reshape(size, -1).T):
        together = at_once(net, scenario, groups).phases
        alone = [collective_plan(net, scenario, group).phases for group in groups]
        for number, phase in enumerate(together):
            sent = [
                written_out(p.traffic, 0, size) if isinstance(p.traffic, AllPairs) else p.traffic
                for p in (phases[number] for phases in alone)
            ]
            rows = {row for one in sent for row in zip(one.src, one.dst, one.size_bytes, one.channel, strict=True)}
            traffic = phase.traffic
            assert rows == set(zip(traffic.src, traffic.dst, traffic.size_bytes, traffic.channel, strict=True))
            assert len(traffic) == sum(map(len, sent)) and phase.repeat == alone[0][number].repeat


def test_the_parts_of_a_step_add_up_and_the_bubble_is_that_of_the_schedule(pod):
    step = train_step(pod, Training(replace(TINY, global_batch=64), 100, tensor=8, pipeline=4, overlap=0.5))
    assert sum(part.time_s for part in step.parts) == pytest.approx(step.step_s, rel=1e-12)
    waited = sum(one.exposed_s for one in step.communications if one.kind in ("tensor", "pipeline"))
    assert step.degrees.micro_batches == 16
    assert step.bubble_s == pytest.approx(3 / 16 * (step.compute_s + waited))
    assert step.tokens_per_s == pytest.approx(64 * 512 / step.step_s)
    assert step.mfu == pytest.approx(step.model_flops / (128 * 100e12 * step.step_s))


def test_zero_moves_as_much_again_only_in_its_third_stage(pod):
    """Rajbhandari et al. 2020, sections 5 and 7."""
    sent, state = [], []
    for stage in range(4):
        step = train_step(pod, Training(replace(TINY, global_batch=128), 100, tensor=8, zero=stage))
        assert step.degrees.micro_batches == 8
        data = [one for one in step.communications if one.kind == "data"]
        factor = {"all-reduce": 2, "reduce-scatter": 1, "all-gather": 1}
        sent.append(sum(factor[one.title.rpartition(" ")[2]] * one.count * one.size_bytes for one in data))
        state.append(step.state_bytes / (TINY.parameter_count / 8))
    assert sent[1] == sent[2] == pytest.approx(sent[0])
    assert sent[3] == pytest.approx(1.5 * 8 * sent[0])
    assert state == pytest.approx([16, 4 + 12 / 16, 2 + 14 / 16, 16 / 16])


def test_experts_are_met_by_all_to_all_and_only_the_chosen_ones_compute(pod):
    experts = replace(TINY, parameters=8e9, experts=16, top_k=2, expert_parameters=6e9)
    assert experts.active_parameters == pytest.approx(2e9 + 6e9 / 8)
    step = train_step(pod, Training(experts, 100, tensor=8, expert=8))
    kinds = [(one.kind, one.n_groups, one.group_size) for one in step.communications]
    assert kinds == [("tensor", 16, 8), ("expert", 16, 8), ("data", 8, 16), ("data", 64, 2)]
    assert step.communications[1].size_bytes == pytest.approx(512 * 1024 * 2 * 2 / 8)
    assert step.degrees.micro_batches > 1
    assert step.communications[1].count == 4 * 4 * step.degrees.micro_batches, "four in each layer for each micro-batch"
    assert step.communications[3].size_bytes == pytest.approx(6e9 / 8 / 8 * 2)
    met = next(formula for formula in step.formulas if formula.name.startswith("Parameters"))
    assert (met.numbers, met.value) == ("8e9 - 6e9 x (1 - 2 / 16)", "2.75e9")
    sizes = {one.name: one for one in step.formulas if one.name.endswith(": size")}
    assert [sizes[f"{one.title}: size"].symbols for one in step.communications] == [
        "b s h e",
        "b s h e k / t",
        "parameters e / (t p)",
        "expert parameters e / (t p expert degree)",
    ]
    assert sizes[f"{step.communications[1].title}: size"].numbers.endswith(" x 2 / 8")


def test_what_is_left_open_is_filled_in(pod):
    degrees = fitted(Training(LLAMA, 989), 1016, 8)
    assert (degrees.tensor, degrees.data) == (8, 64)  # 127 replicas would not divide a batch of 1,024
    step = train_step(pod, Training(LLAMA, 989, tensor=16))
    assert "8 of 8 tensor groups of 16 reach beyond a scale-up domain" in step.notes[0]
    step = train_step(pod, Training(replace(TINY, global_batch=6), 100, pipeline=4))
    assert step.idle == "32 of 128 GPUs idle: a batch of 6 does not divide over 4 replicas"
    assert step.notes == ("2 micro-batches do not fill 4 pipeline stages",)


def test_idle_gpus_are_told_with_the_reason(pod):
    for training, words in (
        (Training(replace(TINY, global_batch=1030), 100, tensor=8), "a batch of 1,030 does not divide over 11 to 16"),
        (Training(TINY, 100, tensor=8, data=4), "4 replicas were asked for, there is room for 16"),
        (Training(replace(TINY, hidden=24 * 64), 100, tensor=24, pipeline=2, data=2), "a replica takes 48, and 128 do"),
    ):
        degrees = fitted(training, 128, 8)
        assert idle_why(training, degrees, 128).startswith(words)
    everyone = train_step(pod, Training(TINY, 100, tensor=8))
    assert (everyone.idle, everyone.idle_gpus) == ("", 0)


def test_memory_is_checked_where_the_catalog_states_it(pod, generate):
    small, large = (train_step(pod, Training(model, 989, tensor=8)) for model in (TINY, GPT3))
    assert small.fits_memory and small.memory_check == "a GPU has 80 GB"
    assert large.state_bytes > 80e9 and large.fits_memory is False
    assert large.memory_check == "does not fit: a GPU has 80 GB"
    hosts = build(generate("pgft", children=(4, 4), parents=(1, 4)))
    unknown = train_step(hosts, Training(GPT3, 989, tensor=4))
    assert unknown.fits_memory is None and unknown.memory_check.startswith("not checked")


def test_a_failed_leaf_uplink_shows_in_the_data_parallel_time(generate):
    design = generate("pgft", children=(4, 4), parents=(1, 4))
    uplink = next(
        link
        for link in design.links.values()
        if not link.a.device_id.startswith("host")
        and design.devices[link.a.device_id] in design.switches()
        and design.devices[link.b.device_id] in design.switches()
    )
    training = Training(TINY, 100, tensor=4, data=4)
    healthy = train_step(build(design), training)
    hurt = train_step(build(design, failed=frozenset([uplink.id])), replace(training, failed=(uplink.id,)))
    assert hurt.communications[-1].time_s > healthy.communications[-1].time_s


def test_gpus_behind_a_failed_leaf_take_no_part(generate):
    design = generate("pgft", children=(4, 4), parents=(1, 4))
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    step = train_step(build(design, failed=frozenset([leaf.id])), Training(TINY, 100, tensor=4, failed=(leaf.id,)))
    assert step.degrees.ranks == 8 and step.idle.startswith("4 of 12 GPUs idle")
    assert step.notes[-1] == "4 of 16 GPUs are cut off by what failed"


def test_every_formula_is_shown_with_its_numbers(pod):
    step = train_step(pod, Training(LLAMA, 989, pipeline=4, overlap=0.5, tokens=2e12, recompute=True))
    found = {formula.name: formula for formula in step.formulas}
    assert found["Micro-batches m"].numbers == "1024 / (4 x 1)" and found["Micro-batches m"].value == "256"
    assert found["Compute"].symbols.startswith("4/3 F")
    assert found["Tensor-parallel all-reduce: size"].numbers == "1 x 4096 x 8192 x 2"
    assert found["Tensor-parallel all-reduce: size"].value == "64 MiB"
    assert "x simulated" in found["Data-parallel all-reduce: time"].symbols
    assert found["Pipeline bubble"].numbers.startswith("3 / 256 x")
    assert found["Training"].value.endswith(" days")


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"pipeline": 3}, "4 layers do not divide into 3 pipeline stages"),
        ({"tensor": 3}, "a hidden size of 1,024 does not divide by tensor degree 3"),
        ({"tensor": 8, "data": 32}, "tensor 8 x pipeline 1 x data 32 needs 256 GPUs, there are 128"),
        ({"tensor": 128, "pipeline": 2}, "tensor 128 x pipeline 2 needs 256 GPUs, there are 128"),
        ({"data": 7}, "a batch of 64 sequences does not divide into micro-batches of 1 on 7 data-parallel replicas"),
        ({"data": 8, "expert": 2}, "an expert degree of 2 needs a model with experts"),
    ],
)
def test_degrees_that_do_not_fit_are_refused_in_one_sentence(pod, choices, sentence):
    with pytest.raises(ParameterError) as refused:
        train_step(pod, Training(TINY, 100, **choices))
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"zero": 4}, "the ZeRO stage should be 0 to 3, not 4"),
        ({"utilization": 0.0}, "utilization"),
        ({"overlap": 2.0}, "overlap"),
        ({"gpu_tflops": 0.0}, "TFLOP/s"),
        ({"gpu_tflops": 1e300}, "at most 1,000,000, not 1e"),
        ({"tokens": 1e40}, "tokens should be above 0 and at most 1e.21, not 1e.40"),
        ({"layout": "any"}, "layout"),
        ({"algorithm": "magic"}, "algorithm"),
        ({"pipeline": 0}, "pipeline degree"),
        ({"tokens": -1.0}, "tokens"),
    ],
)
def test_assumptions_that_make_no_sense_are_refused(choices, words):
    with pytest.raises(ParameterError, match=words):
        Training(**({"model": TINY, "gpu_tflops": 100.0} | choices))


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"layers": 0}, "layers of a model should be 1 to 100,000, not 0"),
        ({"parameters": -1.0}, "parameters"),
        ({"experts": 4, "top_k": 5, "expert_parameters": 1e6}, "1 to 4 experts, not 5"),
        ({"hidden": 10**8}, "hidden size of a model should be 1 to 10,000,000, not 100,000,000"),
        ({"bytes_per_element": 1e12}, "above 0 and at most 64, not 1e\\+12"),
        ({"experts": 4, "top_k": 2}, "needs both"),
        ({"expert_parameters": 1e20}, "fewer than all"),
    ],
)
def test_models_that_make_no_sense_are_refused(choices, words):
    with pytest.raises(ParameterError, match=words):
        replace(TINY, **choices)
