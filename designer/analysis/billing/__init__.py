"""The bill of materials: what a design is bought as, with spares, prices and what is not known."""
