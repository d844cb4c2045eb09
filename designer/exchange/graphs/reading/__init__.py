"""Readers of graphs and drawings: GraphML, GEXF, DOT and draw.io as found networks."""
