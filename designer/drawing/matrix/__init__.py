"""A design drawn as a matrix: cells by their heat, headings that stay, marks of findings and failures."""
