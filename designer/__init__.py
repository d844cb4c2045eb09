"""Fabric Designer: draw the network of a GPU cluster, check it, and see what collective traffic does to it."""
