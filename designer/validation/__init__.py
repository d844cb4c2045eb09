"""Rules that tell whether a design can be built, and findings that say what is wrong and offer a fix."""
