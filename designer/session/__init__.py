"""One open document: its design, undo stack, selection, background jobs and preferences."""
