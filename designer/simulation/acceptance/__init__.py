"""What a fabric should measure, part by part, and which fault of it would explain what it measured instead."""
