"""What benchmarks of real clusters measured: records, and readers of the logs that the benchmarks write."""
