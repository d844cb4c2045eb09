"""What failures cost: sweeps, their candidates, and who is affected."""
