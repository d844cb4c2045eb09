"""What a person can set: fields of records, described once, of which forms, options and texts are made."""
