"""The physical room on the screen: the floor plan in meters and the elevation of its racks."""
