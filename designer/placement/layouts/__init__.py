"""Layouts that a group or a selection can be given: what was drawn is recognized, and its boxes are laid out again."""
