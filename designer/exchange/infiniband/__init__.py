"""InfiniBand subnets for the tools that manage, simulate and check them."""
