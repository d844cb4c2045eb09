"""Our own file: one readable JSON document, versioned, checked as it comes in and saved whole or not at all."""
