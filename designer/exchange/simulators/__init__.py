"""Files by which simulators of networks and of training know a fabric."""
