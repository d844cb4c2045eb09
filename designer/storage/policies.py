"""The file of a policy: one JSON document, a setting a line, with nothing in it that this version does not know.

{"format": "fabric-policy", "version": 1,
"name": "Acme 2026",
"leaf_oversubscription": 1.5
}
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from designer.errors import FileFormatError
from designer.model.policy import Policy
from designer.model.policy_limits import policy_faults
from designer.storage import schema
from designer.storage.faults import FaultAt, malformed, misfit
from designer.storage.saving import replace_file

POLICY_FORMAT = "fabric-policy"
VERSION = 1
SUFFIX = ".fabric-policy"
SIZE_MOST = 4 * 1024 * 1024


def encode(policy: Policy) -> bytes:
    """The bytes of the policy's file: equal policies give equal bytes."""
    parts = [f'"format": "{POLICY_FORMAT}", "version": {VERSION}']
    for name, value in schema.WRITERS[Policy](policy).items():
        parts.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return ("{" + ",\n".join(parts) + "\n}\n").encode()


def save(policy: Policy, path: Path) -> None:
    """Write the policy's file in one step. Raises SaveError."""
    replace_file(path, encode(policy))


def load(path: Path) -> Policy:
    """The policy in a file; one without a name is called as its file. Raises FileFormatError naming file and place."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_MOST + 1)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {(error.strerror or 'the system refused').lower()}") from None
    try:
        found = decode(data)
    except FaultAt as error:
        raise FileFormatError(f"{path.name}, {error}") from None
    except FileFormatError as error:
        raise FileFormatError(f"{path.name} {error}") from None
    return found if found.name else replace(found, name=path.stem)


def decode(data: bytes) -> Policy:
    """The policy that the bytes hold. Raises FileFormatError without the file's name."""
    if len(data) > SIZE_MOST:
        raise FileFormatError(f"is larger than {SIZE_MOST // 2**20} MB")
    try:
        document: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise malformed(data, str(error)) from None
    except RecursionError:
        raise FileFormatError("is nested too deeply to be a policy") from None
    if not isinstance(document, dict) or document.pop("format", None) != POLICY_FORMAT:
        raise FileFormatError(f'is not a policy: it does not say "format": "{POLICY_FORMAT}"')
    version = document.pop("version", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FaultAt("field version: expected a whole number from 1 up")
    if version > VERSION:
        raise FileFormatError(
            f"was written by a newer version (format {version}; this program reads up to {VERSION}): "
            "update Fabric Designer"
        )
    try:
        policy = schema.read_policy(msgspec.convert(document, schema.POLICY_ROW))
    except msgspec.ValidationError as error:
        raise misfit(data, str(error)) from None
    for field, fault in policy_faults(policy):
        raise FaultAt(f"field {field}: {fault}")
    return policy
