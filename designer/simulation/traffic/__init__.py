"""What is sent: collectives and patterns as phases of flows, and who takes part."""
