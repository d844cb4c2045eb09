"""The set of drawings: index, overview, units, racks, switches, floor plan and cables, page by page on paper."""
