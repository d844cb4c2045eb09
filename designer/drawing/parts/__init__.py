"""What a drawing is made of: rectangles, lines, paths and texts, the same for the screen, SVG and PDF."""
