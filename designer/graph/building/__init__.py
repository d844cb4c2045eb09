"""A design read into a graph: all of it, or what changed since an earlier graph."""
