"""Dialogs of the main window; none is modal except the question about unsaved changes and the file choosers."""
