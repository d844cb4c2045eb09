"""The room as it is drawn: the floor plan and the elevation of the racks as rectangles."""
