"""The command line: every engine feature without a window."""
