"""The hand-over pack: every document of a design in one file, with an index, digests and a summary to read first."""
