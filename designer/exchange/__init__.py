"""Other people's files, in and out: one module a format."""
