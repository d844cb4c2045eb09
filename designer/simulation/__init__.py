"""Traffic over a routed graph: rates, times, loads, and the reasons for them."""
