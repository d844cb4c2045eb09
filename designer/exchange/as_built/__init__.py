"""What was built against the design: cables of a discovery, neighbors or a sheet, compared port by port."""
