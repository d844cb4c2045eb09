"""The best fabrics for a job: candidates of many families are built, checked, priced and simulated, and compared."""
