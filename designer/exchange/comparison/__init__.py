"""What two designs, or a design and what was built, differ in: colored, in figures, as a page and as a workbook."""
