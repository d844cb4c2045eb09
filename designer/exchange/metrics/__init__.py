"""Results for other programs to keep and to plot: CSV, Parquet, Prometheus text, and runs for TensorBoard."""
