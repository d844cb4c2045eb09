"""Forwarding tables that a subnet manager set: matched to the drawn switches by name, and followed exactly."""
