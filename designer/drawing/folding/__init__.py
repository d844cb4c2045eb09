"""Many devices drawn as one box: what a person collapsed, and what is collapsed from afar."""
