"""What InfiniBand nodes call themselves: hosts with their adapters, managed switches with their model."""

import re

AGGREGATION = "Aggregation Node"
"""In the description of the adapter inside a switch that adds up for SHARP."""
_MANAGED = re.compile(r"MF\d+;([^:]+):([^/]*)")
_ADAPTER = re.compile(r"(.+?)[ /]((?:mlx\d+_|HCA-|hfi\d*_)\d{1,6})")


def adapter_of(description: str) -> tuple[str, str]:
    """("gpu-001", "mlx5_3") of "gpu-001 mlx5_3"; without an adapter its own name alone."""
    found = _ADAPTER.fullmatch(description)
    return (found[1], found[2]) if found else (description, "")


def managed(description: str) -> tuple[str, str]:
    """("leaf-01", "MQM9700") of "MF0;leaf-01:MQM9700/U1"; another description is the name, without a model."""
    found = _MANAGED.match(description)
    return (found[1], found[2]) if found else (description, "")
