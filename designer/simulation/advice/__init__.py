"""What would make a run faster: changes that are tried by running them."""
