"""Where things stand: box sizes, tier layout on the canvas, units in racks."""
