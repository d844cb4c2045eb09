"""Next to this file is what tests of several formats share: pytest finds modules in the folder of a conftest."""
