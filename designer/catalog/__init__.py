"""Hardware facts: the catalog's files, and the generic types of abstract studies."""
