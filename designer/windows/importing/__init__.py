"""The dialog that brings a fabric in from a file of another program."""
