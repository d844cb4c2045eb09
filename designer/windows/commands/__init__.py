"""Everything that can be done in the main window: the table of actions, and what each does."""
