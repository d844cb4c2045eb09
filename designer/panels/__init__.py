"""The docks around the canvas: palette, inspector, findings, simulation. Projections: they hold no facts."""
