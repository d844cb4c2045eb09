"""The simulation panel and the failures panel."""
