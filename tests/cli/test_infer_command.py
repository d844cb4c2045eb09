"""`infer` on the command line."""

from pathlib import Path

import pytest

SUPERPOD = Path(__file__).parent.parent.parent / "examples" / "superpod-h100-4su.fabric"
H100 = ("--gpu-tflops", "1979", "--memory-gbytes-per-s", "3350")


def test_a_service_is_reported_with_pools_links_formulas_and_sources(fabric_designer):
    stated = fabric_designer("infer", SUPERPOD, "--setup", "llama3-405b-bf16", *H100, "--prefill-units", "20")
    assert stated.code == 0
    for words in (
        "4,096 tokens in, 0 % of them cached, 256 out",
        "first token",
        "Prefill     20",
        "Decode: tensor-parallel all-reduce",
        "links at",
        "= 2 P + 2 L w c",
        "The Llama 3 Herd of Models, July 2024, section 6.1",
        "queues come on top",
    ):
        assert words in stated.out


def test_a_service_as_json_adds_up(fabric_designer):
    arguments = ("infer", SUPERPOD, "--model", "llama3-70b", *H100, "--rate", "3", "--format", "json")
    found = fabric_designer(*arguments).json
    decode = found["decode"]
    assert found["tpot_s"] == pytest.approx(
        max(decode["compute_s"], decode["memory_s"]) + sum(one["exposed_s"] for one in decode["communications"])
    )
    assert found["output_tokens_per_s"] == pytest.approx(3 * 256) and found["most_per_s"] > 3
    assert decode["busy"] == pytest.approx(3 / found["decode_per_s"]) and len(found["links"]) == 20


def test_options_overrule_a_setup_and_a_model(fabric_designer):
    given = ("--setup", "llama3-405b-bf16", "--output-tokens", "8", "--layers", "4", "--decode-units", "1")
    found = fabric_designer("infer", SUPERPOD, *given, *H100, "--format", "json").json
    assert found["assumed"]["output_tokens"] == 8 and found["assumed"]["input_tokens"] == 4096
    assert found["model"]["layers"] == 4 and found["decode"]["units"] == 1


def test_what_does_not_fit_is_refused_in_one_sentence(fabric_designer):
    for arguments, words in (
        (H100, ("--setup", "--kv-heads")),
        (("--model", "gpt5", *H100), ("gpt5", "deepseek-v3")),
        (("--setup", "mine", *H100), ("mine", "deepseek-2025")),
        (("--model", "llama3-70b"), ("--gpu-tflops",)),
        (("--model", "llama3-70b", *H100, "--decode-expert", "8"), ("needs a model with experts",)),
        (("--model", "llama3-70b", *H100, "--cached", "1"), ("below 1",)),
    ):
        fabric_designer("infer", SUPERPOD, *arguments).assert_refused(*words)
