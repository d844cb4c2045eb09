"""The docks around the canvas: palette, inspector, findings, simulation. Projections of a session; they hold no facts."""
