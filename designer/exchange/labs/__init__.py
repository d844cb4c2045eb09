"""Files by which Ethernet fabrics are tried and brought up: Hedgehog, NVIDIA Air, containerlab."""
