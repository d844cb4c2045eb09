"""`train` on the command line."""

import json
from pathlib import Path

import pytest

SUPERPOD = Path(__file__).parent.parent.parent / "examples" / "superpod-h100-4su.fabric"
GPT3 = ("--model", "gpt3-175b", "--gpu-tflops", "989")


def test_a_step_is_told_with_its_formulas(fabric_designer):
    stated = fabric_designer(
        "train",
        SUPERPOD,
        *GPT3,
        "--tensor",
        "8",
        "--pipeline",
        "8",
        "--data",
        "auto",
        "--utilization",
        "0.5",
        "--overlap",
        "0.5",
        "--tokens",
        "300e9",
    )
    assert stated.code == 0
    for words in (
        "tensor 8 x pipeline 8 x data 12 = 768 GPUs",
        "days for 300e9 tokens",
        "where the time goes",
        "Data-parallel all-reduce",
        "= B s (6 P + 12 L h s)",
        "248 of 1,016 GPUs idle: a batch of 1,536 does not divide over 13 to 15 replicas",
        "without activations; a GPU has 80 GB",
    ):
        assert words in stated.out


def test_a_step_as_json_adds_up(fabric_designer):
    stated = fabric_designer("train", SUPERPOD, *GPT3, "--zero", "1", "--tokens", "300B", "--format", "json")
    found = json.loads(stated.out)
    assert sum(found["parts"].values()) == pytest.approx(found["step_s"])
    assert [one["kind"] for one in found["communications"]] == ["tensor", "data", "data"]
    assert found["fits_memory"] is False and found["gpu_memory_bytes"] == 80e9
    assert found["idle_gpus"] > 0 and "does not divide" in found["idle_why"]
    assert found["degrees"]["tensor"] == 8 and found["tokens"] == 300e9 and found["days"] > 0


def test_a_model_of_ones_own_needs_its_dimensions(fabric_designer):
    own = ("train", SUPERPOD, "--gpu-tflops", "989", "--layers", "24", "--hidden", "2048")
    fabric_designer(*own).assert_refused("--sequence and --global-batch")
    stated = fabric_designer(*own, "--sequence", "2048", "--global-batch", "1024", "--format", "json")
    assert stated.json["model"]["parameters"] == pytest.approx(12 * 24 * 2048**2, rel=0.01)
    other = fabric_designer("train", SUPERPOD, *GPT3, "--layers", "80", "--format", "json").json
    assert other["model"]["parameters"] == pytest.approx(145.6e9, rel=1e-3)


def test_what_does_not_fit_is_refused_in_one_sentence(fabric_designer):
    for arguments, words in (
        (("--model", "gpt5", "--gpu-tflops", "989"), ("gpt5", "gpt3-175b")),
        (("--model", "gpt3-175b"), ("--gpu-tflops",)),
        ((*GPT3, "--pipeline", "7"), ("96 layers do not divide into 7",)),
        ((*GPT3, "--tensor", "8", "--data", "500"), ("needs 4,000 GPUs, there are 1,016",)),
        ((*GPT3, "--tensor", "some"), ("some",)),
        ((*GPT3, "--tokens", "many"), ("'many' is not a number",)),
        ((*GPT3, "--routing", "magic"), ("magic",)),
        ((*GPT3, "--fail", "nobody"), ("nobody",)),
    ):
        fabric_designer("train", SUPERPOD, *arguments).assert_refused(*words)
