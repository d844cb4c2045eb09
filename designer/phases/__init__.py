"""Growth in phases: what is bought, installed, moved and unplugged from one phase of a fabric to the next."""
