"""Labels of cables: their template, their text, and the sheets and lists that they are printed from."""
