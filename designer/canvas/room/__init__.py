"""The physical room on the screen: the floor plan in metres and the elevation of its racks."""
