"""Bills of materials as files, and the price lists that users bring."""
