"""Drawings and graphs for other programs: draw.io, GraphML, GEXF, DOT, and the floor plan as DXF."""
