"""Where air goes through a device."""

FRONT_TO_REAR, REAR_TO_FRONT = "front-to-rear", "rear-to-front"

AIRFLOWS = ("", FRONT_TO_REAR, REAR_TO_FRONT)
"""Where air goes in and out of a device; the front of a switch is where its ports are. "" where nobody states it, and
where a type is sold both ways."""
