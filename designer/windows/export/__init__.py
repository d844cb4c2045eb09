"""The export dialog: choose a format, set its options, look at the pages, write or print them."""
