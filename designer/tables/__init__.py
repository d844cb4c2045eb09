"""Results as rows under columns, described once for the window, the terminal, spreadsheets and JSON."""
