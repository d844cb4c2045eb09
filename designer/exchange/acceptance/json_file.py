"""The sheet as JSON that a bring-up job asserts: for each part the least busbw at each size."""

import json
from typing import Any

from designer.exchange.acceptance.commands import MPIRUN, SRUN, command_of
from designer.exchange.acceptance.sheet import AcceptanceSheet, PartRun
from designer.version import VERSION

FORMAT, FORMAT_VERSION = "fabric-acceptance", 1

_NUMBER = {"type": "number", "minimum": 0}
_ROW = {
    "type": "object",
    "required": ["size_bytes", "expected_busbw_gbytes_per_s", "least_busbw_gbytes_per_s", "expected_time_us", "judged"],
    "additionalProperties": False,
    "properties": {
        "size_bytes": {"type": "integer", "minimum": 1, "description": "As nccl-tests counts it"},
        "expected_busbw_gbytes_per_s": _NUMBER,
        "least_busbw_gbytes_per_s": {**_NUMBER, "description": "A result from here on is accepted"},
        "expected_time_us": _NUMBER,
        "judged": {"type": "boolean", "description": "False where latency decides: for comparison only"},
    },
}
_PART = {
    "type": "object",
    "required": ["name", "kind", "title", "gpus", "hosts", "gpus_of_host", "log", "mpirun", "srun", "rows"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "description": "As the mark in the log names it"},
        "kind": {"enum": ["whole", "unit", "rail", "pair"]},
        "title": {"type": "string"},
        "gpus": {"type": "integer", "minimum": 2},
        "hosts": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "gpus_of_host": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 0}},
        "log": {"type": "string"},
        "mpirun": {"type": ["string", "null"]},
        "srun": {"type": ["string", "null"]},
        "rows": {"type": "array", "items": _ROW, "minItems": 1},
    },
}
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Acceptance sheet of a fabric",
    "type": "object",
    "required": [
        *("format", "version", "program", "design", "collective", "algorithm", "routing", "model", "tolerance"),
        *("size_bytes_means", "parts", "notes"),
    ],
    "additionalProperties": False,
    "properties": {
        "format": {"const": FORMAT},
        "version": {"const": FORMAT_VERSION},
        "program": {"type": "string"},
        "design": {"type": "string"},
        "collective": {"type": "string"},
        "algorithm": {"type": "string"},
        "routing": {"type": "string"},
        "model": {"type": "string"},
        "tolerance": {"type": "number", "minimum": 0, "maximum": 0.9},
        "size_bytes_means": {"type": "string"},
        "parts": {"type": "array", "items": _PART, "minItems": 1},
        "notes": {"type": "array", "items": {"type": "string"}},
    },
}
"""JSON Schema, draft 7."""


def json_of(sheet: AcceptanceSheet) -> str:
    """The text of the file; the same for the same sheet."""
    scenario = sheet.scenario
    record = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program": f"Fabric Designer {VERSION}",
        "design": sheet.design_name,
        "collective": scenario.collective,
        "algorithm": scenario.algorithm_used,
        "routing": scenario.routing,
        "model": sheet.model.kind,
        "tolerance": sheet.tolerance,
        "size_bytes_means": sheet.model.size_bytes_means,
        "parts": [_part(sheet, run) for run in sheet.parts],
        "notes": list(sheet.notes),
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def schema_text() -> str:
    """The schema, as it is written next to the sheet."""
    return json.dumps(SCHEMA, ensure_ascii=False, indent=1) + "\n"


def _part(sheet: AcceptanceSheet, run: PartRun) -> dict[str, Any]:
    return {
        "name": run.part.name,
        "kind": run.part.kind,
        "title": run.part.title,
        "gpus": len(run.part.ranks),
        "hosts": [host.name for host in run.hosts],
        "gpus_of_host": None if run.gpus is None else list(run.gpus),
        "log": f"logs/{run.file_name}.log",
        "mpirun": command_of(sheet, run, MPIRUN) or None,
        "srun": command_of(sheet, run, SRUN) or None,
        "rows": [
            {
                "size_bytes": row.size_bytes,
                "expected_busbw_gbytes_per_s": round(row.busbw_gbytes_per_s, 3),
                "least_busbw_gbytes_per_s": round(row.least_gbytes_per_s, 3),
                "expected_time_us": round(row.time_us, 2),
                "judged": row.is_judged,
            }
            for row in run.expected.rows
        ],
    }
