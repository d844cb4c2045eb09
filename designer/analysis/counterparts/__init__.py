"""Which record of one design is which of another: by id, then by name, then by structure."""
