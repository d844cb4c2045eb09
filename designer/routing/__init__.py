"""Which paths traffic takes: one policy a module."""
