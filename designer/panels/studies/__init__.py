"""The studies: a tab each, and the plots they are made of."""
