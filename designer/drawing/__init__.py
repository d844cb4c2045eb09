"""What a design looks like, without Qt: colors, geometry, bundles of links, heat, and the picture made of them."""
