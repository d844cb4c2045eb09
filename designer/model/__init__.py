"""What a design is: frozen records, edits, and the verbs that make edits. Standard library only."""
