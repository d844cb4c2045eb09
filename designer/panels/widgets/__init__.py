"""Widgets that several panels are made of, and the look of the window."""
