"""The acceptance sheet: what each part of a fabric should measure, and the commands that measure it."""
