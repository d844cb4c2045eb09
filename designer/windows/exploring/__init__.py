"""The window of a search: what is asked, the Pareto front as plot, parallel coordinates and table."""
