"""Several jobs on one fabric: what each sends, and what they do to each other."""
