"""Which tables the Tables panel has; known to menus before the panel is loaded."""

TABS = ("Devices", "Cables", "Ports")
