"""A design as frozen arrays: vertices, arcs, and the distances between switches."""
