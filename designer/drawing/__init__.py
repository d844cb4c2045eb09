"""What a design looks like, without Qt: colours, geometry, bundles of links, heat, and the picture made of them."""
