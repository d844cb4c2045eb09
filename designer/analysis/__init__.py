"""Numbers about a design: tiers, oversubscription, connectivity, bisection, diameter, power, parts."""
