"""Gestures: one tool, one gesture, one edit."""
