"""The design as a matrix under the hand."""
