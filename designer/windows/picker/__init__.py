"""The quick picker: the command palette, and finding a device by name."""
