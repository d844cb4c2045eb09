"""Generators: parameters in, one edit out."""
